import { matchAt } from '../../control-tokens.ts';
import type { Pronunciation } from '../../language.ts';
import { transliterate } from '../../transliteration.ts';
import type { NormalizationOptions, SpokenToken } from '../../types.ts';
import { possessiveSound } from '../../user-lexicon.ts';
import { readAbbreviation } from './abbreviations.ts';
import { readMoney } from './money.ts';
import { readFractionCharacter, readNumeral, readOtherNumeral, readPhoneNumber } from './numerals.ts';
import { firstReading, type Place, type Reader, type Reading } from './reading.ts';
import { punctuation, readSlashWord, readSymbol } from './symbols.ts';
import { readDegrees, readUnit } from './units.ts';
import { readWebAddress } from './web-addresses.ts';
import { isShouting, readRomanNumeral, readWord } from './words.ts';

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
  const shouting = isShouting(text);
  let previous = '';
  for (let at = 0; at < text.length; ) {
    const gap = matchAt(blank, text, at);
    if (gap) {
      list.endToken();
      at += gap[0].length;
      continue;
    }
    const pronunciation = given.get(at);
    if (pronunciation) {
      at++;
      const ending = matchAt(possessive, text, at)?.[0] ?? '';
      at += ending.length;
      list.pronounce(ending ? withPossessive(pronunciation, ending) : pronunciation);
      previous = pronunciation.written;
      continue;
    }
    if (!options.normalize) {
      const chunk = matchAt(notBlank, text, at)?.[0] ?? text[at]!;
      list.say(chunk, chunk);
      at += chunk.length;
      continue;
    }
    const place: Place = { text, at, previous, shouting, options };
    const marked = readPunctuation(place);
    if (marked) {
      list.mark(text.slice(at, marked.end), marked.words);
      at = marked.end;
      continue;
    }
    const { end, words } = read(place);
    const written = text.slice(at, end);
    list.say(written, words);
    const core = /[\p{L}\p{N}$£€¥](?:.*[\p{L}\p{N}])?/su.exec(written)?.[0];
    if (core) previous = core;
    at = end;
  }
  list.endToken();
  return list.tokens;
}

function withPossessive({ index, written, ipa }: Pronunciation, ending: string): Pronunciation {
  return { index, written: written + ending, ipa: ipa + possessiveSound(ipa) };
}

const digitReaders: readonly Reader[] = [readWebAddress, readMoney, readNumeral];
const letterReaders: readonly Reader[] = [
  readUnit,
  readSlashWord,
  readMoney,
  readWebAddress,
  readRomanNumeral,
  readAbbreviation,
  readVersion,
  readWord,
  readOtherNumeral,
  readOtherWord,
];
const symbolReaders: readonly Reader[] = [
  readMoney,
  readFractionCharacter,
  readDegrees,
  readPhoneNumber,
  readOtherNumeral,
];

function read(place: Place): Reading {
  const { text, at } = place;
  const numeral = /[0-9]/.test(text[at]!) || (text[at] === '.' && /^\.\d/.test(text.slice(at, at + 2)));
  if (numeral) return firstReading(digitReaders, place) ?? readSymbol(place);
  const letter = /^[\p{L}\p{M}]/u.test(String.fromCodePoint(text.codePointAt(at)!));
  if (letter) return firstReading(letterReaders, place) ?? readSymbol(place);
  return firstReading(symbolReaders, place) ?? readSymbol(place);
}

const version = /v\.?(?=\d)/iy;

/** The v of `v2.0`. */
function readVersion({ text, at }: Place): Reading | undefined {
  const found = matchAt(version, text, at);
  if (!found || /[\p{L}\d]/u.test(text[at - 1] ?? '')) return undefined;
  return { end: at + found[0].length, words: 'version' };
}

function readOtherWord({ text, at }: Place): Reading | undefined {
  const found = matchAt(otherWord, text, at)?.[0];
  return found ? { end: at + found.length, words: transliterate(found) } : undefined;
}

/** Punctuation, in the form that shapes the sentence; equal marks in a row count once. */
function readPunctuation(place: Place): Reading | undefined {
  const { text, at, options } = place;
  const character = text[at]!;
  if (character === '(') {
    const plural = options.optional_pluralization_normalization && /\p{L}/u.test(text[at - 1] ?? '');
    const found = plural ? matchAt(optionalPlural, text, at) : undefined;
    if (found) return { end: at + found[0].length, words: found[1]! };
    if (options.phone_normalization && readPhoneNumber(place)) return undefined;
  }
  if (character === '.' && /\d/.test(text[at + 1] ?? '') && !/[\p{L}\d]/u.test(text[at - 1] ?? '')) return undefined;
  if (matchAt(possessive, text, at) && /[\p{L}\d.™®]/u.test(text[at - 1] ?? '')) return { end: at + 2, words: "'s" };
  if (/['’‘‚‛`´‹›]/.test(character)) return { end: at + 1, words: '' };
  if (character === '.' || character === '…') {
    const run = matchAt(dots, text, at)![0].trimEnd();
    return { end: at + run.length, words: run === '.' ? '.' : '…' };
  }
  const dashes = matchAt(hyphens, text, at)?.[0];
  if (dashes && !(dashes.length === 1 && isJoining(place)) && text[at + dashes.length] !== '>') {
    return { end: at + dashes.length, words: dashes.length > 6 ? '' : '—' };
  }
  const lone = character === '-' && /\s/.test(text[at - 1] ?? '') && /\s/.test(text[at + 1] ?? '');
  if (lone && place.previous !== '' && !isJoining(place)) return { end: at + 1, words: '—' };
  if (!Object.hasOwn(punctuation, character) || (character === '!' && text[at + 1] === '=')) return undefined;
  return { end: at + 1, words: punctuation[character]! };
}

/** Whether a dash stands between numbers, or in a calculation, and so is said. */
function isJoining({ text, at, previous }: Place): boolean {
  const after = /^\s{0,2}[$£€¥]?\.?\d/.test(text.slice(at + 1, at + 6));
  const close = !/\s/.test(text[at - 1] ?? ' ') && !/\s/.test(text[at + 1] ?? ' ');
  if (/^[$£€¥]?\d/.test(previous) && after) return close || /[\d%]\s$/.test(text.slice(Math.max(0, at - 2), at));
  return text.includes('=') || (close && /^\p{L}+$/u.test(previous) && text[at] === '–' && /^[A-Z]/.test(previous));
}
