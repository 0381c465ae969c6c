import { byId } from '../../shared/dom.ts';
import type { Chapter } from './book.ts';

/** Edits the title and the text of one chapter. */
export class ChapterEditor {
  readonly area = byId('chapter-text', HTMLTextAreaElement);
  readonly #title = byId('chapter-title', HTMLInputElement);
  readonly #box = byId('chapter-editor', HTMLElement);
  #chapter: Chapter | undefined;

  /** @param onEdit called with what the user has changed */
  constructor(onEdit: (chapter: Chapter, facts: { title?: string; text?: string }) => void) {
    this.#title.addEventListener('input', () => {
      if (this.#chapter) onEdit(this.#chapter, { title: this.#title.value });
    });
    this.area.addEventListener('input', () => {
      if (this.#chapter) onEdit(this.#chapter, { text: this.area.value });
    });
    this.chapter = undefined;
  }

  get chapter(): Chapter | undefined {
    return this.#chapter;
  }

  set chapter(chapter: Chapter | undefined) {
    const isOther = chapter !== this.#chapter;
    this.#chapter = chapter;
    this.#box.hidden = chapter === undefined;
    if (!chapter) return;
    // Setting a value moves the cursor.
    if (this.#title.value !== chapter.title) this.#title.value = chapter.title;
    if (this.area.value !== chapter.text) this.area.value = chapter.text;
    if (isOther) this.area.scrollTop = 0;
  }
}
