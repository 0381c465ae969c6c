import { byId } from '../../shared/dom.ts';
import { save } from '../../shared/files.ts';
import type { Actions } from '../actions.ts';
import type { SpeechRequest } from '../speech.ts';
import { type Book, isSpoken } from './book.ts';
import { bookFile, chaptersArchive, fileName, type Progress } from './book-files.ts';

interface Parts {
  actions: Actions;
  settings: () => Omit<SpeechRequest, 'input'>;
  report: (error: unknown) => void;
  /** Resolves to whether a file may be made now. */
  maySave: () => Promise<boolean>;
  onEnd: () => void;
}

/** The buttons that save a book. */
export class BookSaving {
  readonly #chapters = byId('save-chapters', HTMLButtonElement);
  readonly #whole = byId('save-book', HTMLButtonElement);
  readonly #parts: Parts;

  constructor(book: Book, parts: Parts) {
    this.#parts = parts;
    this.#chapters.addEventListener('click', () => {
      const { format } = parts.settings();
      const spoken = book.chapters.filter((chapter) => chapter.isIncluded && isSpoken(chapter));
      const name = `${fileName(book.title)} (${format}).zip`;
      void this.#save(name, (progress) => chaptersArchive(book, spoken, format, progress));
    });
    this.#whole.addEventListener('click', () => {
      const settings = parts.settings();
      void this.#save(`${fileName(book.title)}.m4b`, (progress) => bookFile(book, settings, progress));
    });
  }

  show({ hasSound, hasText }: { hasSound: boolean; hasText: boolean }): void {
    this.#chapters.disabled = !hasSound;
    this.#whole.disabled = !hasText;
  }

  async #save(name: string, make: (progress: Progress) => Promise<Blob>): Promise<void> {
    const { actions, report, maySave, onEnd } = this.#parts;
    if (!(await maySave())) return;
    await actions.run(async (signal, tell) => {
      try {
        save(name, await make({ signal, tell }));
        tell('Saved.');
      } catch (error) {
        tell(signal.aborted ? 'Stopped.' : 'Failed.');
        report(error);
      }
    });
    onEnd();
  }
}
