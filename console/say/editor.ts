import { jsonBody, messageOf, requestJson } from '../shared/api.ts';
import { byId } from '../shared/dom.ts';
import { notify } from '../shared/notice.ts';
import { replaceInArea } from './area-mirror.ts';

const examples: Record<string, string> = {
  hello: 'Hello! I was made on this very machine, and not a word of this has left it.',
  numbers:
    'Dr. Lee paid $1,234.50 on May 3rd, 2024 at 9:05 a.m. for 2.5 kg of coffee. Questions? Call 555-0142 or write to lee@example.org.',
  pause: 'On your marks. [pause:1s] Get set. [pause:1.5s] Go!',
  pronunciation: 'You say [tomato](/təmˈeɪtoʊ/), and I say [tomato](/təmˈɑtoʊ/).',
  story:
    'The lighthouse keeper counted the waves, as he did every night. The seventh was always the tallest. Tonight it did not come. He waited, and listened, and the sea held its breath.\n\n“Well then,” he said at last, and lit a second lamp.',
};

/** The text to speak, and the buttons that edit it. */
export class Editor {
  readonly area = byId('input', HTMLTextAreaElement);
  readonly #count = byId('count', HTMLElement);

  readonly #language: () => string;

  /**
   * @param language letter of the language that words are pronounced in
   * @param mayReplace resolves to whether an example may replace the text
   */
  constructor(language: () => string, mayReplace: () => Promise<boolean>) {
    this.#language = language;
    this.area.addEventListener('input', () => this.showCount());
    byId('pause', HTMLButtonElement).addEventListener('click', () => this.#insertPause());
    byId('pronounce', HTMLButtonElement).addEventListener('click', () => void this.#insertPronunciation());
    const choice = byId('example', HTMLSelectElement);
    choice.addEventListener('change', async () => {
      const text = examples[choice.value];
      choice.value = '';
      if (text === undefined || !(await mayReplace())) return;
      this.area.focus();
      this.area.select();
      this.#insert(text);
    });
    this.showCount();
  }

  get text(): string {
    return this.area.value;
  }

  set text(text: string) {
    this.area.value = text;
    this.showCount();
  }

  /** Whether the text is one of the examples, as it was. */
  get isExample(): boolean {
    return Object.values(examples).includes(this.text);
  }

  focus(): void {
    this.area.focus();
  }

  showCount(): void {
    const { value } = this.area;
    // Count characters, not UTF-16 code units, unless the text is huge.
    const count = value.length > 100_000 ? value.length : [...value].length;
    this.#count.textContent = `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`;
  }

  /** Selects the tag that ends at a line and a column, both from 1. */
  goTo(line: number, column: number): void {
    const lines = this.text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    // Columns count characters.
    const before = [...(lines[line - 1] ?? '')].slice(0, Math.max(0, column - 1)).join('');
    const at = Math.min(start + before.length, this.text.length);
    this.area.focus();
    const tag = this.text.lastIndexOf('<', at - 1);
    this.area.setSelectionRange(tag >= start ? tag : Math.max(start, at - 1), at);
  }

  /** Replaces the selection, with undo. */
  #insert(text: string): void {
    replaceInArea(this.area, this.area.selectionStart, this.area.selectionEnd, text);
  }

  #insertPause(): void {
    const area = this.area;
    area.focus();
    const index = afterControlToken(area.value, area.selectionEnd);
    area.setSelectionRange(index, index);
    const before = index > 0 && !/\s/.test(area.value.charAt(index - 1)) ? ' ' : '';
    const after = /^\s/.test(area.value.slice(index, index + 1)) ? '' : ' ';
    this.#insert(`${before}[pause:1s]${after}`);
    // Select the number, for the user to change.
    const number = index + before.length + '[pause:'.length;
    area.setSelectionRange(number, number + 1);
  }

  async #insertPronunciation(): Promise<void> {
    const area = this.area;
    const { from, to } = wordAround(area.value, area.selectionStart, area.selectionEnd);
    const word = area.value.slice(from, to);
    if (word === '') {
      notify('Select a word, or put the cursor in it, to write its pronunciation.', { isTransient: true });
      area.focus();
      return;
    }
    let phonemes: string;
    try {
      const response = await requestJson<{ phonemes: string }>(
        '/dev/phonemize',
        jsonBody({ text: word, language: this.#language() }),
      );
      // The service returns one line per sentence; a pronunciation has to be on one.
      phonemes = response.phonemes.trim().replace(/\s+/g, ' ');
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
      return;
    }
    if (area.value.slice(from, to) !== word) return;
    area.focus();
    area.setSelectionRange(from, to);
    this.#insert(`[${word}](/${phonemes}/)`);
    const start = from + word.length + '[](/'.length;
    area.setSelectionRange(start, start + phonemes.length);
  }
}

/** The index, or the end of the control token around it. */
function afterControlToken(text: string, index: number): number {
  const open = text.lastIndexOf('[', index - 1);
  const controlToken = open < 0 ? null : /^\[[^[\]\n]*\](?:\(\/[^/\n]*\/\))?/.exec(text.slice(open, open + 700));
  return controlToken ? Math.max(index, open + controlToken[0].length) : index;
}

/** The trimmed selection, or the word at the cursor. */
function wordAround(text: string, start: number, end: number): { from: number; to: number } {
  if (start < end) {
    const selected = text.slice(start, end);
    const from = start + (selected.length - selected.trimStart().length);
    return { from, to: Math.max(from, start + selected.trimEnd().length) };
  }
  const before = /[\p{L}\p{N}\p{M}'’-]*$/u.exec(text.slice(Math.max(0, start - 100), start))![0].length;
  const after = /^[\p{L}\p{N}\p{M}'’-]*/u.exec(text.slice(start, start + 100))![0].length;
  return { from: start - before, to: start + after };
}
