import { fold } from '../folding.ts';
import { matchAt } from '../patterns.ts';
import {
  clauseEnd,
  itemNumber,
  lineEnd,
  listed,
  maxSentenceLength,
  sentenceWindow,
  skipWhitespace,
} from '../segments.ts';
import { endsInitial, letterNameChain } from './letter-names.ts';
import { monthNames, shortMonths } from './months.ts';
import type { LanguageRules } from './rules.ts';
import { isDayNext, weekdayNames } from './weekdays.ts';

const LINE_BREAK = /[\n\r\u2028\u2029]/g;
const WORD_BEFORE_STOP = /([\p{L}\p{M}][\p{L}\p{M}.]*)\.\s*$/u;
/** उ. प्र. */
const PAIR_BEFORE_STOP = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{1,6}\.\s[\p{L}\p{M}]{1,6}\.)\s*$/u;
const COUNTED = /(?:\d|[\dIVX](?:er|e|ème)|\/)\s?[\p{L}\p{M}]+\.\s*$/u;
const DOTTED = /(?<![\p{L}\p{M}.])[\p{L}\p{M}.]+$/u;
const NUMBER_NEXT = /^\s*(?:(?:de\s)?[-−(]?\d|\p{Lu}{1,3}-?\d|[IVXLC]{1,8}(?![\p{L}\d])|\p{Lu}(?![\p{L}\d.]))/u;
/** Sr(a). Silva */
const TITLE_BEFORE = /(?<!\p{L})(?:Sr|Dr|Prof|Ilm[oa]|Exm[oa])\(a\)\.\s*$/u;
/** French writes a space before a closing quotation mark. */
const CLOSING = /[»”)\]]{1,6}\s*/y;
/** Before a letter that is no initial: 20 °C. */
const PART_BEFORE = /[°º₀-₉]\s?$|\d-$/;
const WORD_BEFORE = /([\p{L}\p{M}]+)\s$/u;
/** A time zone after a time. */
const ZONE_NEXT = /^\s*[([]?(?:UTC|GMT|CES?T|WES?T|[ECMP][SD]T|BRT|IST)(?!\p{L})/u;
const CAPITAL_NEXT = /^[^\p{L}\p{N}]*\p{Lu}/u;

/** What a shop is on the day that a weekday abbreviates, and Hindi words after it. */
const CLOSED_NEXT =
  /^\s?(?:(?:cerrad[oa]s?|chius[oaie]|fermée?s?|fechad[oa]s?)(?!\p{L})|(?:बंद|अवकाश|छुट्टी|को|से|तक|और|व|या|का|की|के|सुबह|शाम|दोपहर|रात)(?![\p{L}\p{M}]))/iu;

/** Cuts sentences by Unicode's rules (https://unicode.org/reports/tr29/), except after abbreviations and initials. */
export class SentenceSegmenter {
  readonly #rules: LanguageRules;
  readonly #shortMonths: ReadonlyMap<string, string>;
  readonly #weekdays: ReadonlyMap<string, string>;
  readonly #months: readonly string[];
  readonly #segmenter: Intl.Segmenter;
  readonly #initials: RegExp | undefined;

  constructor(rules: LanguageRules) {
    this.#rules = rules;
    this.#shortMonths = shortMonths(rules);
    this.#weekdays = weekdayNames(rules.tag);
    this.#months = monthNames(rules.tag, 'long');
    this.#initials = letterNameChain(rules);
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

  /** Whether the sentence continues after an end by Unicode's rules. */
  #continues(written: string, rest: string): boolean {
    if (rest.trim() === '') return false;
    // The abbreviations are in usual characters.
    const before = fold(written.slice(-80)).text;
    const after = fold(rest.slice(0, 80)).text;
    const view = before.slice(-40);
    const found = WORD_BEFORE_STOP.exec(view);
    const word = found?.[1] ?? '';
    const isLetter =
      PART_BEFORE.test(view.slice(0, found?.index)) || this.#isNumeral(word, view.slice(0, found?.index));
    const { abbreviations, counted, finalAbbreviations, numberedAbbreviations } = this.#rules;
    // II. Métodos
    if (view === written && /\.\s*$/.test(view) && itemNumber.test(view.replace(/\.\s*$/, ''))) return true;
    // dom. cerrado
    if (this.#weekdays.has(word.toLowerCase()) && CLOSED_NEXT.test(after)) return true;
    // a != b, 5! = 120
    if (view.trimEnd().endsWith('!') && /^\s?=/.test(after)) return true;
    // `¿Por qué? preguntó.`
    if (/^\p{Ll}/u.test(after)) return true;
    if (this.#shortMonths.has(word.toLowerCase()) && /^\s*\d/.test(after)) return true;
    if (this.#weekdays.has(word.toLowerCase()) && isDayNext(` ${after.trimStart()}`, this.#months)) return true;
    const isInitials = !isLetter && /^(?:\p{L}\p{M}*\.)*\p{Lu}\p{M}*$/u.test(word);
    const pair = PAIR_BEFORE_STOP.exec(before.slice(-40))?.[1]?.replace(/\s/g, '');
    const key = pair !== undefined && Object.hasOwn(abbreviations, pair) ? pair : `${word}.`;
    const lower = key.toLowerCase();
    // EE. UU., p. ej.
    const next = after.replace(/\s/g, '').toLowerCase();
    const begins = (name: string) =>
      name.startsWith(lower) && name !== lower && next.startsWith(name.slice(lower.length));
    if (word !== '' && Object.keys(abbreviations).some((name) => begins(name.toLowerCase()))) return true;
    // S. is a title where s. is a century.
    const isTitle = key !== lower && Object.hasOwn(abbreviations, key);
    if (TITLE_BEFORE.test(view)) return true;
    if (numberedAbbreviations.has(lower) && !isTitle && !isInitials) return NUMBER_NEXT.test(after);
    if (Object.hasOwn(abbreviations, key) || Object.hasOwn(abbreviations, lower))
      return !(finalAbbreviations.has(key) && CAPITAL_NEXT.test(after)) || ZONE_NEXT.test(after);
    if (isLetter && /^\p{Lu}+$/u.test(word)) return false;
    if (isInitials || endsInitial(this.#rules, before, after) || this.#isInChain(before, after)) return true;
    if (counted && Object.hasOwn(counted, key) && COUNTED.test(before)) return !CAPITAL_NEXT.test(after);
    // Marks alone: a dash, an ellipsis at the start.
    return !/[\p{L}\p{N}]/u.test(written);
  }

  /** Whether a word is a Roman numeral after a word that it numbers: Capítulo I. */
  #isNumeral(word: string, before: string): boolean {
    const noun = WORD_BEFORE.exec(before)?.[1]?.toLowerCase();
    return noun !== undefined && /^[IVXLC]+$/.test(word) && this.#rules.numbered.has(noun);
  }

  /** Whether initials without spaces, such as `बी.जे.पी.`, reach the end of `before` or continue after it. */
  #isInChain(before: string, after: string): boolean {
    const view = before.slice(-40).replace(/[)\]"”»\s]+$/, '');
    const start = DOTTED.exec(view)?.index;
    if (!this.#initials || start === undefined) return false;
    const chain = matchAt(this.#initials, before.slice(-40) + after.slice(0, 40), start)?.[0];
    return chain !== undefined && start + chain.length >= view.length;
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
