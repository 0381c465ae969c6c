import { reveal } from '../shared/reveal.ts';
import { wordAt } from '../shared/word-at.ts';
import type { Player } from './player.ts';
import { wordAtOffset } from './spoken-words.ts';

/** Shows the spoken text and marks the current word. A click on a word plays from it. */
export class SpokenText {
  readonly #box: HTMLElement;
  readonly #player: Player;
  // A single text node: ranges mark the words, not elements.
  readonly #text = document.createTextNode('');
  #marked = -1;
  #isFollowing = true;

  constructor(box: HTMLElement, player: Player) {
    this.#box = box;
    this.#player = player;
    box.replaceChildren(this.#text);
    box.addEventListener('click', (event) => this.#playFrom(event));
    // The reader takes over the scrolling until the next click on a word or pause.
    for (const name of ['wheel', 'touchmove'] as const) {
      box.addEventListener(
        name,
        () => {
          this.#isFollowing = player.state === 'paused';
        },
        { passive: true },
      );
    }
  }

  set(text: string): void {
    this.#text.data = text;
    this.#box.scrollTop = 0;
    this.#mark(-1);
  }

  /** Marks the current word. */
  follow(): void {
    const { speech, position, state } = this.#player;
    if (state === 'paused') this.#isFollowing = true;
    const isStopped = state === 'paused' && (position === 0 || position === speech?.duration);
    const index = speech && !isStopped ? wordAt(speech.words, position) : -1;
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
    if (this.#isFollowing) reveal(this.#box, range);
  }

  #playFrom({ clientX, clientY }: MouseEvent): void {
    const position = textPositionAt(clientX, clientY);
    const { speech } = this.#player;
    if (!speech || position?.node !== this.#text || getSelection()?.isCollapsed === false) return;
    const word = speech.words[wordAtOffset(speech.words, position.offset)];
    if (!word) return;
    this.#isFollowing = true;
    this.#player.seek(word.start);
    this.#player.play();
  }
}

function textPositionAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if ('caretPositionFromPoint' in document) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret ? { node: caret.offsetNode, offset: caret.offset } : undefined;
  }
  // Safari, and Chromium before 128.
  const range = (
    document as Document & { caretRangeFromPoint?(x: number, y: number): Range | null }
  ).caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}
