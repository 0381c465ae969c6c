import type { Word } from '../../src/contracts/transcription.ts';
import { byId, element } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';
import { wordAt } from '../shared/word-at.ts';
import { findAll, type Match, type Paragraph, paragraphs, type Transcript, UNCERTAIN_BELOW } from './transcript.ts';

/** Shows the words of a recording and marks the current one. A click on a word plays from it. */
export class TranscriptView {
  readonly #box = byId('transcript', HTMLElement);
  readonly #search = byId('search', HTMLInputElement);
  readonly #count = byId('search-count', HTMLElement);
  readonly #audio: HTMLAudioElement;
  #texts: string[] = [];
  #rows: HTMLElement[] = [];
  #words: Word[] = [];
  #spans: HTMLElement[] = [];
  #current = -1;
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
    this.#current = -1;
    this.#box.replaceChildren();
    this.#find();
  }

  /** Adds a segment without word times. */
  add(text: string, start: number, end: number): void {
    const isAtEnd = this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight < 40;
    this.#append({ start, end, text: text.trim(), parts: [{ text: text.trim() }] });
    if (isAtEnd) this.#box.scrollTop = this.#box.scrollHeight;
  }

  /** Replaces the segments by the complete transcript. */
  show(transcript: Transcript): void {
    const { scrollTop } = this.#box;
    this.clear();
    for (const paragraph of paragraphs(transcript)) this.#append(paragraph);
    this.#box.scrollTop = scrollTop;
    this.#find();
  }

  #append({ start, text, parts }: Paragraph): void {
    const stamp = element('button', { type: 'button', className: 'stamp' }, clock(start));
    stamp.setAttribute('aria-label', `Play from ${clock(start)}`);
    stamp.dataset.start = String(start);
    const words = element('p', { dir: 'auto' });
    for (const part of parts) {
      if (part.word) words.append(this.#span(part.text, part.word));
      else words.append(part.text);
    }
    const row = element('div', { className: 'segment' }, stamp, words);
    this.#texts.push(text);
    this.#rows.push(words);
    this.#box.append(row);
  }

  #span(text: string, word: Word): HTMLElement {
    const span = element('span', { className: 'word' }, text);
    span.dataset.start = String(word.start);
    if (word.probability < UNCERTAIN_BELOW) {
      span.classList.add('unsure');
      span.title = `Uncertain: ${Math.round(word.probability * 100)} %`;
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
    // The player reports files that it cannot play.
    this.#audio.play().catch(() => {});
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.#box) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      const word = this.#words[Math.min(Math.max(0, this.#current + step), this.#words.length - 1)];
      if (word) this.#audio.currentTime = word.start;
    } else if (event.key === ' ' || event.key === 'Enter') {
      if (this.#audio.paused) this.#audio.play().catch(() => {});
      else this.#audio.pause();
    } else return;
    event.preventDefault();
  }

  #follow(): void {
    const { currentTime, paused, ended } = this.#audio;
    const isStopped = ended || (paused && currentTime === 0);
    // After a seek to 1.23 s, the player may report 1.2299.
    const index = isStopped ? -1 : wordAt(this.#words, currentTime + 0.005);
    if (index === this.#current) return;
    this.#spans[this.#current]?.classList.remove('now');
    this.#current = index;
    const span = this.#spans[index];
    if (!span) return;
    span.classList.add('now');
    this.#scrollTo(span);
  }

  #scrollTo(item: Element | Range): void {
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
    this.#scrollTo(range);
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
