import { byId } from '../shared/dom.ts';
import { wordAt } from '../shared/word-at.ts';
import type { LineList } from './line-list.ts';
import type { Line } from './lines.ts';

/** Where a word with a time is. */
interface PlacedWord {
  /** Seconds. */
  start: number;
  /** Index of its line, and among the line's words with times. */
  line: number;
  index: number;
}

/** Events by which a reader takes over the scrolling. */
const readerEvents = ['wheel', 'touchmove'] as const;
const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);

/** Marks the word being played, and keeps it in view until the reader scrolls. */
export class Follower {
  readonly #audio = byId('audio', HTMLAudioElement);
  readonly #button = byId('follow', HTMLButtonElement);
  readonly #list: LineList;
  #words: PlacedWord[] = [];
  #current = -1;
  #marked: HTMLElement | Range | undefined;
  #isFollowing = true;

  constructor(list: LineList) {
    this.#list = list;
    const follow = () => {
      this.#follow();
      if (!this.#audio.paused) requestAnimationFrame(follow);
    };
    this.#audio.addEventListener('play', follow);
    for (const name of ['seeked', 'timeupdate', 'pause']) this.#audio.addEventListener(name, () => this.#follow());
    for (const name of readerEvents) list.box.addEventListener(name, () => this.#yield(), { passive: true });
    // On the scroll bar, not on a word.
    list.box.addEventListener('pointerdown', ({ target }) => target === list.box && this.#yield());
    list.box.addEventListener('keydown', ({ key }) => scrollKeys.has(key) && this.#yield());
    this.#button.addEventListener('click', () => this.resume());
  }

  /** Seconds of the words next to the one being played; undefined beyond the ends. */
  neighbor(step: 1 | -1): number | undefined {
    return this.#words[Math.min(Math.max(0, this.#current + step), this.#words.length - 1)]?.start;
  }

  /** Sets the words of other lines. */
  set(lines: readonly Line[]): void {
    this.#words = lines.flatMap(({ parts }, line) =>
      parts.filter(({ word }) => word).map(({ word }, index) => ({ start: word!.start, line, index })),
    );
    this.#current = -1;
    this.#mark(undefined);
    // The reader may be editing another place.
    this.#markCurrent();
  }

  /** Follows again, after the reader has chosen a place to play from. */
  resume(): void {
    this.#isFollowing = true;
    this.#button.hidden = true;
    this.#reveal();
  }

  #yield(): void {
    if (this.#audio.paused) return;
    this.#isFollowing = false;
    this.#button.hidden = false;
  }

  #follow(): void {
    if (this.#audio.paused) {
      this.#isFollowing = true;
      this.#button.hidden = true;
    }
    if (this.#markCurrent()) this.#reveal();
  }

  /** Marks the word being played. Returns whether it is another one, or has another element. */
  #markCurrent(): boolean {
    const { currentTime, paused, ended } = this.#audio;
    const isStopped = ended || (paused && currentTime === 0);
    // After a seek to 1.23 s, the player may report 1.2299.
    const index = isStopped ? -1 : wordAt(this.#words, currentTime + 0.005);
    const isGone = this.#marked instanceof HTMLElement && !this.#marked.isConnected;
    if (index === this.#current && !isGone) return false;
    this.#current = index;
    const place = this.#words[index];
    const row = place && this.#list.rows[place.line];
    // Text being edited has no elements for its words.
    this.#mark(row?.words[place!.index] ?? row?.wordRange(place!.index));
    return true;
  }

  #mark(word: HTMLElement | Range | undefined): void {
    if (this.#marked instanceof HTMLElement) this.#marked.classList.remove('now');
    if ('highlights' in CSS) CSS.highlights.delete('spoken');
    if (word instanceof HTMLElement) word.classList.add('now');
    else if (word && 'highlights' in CSS) CSS.highlights.set('spoken', new Highlight(word));
    this.#marked = word;
  }

  #reveal(): void {
    if (this.#marked && this.#isFollowing) this.#list.reveal(this.#marked);
  }
}
