import type { Pronunciation } from '../../language.ts';
import { matchAt } from '../../patterns.ts';
import { transliterate } from '../../transliteration.ts';
import type { NormalizationOptions, SpokenToken } from '../../types.ts';
import { possessiveSound } from '../../user-lexicon.ts';
import { matchAbbreviation } from './abbreviations.ts';
import { isAllCaps } from './acronyms.ts';
import { matchMoney } from './money.ts';
import { matchFractionCharacter, matchNumeral, matchOtherNumeral } from './numerals.ts';
import { matchPhoneNumber } from './phone-numbers.ts';
import { matchRomanNumeral } from './roman-numerals.ts';
import { type Context, firstMatch, type Match, type Rule } from './rule.ts';
import { punctuation } from './symbol-names.ts';
import { matchSlashWord, matchSymbol } from './symbols.ts';
import { matchDegrees, matchUnit } from './units.ts';
import { matchWebAddress } from './web-addresses.ts';
import { matchWord } from './words.ts';

/** Collects what is written and said; a blank ends a token. */
class TokenList {
  readonly tokens: SpokenToken[] = [];
  #written = '';
  #spoken = '';

  /** @param words empty: the written is kept, and nothing is said */
  say(written: string, words: string): void {
    if (words && '—…'.includes(this.#last) && /\p{L}/u.test(this.#spoken)) this.endToken();
    this.#written += written;
    const joins = '(“'.includes(this.#last) || /^["“(]*$/.test(this.#spoken);
    if (words) this.#spoken += (joins ? '' : ' ') + words;
  }

  /** What belongs to the word before it without a blank, or to the word that follows. */
  mark(written: string, punctuation: string): void {
    const opens = /[(“]/.test(punctuation) && !'(“'.includes(this.#last);
    this.#written += written;
    const repeated = this.#spoken.endsWith(punctuation) && !/\p{L}/u.test(punctuation);
    if (punctuation && !repeated) this.#spoken += (opens ? ' ' : '') + punctuation;
  }

  /** The last character that is said; empty at the start of a token, and so part of any list of characters. */
  get #last(): string {
    return this.#spoken.slice(-1);
  }

  pronounce({ written, ipa }: Pronunciation): void {
    this.endToken();
    this.tokens.push({ written, spoken: written, ipa });
  }

  endToken(): void {
    if (this.#written) this.tokens.push({ written: this.#written, spoken: this.#spoken });
    this.#written = '';
    this.#spoken = '';
  }
}

const blank = /[\s\u200B\u2028\u2029\u0085]+/y;
const notBlank = /[^\s\uFFFC]+/y;
const possessive = /['’]s(?![\p{L}\d])/uy;
const dots = /(?:[.…]\s?){1,20}/y;
const hyphens = /-{2,}|–|‒/y;
const optionalPlural = /\((e?s)\)(?!\p{L})/uy;
const otherWord = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/uy;

/**
 * The tokens of a sentence, in order: what is written, and what is said for it.
 * @param pronunciations what the pronunciation marks in the text stand for; a mark that is not listed is text
 */
export function sentenceTokens(
  text: string,
  pronunciations: readonly Pronunciation[],
  options: NormalizationOptions,
): SpokenToken[] {
  const list = new TokenList();
  const given = new Map(pronunciations.map((each) => [each.index, each]));
  const allCaps = isAllCaps(text);
  let previous = '';
  for (let index = 0; index < text.length; ) {
    const gap = matchAt(blank, text, index);
    if (gap) {
      list.endToken();
      index += gap[0].length;
      continue;
    }
    const pronunciation = given.get(index);
    if (pronunciation) {
      index++;
      const ending = matchAt(possessive, text, index)?.[0] ?? '';
      index += ending.length;
      list.pronounce(ending ? withPossessive(pronunciation, ending) : pronunciation);
      previous = pronunciation.written;
      continue;
    }
    if (!options.normalize) {
      const chunk = matchAt(notBlank, text, index)?.[0] ?? text[index]!;
      list.say(chunk, chunk);
      index += chunk.length;
      continue;
    }
    const context: Context = { text, index, previous, allCaps, options };
    const marked = matchPunctuation(context);
    if (marked) {
      list.mark(text.slice(index, marked.end), marked.words);
      index = marked.end;
      continue;
    }
    const { end, words } = read(context);
    const written = text.slice(index, end);
    list.say(written, words);
    const core = /[\p{L}\p{N}$£€¥](?:.*[\p{L}\p{N}])?/su.exec(written)?.[0];
    if (core) previous = core;
    index = end;
  }
  list.endToken();
  return list.tokens;
}

function withPossessive({ index, written, ipa }: Pronunciation, ending: string): Pronunciation {
  return { index, written: written + ending, ipa: ipa + possessiveSound(ipa) };
}

const digitRules: readonly Rule[] = [matchWebAddress, matchMoney, matchNumeral];
const letterRules: readonly Rule[] = [
  matchUnit,
  matchSlashWord,
  matchMoney,
  matchWebAddress,
  matchRomanNumeral,
  matchAbbreviation,
  matchVersion,
  matchWord,
  matchOtherNumeral,
  matchOtherWord,
];
const symbolRules: readonly Rule[] = [
  matchMoney,
  matchFractionCharacter,
  matchDegrees,
  matchPhoneNumber,
  matchOtherNumeral,
];

function read(context: Context): Match {
  const { text, index } = context;
  const numeral = /[0-9]/.test(text[index]!) || (text[index] === '.' && /^\.\d/.test(text.slice(index, index + 2)));
  if (numeral) return firstMatch(digitRules, context) ?? matchSymbol(context);
  const letter = /^[\p{L}\p{M}]/u.test(String.fromCodePoint(text.codePointAt(index)!));
  if (letter) return firstMatch(letterRules, context) ?? matchSymbol(context);
  return firstMatch(symbolRules, context) ?? matchSymbol(context);
}

const version = /v\.?(?=\d)/iy;

/** The v of `v2.0`. */
function matchVersion({ text, index }: Context): Match | undefined {
  const match = matchAt(version, text, index);
  if (!match || /[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  return { end: index + match[0].length, words: 'version' };
}

function matchOtherWord({ text, index }: Context): Match | undefined {
  const match = matchAt(otherWord, text, index)?.[0];
  return match ? { end: index + match.length, words: transliterate(match) } : undefined;
}

/** Punctuation, in the form that shapes the sentence; equal marks in a row count once. */
function matchPunctuation(context: Context): Match | undefined {
  const { text, index, options } = context;
  const character = text[index]!;
  if (character === '(') {
    const plural = options.optional_pluralization_normalization && /\p{L}/u.test(text[index - 1] ?? '');
    const match = plural ? matchAt(optionalPlural, text, index) : undefined;
    if (match) return { end: index + match[0].length, words: match[1]! };
    if (options.phone_normalization && matchPhoneNumber(context)) return undefined;
  }
  if (character === '.' && /\d/.test(text[index + 1] ?? '') && !/[\p{L}\d]/u.test(text[index - 1] ?? ''))
    return undefined;
  if (matchAt(possessive, text, index) && /[\p{L}\d.™®]/u.test(text[index - 1] ?? ''))
    return { end: index + 2, words: "'s" };
  if (/['’‘‚‛`´‹›]/.test(character)) return { end: index + 1, words: '' };
  if (character === '.' || character === '…') {
    const run = matchAt(dots, text, index)![0].trimEnd();
    return { end: index + run.length, words: run === '.' ? '.' : '…' };
  }
  const dashes = matchAt(hyphens, text, index)?.[0];
  if (dashes && !(dashes.length === 1 && isJoining(context)) && text[index + dashes.length] !== '>') {
    return { end: index + dashes.length, words: dashes.length > 6 ? '' : '—' };
  }
  const lone = character === '-' && /\s/.test(text[index - 1] ?? '') && /\s/.test(text[index + 1] ?? '');
  if (lone && context.previous !== '' && !isJoining(context)) return { end: index + 1, words: '—' };
  if (!Object.hasOwn(punctuation, character) || (character === '!' && text[index + 1] === '=')) return undefined;
  return { end: index + 1, words: punctuation[character]! };
}

/** Whether a dash stands between numbers, or in a calculation, and so is said. */
function isJoining({ text, index, previous }: Context): boolean {
  const after = /^\s{0,2}[$£€¥]?\.?\d/.test(text.slice(index + 1, index + 6));
  const close = !/\s/.test(text[index - 1] ?? ' ') && !/\s/.test(text[index + 1] ?? ' ');
  if (/^[$£€¥]?\d/.test(previous) && after) return close || /[\d%]\s$/.test(text.slice(Math.max(0, index - 2), index));
  return text.includes('=') || (close && /^\p{L}+$/u.test(previous) && text[index] === '–' && /^[A-Z]/.test(previous));
}
