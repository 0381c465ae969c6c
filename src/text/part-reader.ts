import { readingTokens } from './given-readings.ts';
import { pronunciationMark, type SentenceRules } from './language.ts';
import { holdsSound } from './phoneme-alphabet.ts';
import { SentenceBuffer } from './sentence-buffer.ts';
import type { NormalizationOptions, TextPart } from './types.ts';

/** Characters read from a part at a time. */
const blockSize = 2000;

/** Reads the parts of a text, in which every character is text. */
export class PartReader extends SentenceBuffer {
  readonly #parts: readonly TextPart[];
  readonly #options: NormalizationOptions;
  readonly #rules: SentenceRules;
  /** The next part, and how many of its characters have been read. */
  #part = 0;
  #offset = 0;

  constructor(parts: readonly TextPart[], options: NormalizationOptions, rules: SentenceRules) {
    super();
    this.#parts = parts;
    this.#options = options;
    this.#rules = rules;
  }

  protected get ended(): boolean {
    return this.#part >= this.#parts.length;
  }

  protected read(): void {
    const part = this.#parts[this.#part]!;
    if (part.type === 'text') {
      this.text += part.text.slice(this.#offset, this.#offset + blockSize);
      this.#offset += blockSize;
      if (this.#offset < part.text.length) return;
      this.#offset = 0;
    } else if (part.type === 'pause') this.addPause(part.seconds, part.endsParagraph);
    else if (part.type === 'mark') this.addMark(part.name);
    else this.#readReading(part);
    this.#part++;
  }

  #readReading({ written, reading }: Extract<TextPart, { type: 'reading' }>): void {
    const index = this.text.length;
    if ('ipa' in reading) {
      if (holdsSound(reading.ipa)) this.addPronunciation({ index, written, ipa: reading.ipa });
      this.text += holdsSound(reading.ipa) ? pronunciationMark : written;
      return;
    }
    const tokens = readingTokens(written, reading, this.#rules, this.#options);
    this.addPronunciation({ index, written, tokens });
    this.text += pronunciationMark;
  }
}
