import type { Word } from '../../src/contracts/transcription.ts';
import { byId, element } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';
import { wordAt } from '../shared/word-at.ts';
import { findAll, type Match, type Paragraph, paragraphs, type Transcript, UNSURE_BELOW } from './transcript.ts';

/** The words of a recording: each leads to its moment, the one that is heard is marked. */
export class TranscriptView {
  readonly #box = byId('transcript', HTMLElement);
  readonly #search = byId('search', HTMLInputElement);
  readonly #count = byId('search-count', HTMLElement);
  readonly #audio: HTMLAudioElement;
  #texts: string[] = [];
  #rows: HTMLElement[] = [];
  #words: Word[] = [];
  #spans: HTMLElement[] = [];
  #now = -1;
  #matches: Match[] = [];
  #match = -1;

  constructor(audio: HTMLAudioElement) {
    this.#audio = audio;
    this.#box.addEventListener('click', (event) => this.#onClick(event));
    this.#box.addEventListener('keydown', (event) => this.#onKey(event));
    this.#search.addEventListener('input', () => this.#find());
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.#goTo(this.#match + (event.shiftKey ? -1 : 1));
    });
    const follow = () => {
      this.#follow();
      if (!audio.paused) requestAnimationFrame(follow);
    };
    audio.addEventListener('play', follow);
    for (const name of ['seeked', 'timeupdate']) audio.addEventListener(name, () => this.#follow());
  }

  clear(): void {
    this.#texts = [];
    this.#rows = [];
    this.#words = [];
    this.#spans = [];
    this.#now = -1;
    this.#box.replaceChildren();
    this.#find();
  }

  /** Adds a segment of which only the text is known so far. */
  add(text: string, start: number, end: number): void {
    const isAtEnd = this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight < 40;
    this.#append({ start, end, text: text.trim(), pieces: [{ text: text.trim() }] });
    if (isAtEnd) this.#box.scrollTop = this.#box.scrollHeight;
  }

  /** Shows the whole transcript in place of what was there. */
  show(transcript: Transcript): void {
    const { scrollTop } = this.#box;
    this.clear();
    for (const paragraph of paragraphs(transcript)) this.#append(paragraph);
    this.#box.scrollTop = scrollTop;
    this.#find();
  }

  #append({ start, text, pieces }: Paragraph): void {
    const stamp = element('button', { type: 'button', className: 'stamp' }, clock(start));
    stamp.setAttribute('aria-label', `Play from ${clock(start)}`);
    stamp.dataset.start = String(start);
    const words = element('p', { dir: 'auto' });
    for (const piece of pieces) {
      if (piece.word) words.append(this.#span(piece.text, piece.word));
      else words.append(piece.text);
    }
    const row = element('div', { className: 'segment' }, stamp, words);
    this.#texts.push(text);
    this.#rows.push(words);
    this.#box.append(row);
  }

  #span(text: string, word: Word): HTMLElement {
    const span = element('span', { className: 'word' }, text);
    span.dataset.start = String(word.start);
    if (word.probability < UNSURE_BELOW) {
      span.classList.add('unsure');
      span.title = `Not sure: ${Math.round(word.probability * 100)} %`;
    }
    this.#words.push(word);
    this.#spans.push(span);
    return span;
  }

  #onClick({ target }: MouseEvent): void {
    const start = target instanceof Element ? target.closest<HTMLElement>('[data-start]')?.dataset.start : undefined;
    // A drag over words selects them.
    if (start === undefined || getSelection()?.isCollapsed === false) return;
    this.#playFrom(Number(start));
  }

  #playFrom(seconds: number): void {
    this.#audio.currentTime = seconds;
    // Where the browser cannot play the file, the player says so.
    this.#audio.play().catch(() => {});
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.#box) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      const word = this.#words[Math.min(Math.max(0, this.#now + step), this.#words.length - 1)];
      if (word) this.#audio.currentTime = word.start;
    } else if (event.key === ' ' || event.key === 'Enter') {
      if (this.#audio.paused) this.#audio.play().catch(() => {});
      else this.#audio.pause();
    } else return;
    event.preventDefault();
  }

  #follow(): void {
    const { currentTime, paused, ended } = this.#audio;
    const atRest = ended || (paused && currentTime === 0);
    // A player that was sent to 1.23 s may say 1.2299.
    const index = atRest ? -1 : wordAt(this.#words, currentTime + 0.005);
    if (index === this.#now) return;
    this.#spans[this.#now]?.classList.remove('now');
    this.#now = index;
    const span = this.#spans[index];
    if (!span) return;
    span.classList.add('now');
    this.#keepInSight(span);
  }

  #keepInSight(item: Element | Range): void {
    const box = this.#box.getBoundingClientRect();
    const { top, bottom } = item.getBoundingClientRect();
    if (top >= box.top && bottom <= box.bottom) return;
    this.#box.scrollTop += top - box.top - box.height / 3;
  }

  #find(): void {
    this.#matches = findAll(this.#texts, this.#search.value);
    this.#match = -1;
    if ('highlights' in CSS) {
      CSS.highlights.delete('match');
      const ranges = this.#matches.map((match) => this.#rangeOf(match));
      if (ranges.length > 0) CSS.highlights.set('found', new Highlight(...ranges));
      else CSS.highlights.delete('found');
    }
    if (this.#matches.length > 0) this.#goTo(0);
    else this.#count.textContent = this.#search.value.trim() === '' ? '' : 'Not found';
  }

  #goTo(index: number): void {
    const { length } = this.#matches;
    if (length === 0) return;
    this.#match = (index + length) % length;
    const range = this.#rangeOf(this.#matches[this.#match]!);
    if ('highlights' in CSS) CSS.highlights.set('match', new Highlight(range));
    this.#count.textContent = `${this.#match + 1} of ${length}`;
    this.#keepInSight(range);
  }

  #rangeOf({ text, from, to }: Match): Range {
    const range = new Range();
    const walker = document.createTreeWalker(this.#rows[text]!, NodeFilter.SHOW_TEXT);
    let before = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { length } = node as Text;
      if (from >= before && from < before + length) range.setStart(node, from - before);
      if (to > before && to <= before + length) {
        range.setEnd(node, to - before);
        break;
      }
      before += length;
    }
    return range;
  }
}
