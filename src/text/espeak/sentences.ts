import { matchAt } from '../control-tokens.ts';
import { clauseEnd, lineEnd, maxSentenceLength, sentenceWindow, skipBlanks } from '../english/normalize/sentences.ts';
import type { LanguageRules } from './rules.ts';

const LINE_BREAK = /[\n\r\u2028\u2029]/g;
const WORD_BEFORE_STOP = /([\p{L}\p{M}][\p{L}\p{M}.]*)\.\s*$/u;
/** What closes a quotation stands behind a blank in French. */
const CLOSING = /[»”)\]]{1,6}\s*/y;
const CAPITAL_NEXT = /^[^\p{L}\p{N}]*\p{Lu}/u;

/** Cuts sentences as Unicode does (https://unicode.org/reports/tr29/), but not behind abbreviations and initials. */
export class SentenceCutter {
  readonly #rules: LanguageRules;
  readonly #segmenter: Intl.Segmenter;

  constructor(rules: LanguageRules) {
    this.#rules = rules;
    this.#segmenter = new Intl.Segmenter(rules.tag, { granularity: 'sentence' });
  }

  /** As `SentenceRules.sentenceEnd`. */
  sentenceEnd(text: string, column: number, complete: boolean): number {
    const view = text.slice(0, sentenceWindow);
    const paragraph = paragraphEnd(view, column);
    // A line that only wraps is a blank to Unicode's rules here.
    const flat = view.slice(0, paragraph).replace(LINE_BREAK, ' ');
    let end = 0;
    for (const { segment } of this.#segmenter.segment(flat)) {
      end += segment.length;
      if (end >= maxSentenceLength || !this.#goesOn(flat.slice(0, end), flat.slice(end))) break;
    }
    end += matchAt(CLOSING, flat, end)?.[0].length ?? 0;
    if (end > maxSentenceLength) return clauseEnd(view);
    // What the view cuts off may belong to the sentence.
    const whole = end < view.length || (complete && view.length === text.length);
    return whole ? skipBlanks(text, end) : clauseEnd(view);
  }

  /** Whether the sentence goes on behind a place that Unicode's rules take for its end. */
  #goesOn(before: string, after: string): boolean {
    if (after.trim() === '') return false;
    const [, word = ''] = WORD_BEFORE_STOP.exec(before.slice(-40)) ?? [];
    const { abbreviations, finalAbbreviations } = this.#rules;
    const initial = /^(?:\p{L}\p{M}*\.)*\p{Lu}\p{M}*$/u.test(word);
    const key = `${word}.`;
    const lower = key.toLowerCase();
    // EE. UU., p. ej.
    const next = after.replace(/\s/g, '').toLowerCase();
    const begins = (name: string) =>
      name.startsWith(lower) && name !== lower && next.startsWith(name.slice(lower.length));
    if (word !== '' && Object.keys(abbreviations).some(begins)) return true;
    if (Object.hasOwn(abbreviations, key) || Object.hasOwn(abbreviations, lower))
      return !(finalAbbreviations.has(key) && CAPITAL_NEXT.test(after));
    if (initial) return true;
    // `¿Por qué? preguntó.`, and what is no sentence by itself: a dash, an ellipsis at the start.
    return /^\p{Ll}/u.test(after) || !/[\p{L}\p{N}]/u.test(before);
  }
}

/** Where a blank line, a heading or a list item ends the paragraph, else the end of the text. */
function paragraphEnd(text: string, column: number): number {
  let lineStart = 0;
  for (const found of text.matchAll(LINE_BREAK)) {
    if (found.index < lineStart) continue;
    const { ends, at } = lineEnd(text, found.index, lineStart, lineStart === 0 ? column : 0);
    if (ends) return at;
    lineStart = at;
  }
  return text.length;
}
