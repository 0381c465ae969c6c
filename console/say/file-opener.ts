import { byId } from '../shared/dom.ts';
import { acceptDrops } from '../shared/drops.ts';
import { hideNotice, notify } from '../shared/notice.ts';
import { UnreadableFile } from '../shared/unzip.ts';
import type { BookPanel } from './book/book-panel.ts';
import { openFile } from './book/open-file.ts';
import { bookOfText } from './book/text-chapters.ts';
import type { DialoguePanel } from './dialogue/dialogue-panel.ts';
import type { Editor } from './editor.ts';
import type { Modes } from './modes.ts';

interface Parts {
  modes: Modes;
  editor: Editor;
  dialogue: DialoguePanel;
  book: BookPanel;
  /** Resolves to whether the text may be replaced. */
  mayReplaceText: () => Promise<boolean>;
}

/** Opens files by a button and by drop: a book, or a text to speak. */
export class FileOpener {
  readonly #parts: Parts;

  constructor(form: HTMLElement, parts: Parts) {
    this.#parts = parts;
    const input = byId('open-file', HTMLInputElement);
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file) void this.#open(file).finally(() => (input.value = ''));
    });
    acceptDrops(form, ([file, ...others]) => {
      // Each would take the place of the one before.
      if (others.length > 0) notify('Drop one file at a time: a text or a book.');
      else if (file) void this.#open(file);
    });
    byId('book-from-text', HTMLButtonElement).addEventListener('click', () => void this.#useText());
  }

  async #open(file: File): Promise<void> {
    const { modes, editor, dialogue, book, mayReplaceText } = this.#parts;
    hideNotice();
    notify(`Opening ${file.name}…`, { isTransient: true });
    try {
      const opened = await openFile(file);
      if ('book' in opened) {
        if (await book.open(opened.book)) modes.mode = 'book';
        return;
      }
      if (modes.mode === 'dialogue' && dialogue.takeScript(opened.text)) return;
      if (!(await mayReplaceText())) return;
      editor.text = opened.text;
      editor.area.dispatchEvent(new Event('input', { bubbles: true }));
      modes.mode = 'text';
    } catch (error) {
      if (!(error instanceof UnreadableFile)) console.error(error);
      notify(`${file.name}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Makes a book of the text: of its headings, else with a single chapter. */
  async #useText(): Promise<void> {
    const { editor, book } = this.#parts;
    const { text } = editor;
    if (text.trim() === '') {
      notify('There is no text yet.', { isTransient: true });
      return;
    }
    const title = 'Untitled';
    const opened = bookOfText(text, title, true) ?? bookOfText(text, title, false);
    await book.open(
      opened ?? { title, author: '', chapters: [{ title: text.trim().split('\n')[0]!.slice(0, 80), text }] },
    );
  }
}
