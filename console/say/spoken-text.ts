import { wordAt } from '../shared/word-at.ts';
import type { Player } from './player.ts';
import { wordOfPlace } from './spoken-words.ts';

/** The text that is spoken, its current word marked. A click on a word plays from there. */
export class SpokenText {
  readonly #box: HTMLElement;
  readonly #player: Player;
  // One text node whatever its length: words are marked by ranges, not by elements.
  readonly #text = document.createTextNode('');
  #marked = -1;

  constructor(box: HTMLElement, player: Player) {
    this.#box = box;
    this.#player = player;
    box.replaceChildren(this.#text);
    box.addEventListener('click', (event) => this.#playFrom(event));
  }

  set(text: string): void {
    this.#text.data = text;
    this.#box.scrollTop = 0;
    this.#mark(-1);
  }

  /** Marks the word that is heard now. */
  follow(): void {
    const { speech, position, state } = this.#player;
    const isAtRest = state === 'paused' && (position === 0 || position === speech?.duration);
    const index = speech && !isAtRest ? wordAt(speech.words, position) : -1;
    if (index !== this.#marked) this.#mark(index);
  }

  #mark(index: number): void {
    this.#marked = index;
    if (!('highlights' in CSS)) return;
    const word = this.#player.speech?.words[index];
    if (!word || word.to > this.#text.length) {
      CSS.highlights.delete('spoken');
      return;
    }
    const range = new Range();
    range.setStart(this.#text, word.from);
    range.setEnd(this.#text, word.to);
    CSS.highlights.set('spoken', new Highlight(range));
    this.#keepInSight(range);
  }

  #keepInSight(range: Range): void {
    const box = this.#box.getBoundingClientRect();
    const word = range.getBoundingClientRect();
    if (word.top >= box.top && word.bottom <= box.bottom) return;
    this.#box.scrollTop += word.top - box.top - box.height / 3;
  }

  #playFrom({ clientX, clientY }: MouseEvent): void {
    const place = textPlaceAt(clientX, clientY);
    const { speech } = this.#player;
    if (!speech || place?.node !== this.#text || getSelection()?.isCollapsed === false) return;
    const word = speech.words[wordOfPlace(speech.words, place.offset)];
    if (!word) return;
    this.#player.seek(word.start);
    this.#player.play();
  }
}

function textPlaceAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if ('caretPositionFromPoint' in document) {
    const found = document.caretPositionFromPoint(x, y);
    return found ? { node: found.offsetNode, offset: found.offset } : undefined;
  }
  // The name of Safari, and of Chromium before 128.
  const found = (
    document as Document & { caretRangeFromPoint?(x: number, y: number): Range | null }
  ).caretRangeFromPoint?.(x, y);
  return found ? { node: found.startContainer, offset: found.startOffset } : undefined;
}
