import { controlTokenAt, controlTokenStart } from './control-tokens.ts';
import { pronunciationMark } from './language.ts';
import { withoutMarkdown } from './markdown.ts';
import { holdsSound } from './phoneme-alphabet.ts';
import { SentenceBuffer } from './sentence-buffer.ts';
import type { NormalizationOptions } from './types.ts';

/** Characters read from the input at a time. */
const blockSize = 2000;
/** Characters to read beyond the index: no control token is longer. */
const inputWindow = 16_000;

/** Reads a text without its Markdown, control tokens and tags, and with its character references decoded. */
export class InputReader extends SentenceBuffer {
  readonly #pieces: Iterator<string>;
  /** A part of the input, which is read up to `#index`. */
  #input = '';
  #index = 0;
  #piecesEnded = false;

  constructor(input: string, options: NormalizationOptions) {
    super();
    const hasMarkdown = options.normalize && options.markdown_normalization;
    this.#pieces = hasMarkdown ? withoutMarkdown(input) : [input].values();
    this.#fillWindow();
  }

  protected get ended(): boolean {
    return this.#piecesEnded && this.#index >= this.#input.length;
  }

  #fillWindow(): void {
    if (this.#piecesEnded || this.#input.length - this.#index >= inputWindow) return;
    // What a control token means depends on the character before it.
    const kept = Math.min(1, this.#index);
    const added = [this.#input.slice(this.#index - kept)];
    this.#index = kept;
    for (let length = added[0]!.length; length < 2 * inputWindow; length += added.at(-1)!.length) {
      const { done, value } = this.#pieces.next();
      this.#piecesEnded = done === true;
      if (done) break;
      added.push(value);
    }
    this.#input = added.join('');
  }

  protected read(): void {
    this.#fillWindow();
    if (this.#index >= this.#input.length) return;
    const controlToken = controlTokenAt(this.#input, this.#index);
    if (controlToken) {
      this.#index = controlToken.end;
      if (controlToken.type === 'pause') this.addPause(controlToken.seconds);
      else if (controlToken.type === 'tag' || controlToken.type === 'entity') this.text += controlToken.text;
      else if (!holdsSound(controlToken.ipa)) this.text += controlToken.written;
      else {
        const { written, ipa } = controlToken;
        this.addPronunciation({ index: this.text.length, written, ipa });
        this.text += pronunciationMark;
      }
      return;
    }
    // No control token begins here; the next may begin at one of these characters.
    const next = this.#input.slice(this.#index + 1, this.#index + blockSize).search(controlTokenStart);
    const end = next < 0 ? this.#index + blockSize : this.#index + 1 + next;
    this.text += this.#input.slice(this.#index, end);
    this.#index = end;
  }
}
