import { matchAt } from '../patterns.ts';
import { clauseEnd, lineEnd, listed, maxSentenceLength, sentenceWindow, skipWhitespace } from '../segments.ts';
import { continuation } from './continuations.ts';
import type { LanguageRules } from './rules.ts';

const LINE_BREAK = /[\n\r\u2028\u2029]/g;
/** French writes a space before a closing quotation mark. */
const CLOSING = /[»”)\]]{1,6}\s*/y;

/** Cuts sentences by Unicode's rules (https://unicode.org/reports/tr29/), except after abbreviations and initials. */
export class SentenceSegmenter {
  readonly #continues: (written: string, rest: string) => boolean;
  readonly #segmenter: Intl.Segmenter;

  constructor(rules: LanguageRules) {
    this.#continues = continuation(rules);
    this.#segmenter = new Intl.Segmenter(rules.tag, { granularity: 'sentence' });
  }

  /** As `SentenceRules.sentenceEnd`. */
  sentenceEnd(text: string, lineOffset: number, complete: boolean): number {
    const view = text.slice(0, sentenceWindow);
    const paragraph = view.slice(0, paragraphEnd(view, lineOffset));
    // Unicode's rules end a sentence at each line break, but these only wrap lines.
    const flat = paragraph.replace(LINE_BREAK, ' ');
    let end = 0;
    for (const { segment } of this.#segmenter.segment(flat)) {
      end += segment.length;
      const stop = flat.slice(0, end).trimEnd().length - 1;
      const item = flat[stop] === '.' && end < flat.length ? listed(flat, stop) : undefined;
      if (item?.ends) {
        end = item.end;
        break;
      }
      if (item && end < maxSentenceLength) continue;
      if (end >= maxSentenceLength || !this.#continues(flat.slice(0, end), flat.slice(end))) break;
    }
    end += matchAt(CLOSING, flat, end)?.[0].length ?? 0;
    if (end > maxSentenceLength) return clauseEnd(view);
    // At the end of the view, the sentence may continue beyond it.
    const isWhole = end < view.length || (complete && view.length === text.length);
    return isWhole ? skipWhitespace(text, end) : clauseEnd(view);
  }
}

/** Index of the blank line, heading or list item that ends the first paragraph, else of the end of the text. */
function paragraphEnd(text: string, lineOffset: number): number {
  let lineStart = 0;
  for (const match of text.matchAll(LINE_BREAK)) {
    if (match.index < lineStart) continue;
    const { ends, end } = lineEnd(text, match.index, lineStart, lineStart === 0 ? lineOffset : 0);
    if (ends) return end;
    lineStart = end;
  }
  return text.length;
}
