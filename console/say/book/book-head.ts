import { byId, element } from '../../shared/dom.ts';
import { notify } from '../../shared/notice.ts';
import type { Book } from './book.ts';
import { pictureType } from './epub.ts';

const MAX_COVER_BYTES = 5_000_000;

/** Title, author and cover of the book. */
export class BookHead {
  readonly #title = byId('book-title', HTMLInputElement);
  readonly #author = byId('book-author', HTMLInputElement);
  readonly #cover = byId('book-cover', HTMLElement);
  readonly #book: Book;
  #shown: Blob | undefined;

  constructor(book: Book) {
    this.#book = book;
    this.#title.addEventListener('input', () => book.describe({ title: this.#title.value }));
    this.#author.addEventListener('input', () => book.describe({ author: this.#author.value }));
    const file = byId('cover-file', HTMLInputElement);
    file.addEventListener('change', () => {
      const [picture] = file.files ?? [];
      file.value = '';
      if (picture) void this.#choose(picture);
    });
  }

  show(): void {
    const { title, author, cover } = this.#book;
    if (this.#title.value !== title) this.#title.value = title;
    if (this.#author.value !== author) this.#author.value = author;
    if (cover === this.#shown) return;
    this.#shown = cover;
    this.#cover.hidden = cover === undefined;
    this.#cover.replaceChildren();
    if (cover) void this.#showCover(cover);
  }

  async #choose(picture: File): Promise<void> {
    const bytes = new Uint8Array(await picture.slice(0, 8).arrayBuffer());
    const type = pictureType(bytes);
    if (!type || picture.size > MAX_COVER_BYTES) {
      notify('A cover is a JPEG or PNG picture of at most 5 MB.');
      return;
    }
    this.#book.describe({ cover: new Blob([picture], { type }) });
    this.show();
  }

  async #showCover(cover: Blob): Promise<void> {
    const url = await dataUrl(cover);
    if (this.#shown === cover) this.#cover.replaceChildren(element('img', { src: url, alt: 'Cover' }));
  }
}

/** The policy of the page allows pictures in `data:` URLs only. */
export function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
