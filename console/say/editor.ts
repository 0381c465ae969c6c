import { jsonBody, messageOf, requestJson } from '../shared/api.ts';
import { byId } from '../shared/dom.ts';
import { notify } from '../shared/notice.ts';

const examples: Record<string, string> = {
  hello: 'Hello! I was made on this very machine, and not a word of this has left it.',
  numbers:
    'Dr. Lee paid $1,234.50 on May 3rd, 2024 at 9:05 a.m. for 2.5 kg of coffee. Questions? Call 555-0142 or write to lee@example.org.',
  pause: 'On your marks. [pause:1s] Get set. [pause:1.5s] Go!',
  pronunciation: 'You say [tomato](/təmˈeɪtoʊ/), and I say [tomato](/təmˈɑtoʊ/).',
  story:
    'The lighthouse keeper counted the waves, as he did every night. The seventh was always the tallest. Tonight it did not come. He waited, and listened, and the sea held its breath.\n\n“Well then,” he said at last, and lit a second lamp.',
};

/** The text to speak, and the buttons that write into it. */
export class Editor {
  readonly #area = byId('input', HTMLTextAreaElement);
  readonly #count = byId('count', HTMLElement);

  constructor() {
    this.#area.addEventListener('input', () => this.#showCount());
    byId('pause', HTMLButtonElement).addEventListener('click', () => this.#insertPause());
    byId('pronounce', HTMLButtonElement).addEventListener('click', () => void this.#insertPronunciation());
    const choice = byId('example', HTMLSelectElement);
    choice.addEventListener('change', () => {
      const text = examples[choice.value];
      choice.value = '';
      if (text === undefined) return;
      this.#area.focus();
      this.#area.select();
      this.#write(text);
    });
    this.#showCount();
  }

  get text(): string {
    return this.#area.value;
  }

  set text(text: string) {
    this.#area.value = text;
    this.#showCount();
  }

  focus(): void {
    this.#area.focus();
  }

  #showCount(): void {
    const { value } = this.#area;
    // Characters, not the units of UTF-16; of a megabyte the difference does not matter.
    const count = value.length > 100_000 ? value.length : [...value].length;
    this.#count.textContent = `${count.toLocaleString('en')} ${count === 1 ? 'character' : 'characters'}`;
  }

  /** Writes over the selection so that it can be undone. */
  #write(text: string): void {
    const area = this.#area;
    if (!document.execCommand('insertText', false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }

  #insertPause(): void {
    const area = this.#area;
    area.focus();
    const at = afterToken(area.value, area.selectionEnd);
    area.setSelectionRange(at, at);
    const before = at > 0 && !/\s/.test(area.value.charAt(at - 1)) ? ' ' : '';
    const after = /^\s/.test(area.value.slice(at, at + 1)) ? '' : ' ';
    this.#write(`${before}[pause:1s]${after}`);
    // The number is what people want to change.
    const number = at + before.length + '[pause:'.length;
    area.setSelectionRange(number, number + 1);
  }

  async #insertPronunciation(): Promise<void> {
    const area = this.#area;
    const { from, to } = wordAround(area.value, area.selectionStart, area.selectionEnd);
    const word = area.value.slice(from, to);
    if (word === '') {
      notify('Select the word whose pronunciation you want to write, or put the cursor into it.', { passing: true });
      area.focus();
      return;
    }
    let phonemes: string;
    try {
      const answer = await requestJson<{ phonemes: string }>('/dev/phonemize', jsonBody({ text: word, language: 'a' }));
      // Sentences come in lines, and a pronunciation stands on one.
      phonemes = answer.phonemes.trim().replace(/\s+/g, ' ');
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
      return;
    }
    if (area.value.slice(from, to) !== word) return;
    area.focus();
    area.setSelectionRange(from, to);
    this.#write(`[${word}](/${phonemes}/)`);
    const start = from + word.length + '[](/'.length;
    area.setSelectionRange(start, start + phonemes.length);
  }
}

/** The place itself, or the end of the control token that it is in. */
function afterToken(text: string, place: number): number {
  const open = text.lastIndexOf('[', place - 1);
  const token = open < 0 ? null : /^\[[^[\]\n]*\](?:\(\/[^/\n]*\/\))?/.exec(text.slice(open, open + 700));
  return token ? Math.max(place, open + token[0].length) : place;
}

/** The selection without blanks around it, or the word that the cursor is in. */
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
