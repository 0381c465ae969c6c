import { clauseAround, isInEquation } from '../equations.ts';
import { fold, unfolded } from '../folding.ts';
import { type Pronunciation, pronunciationMark, type SentenceRules } from '../language.ts';
import { defaultNormalization } from '../normalization.ts';
import { matchAt } from '../patterns.ts';
import { englishPhonemes } from '../phoneme-input.ts';
import { textSegments } from '../segments.ts';
import { transliterate } from '../transliteration.ts';
import type { NormalizationOptions, SpokenToken, TextInput, TextSegment } from '../types.ts';
import { possessiveSound } from '../user-lexicon.ts';
import { matchAbbreviation } from './normalize/abbreviations.ts';
import { joinsRange, subtracts } from './normalize/dashes.ts';
import { matchEmoticon } from './normalize/emoticons.ts';
import { matchFractionCharacter } from './normalize/fractions.ts';
import { matchColor, matchIdentifier } from './normalize/identifiers.ts';
import { matchInches } from './normalize/lengths.ts';
import { matchMoney } from './normalize/money.ts';
import { matchStandard, matchVersion } from './normalize/numbered-names.ts';
import { matchNumeral, matchOtherNumeral } from './normalize/numerals.ts';
import { matchOption } from './normalize/options.ts';
import { matchPhoneNumber } from './normalize/phones.ts';
import { matchPoint } from './normalize/points.ts';
import { matchRomanCharacters, matchRomanNumeral } from './normalize/roman.ts';
import { type Context, firstMatch, type Match, type Rule } from './normalize/rule.ts';
import { sentenceEnd } from './normalize/sentence-end.ts';
import { matchSlashWord } from './normalize/slashes.ts';
import { punctuation } from './normalize/symbol-names.ts';
import { isFactorial, matchSymbol } from './normalize/symbols.ts';
import { matchDegrees, matchUnit } from './normalize/units.ts';
import { matchWebAddress } from './normalize/web-addresses.ts';
import { isAllCaps, matchWord } from './normalize/words.ts';

/** Cuts an English text into sentences and pauses, as `LanguageText.segments`. */
export function englishSegments(text: TextInput, options: NormalizationOptions): Generator<TextSegment> {
  return textSegments(text, options, sentenceRules);
}

/**
 * The spoken words of a whole English text, as one string. It leaves pauses out; a word with a given pronunciation stays
 * as written.
 * @param options defaults to `defaultNormalization`, option by option
 */
export function spokenText(text: string, options: Partial<NormalizationOptions> = {}): string {
  const spoken: string[] = [];
  for (const segment of englishSegments(text, { ...defaultNormalization, ...options })) {
    if (segment.type === 'sentence') spoken.push(...segment.tokens.map((token) => token.spoken).filter(Boolean));
  }
  return spoken.join(' ');
}

/** Builds tokens from written and spoken text; whitespace ends a token. */
class TokenList {
  readonly tokens: SpokenToken[] = [];
  #written = '';
  #spoken = '';

  /** @param words empty if silent */
  add(written: string, words: string): void {
    if (words && '—…'.includes(this.#last) && /\p{L}/u.test(this.#spoken)) this.endToken();
    this.#written += written;
    const isJoined = '(“'.includes(this.#last) || /^["“(]*$/.test(this.#spoken);
    if (words) this.#spoken += (isJoined ? '' : ' ') + words;
  }

  /** Adds punctuation to the word before it, or to the word that follows. */
  addPunctuation(written: string, mark: string): void {
    const isOpening = /[(“]/.test(mark) && !'(“'.includes(this.#last);
    this.#written += written;
    const isRepeated = this.#spoken.endsWith(mark) && !/\p{L}/u.test(mark);
    if (mark && !isRepeated) this.#spoken += (isOpening ? ' ' : '') + mark;
  }

  /** The last spoken character; empty at the start of a token, so that every string includes it. */
  get #last(): string {
    return this.#spoken.slice(-1);
  }

  addPronunciation({ written, ...reading }: Pronunciation): void {
    this.endToken();
    if (reading.tokens) this.tokens.push(...reading.tokens);
    else this.tokens.push({ written, spoken: written, ipa: englishPhonemes(reading.ipa) });
  }

  endToken(): void {
    if (this.#written) this.tokens.push({ written: this.#written, spoken: this.#spoken });
    this.#written = '';
    this.#spoken = '';
  }
}

const whitespace = /[\s\u200B\u2028\u2029\u0085]+/y;
const nonWhitespace = /[^\s\uFFFC]+/y;
const possessive = /['’]s(?![\p{L}\d])/uy;
const dots = /(?:[.…]\s?){1,20}/y;
const hyphens = /-{2,}|–|‒/y;
const optionalPlural = /\((e?s)\)(?!\p{L})/uy;
const otherWord = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/uy;

/**
 * The tokens of a sentence, as `SentenceRules.tokens`.
 * @param pronunciations one for each `pronunciationMark` in the text; other marks are text
 */
export function sentenceTokens(
  source: string,
  pronunciations: readonly Pronunciation[],
  options: NormalizationOptions,
): SpokenToken[] {
  const folded = options.normalize ? fold(source) : unfolded(source);
  const { text } = folded;
  const list = new TokenList();
  const byIndex = new Map(pronunciations.map((each) => [each.index, each]));
  const allCaps = isAllCaps(text);
  let previous = '';
  for (let index = 0; index < text.length; ) {
    const gap = matchAt(whitespace, text, index);
    if (gap) {
      list.endToken();
      index += gap[0].length;
      continue;
    }
    const pronunciation = text[index] === pronunciationMark ? byIndex.get(folded.sourceOf(index)) : undefined;
    if (pronunciation) {
      index++;
      const ending = pronunciation.tokens ? '' : (matchAt(possessive, text, index)?.[0] ?? '');
      index += ending.length;
      list.addPronunciation(ending ? withPossessive(pronunciation as Sounded, ending) : pronunciation);
      previous = pronunciation.written;
      continue;
    }
    if (!options.normalize) {
      const chunk = matchAt(nonWhitespace, text, index)?.[0] ?? text[index]!;
      list.add(chunk, chunk);
      index += chunk.length;
      continue;
    }
    const context: Context = { text, index, previous, allCaps, options };
    const emoticon = matchEmoticon(context);
    if (emoticon !== undefined) {
      list.add(folded.written(index, emoticon), '');
      index = emoticon;
      continue;
    }
    const point = matchPoint(context) ?? matchInches(context) ?? matchOption(context);
    const punctuationMatch = point ? undefined : matchPunctuation(context);
    if (punctuationMatch) {
      list.addPunctuation(folded.written(index, punctuationMatch.end), punctuationMatch.words);
      index = punctuationMatch.end;
      continue;
    }
    const { end, words } = point ?? matchText(context);
    list.add(folded.written(index, end), words);
    const core = /[\p{L}\p{N}$£€¥](?:.*[\p{L}\p{N}])?/su.exec(text.slice(index, end))?.[0];
    if (core) previous = core;
    index = end;
  }
  list.endToken();
  return list.tokens;
}

function withPossessive({ index, written, ipa }: Sounded, ending: string): Pronunciation {
  return { index, written: written + ending, ipa: ipa + possessiveSound(ipa) };
}

type Sounded = Extract<Pronunciation, { tokens?: undefined }>;

/** How English cuts sentences and reads them. */
const sentenceRules: SentenceRules = {
  sentenceEnd,
  tokens: sentenceTokens,
  // Four digits without a comma are a year.
  cardinal: (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, ','),
  ordinal: (digits) => digits + ordinalSuffix(digits),
};

function ordinalSuffix(digits: string): string {
  if (/1[123]$/.test(digits)) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[digits.at(-1)!] ?? 'th';
}

const digitRules: readonly Rule[] = [matchIdentifier, matchWebAddress, matchMoney, matchNumeral];
const letterRules: readonly Rule[] = [
  matchUnit,
  matchIdentifier,
  matchSlashWord,
  matchMoney,
  matchWebAddress,
  matchStandard,
  matchRomanNumeral,
  matchAbbreviation,
  matchVersion,
  matchWord,
  matchOtherNumeral,
  matchOtherWord,
];
const symbolRules: readonly Rule[] = [
  matchMoney,
  matchColor,
  matchFractionCharacter,
  matchDegrees,
  matchPhoneNumber,
  matchRomanCharacters,
  matchOtherNumeral,
];

function matchText(context: Context): Match {
  const { text, index } = context;
  const isNumeral = /[0-9]/.test(text[index]!) || (text[index] === '.' && /^\.\d/.test(text.slice(index, index + 2)));
  if (isNumeral) return firstMatch(digitRules, context) ?? matchSymbol(context);
  const isLetter = /^[\p{L}\p{M}]/u.test(String.fromCodePoint(text.codePointAt(index)!));
  if (isLetter) return firstMatch(letterRules, context) ?? matchSymbol(context);
  return firstMatch(symbolRules, context) ?? matchSymbol(context);
}

function matchOtherWord({ text, index }: Context): Match | undefined {
  const match = matchAt(otherWord, text, index)?.[0];
  return match ? { end: index + match.length, words: transliterate(match) } : undefined;
}

/** Punctuation, with its spoken form. */
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
  // `f'(x)`
  if (
    /['’′]/.test(character) &&
    text[index + 1] === '(' &&
    /(?:^|[^\p{L}])[a-z]$/iu.test(text.slice(Math.max(0, index - 2), index))
  ) {
    return { end: index + 1, words: ' prime' };
  }
  if (/['’‘‚‛`´‹›]/.test(character)) return { end: index + 1, words: '' };
  if (character === '.' || character === '…') {
    const run = matchAt(dots, text, index)![0].trimEnd();
    if (run === '.' && isAbbreviating(text, index)) return { end: index + 1, words: '' };
    return { end: index + run.length, words: run === '.' ? '.' : '…' };
  }
  const dashes = matchAt(hyphens, text, index)?.[0];
  if (dashes && !(dashes.length === 1 && isJoining(context)) && text[index + dashes.length] !== '>') {
    return { end: index + dashes.length, words: dashes.length > 6 ? '' : '—' };
  }
  const isAlone = character === '-' && /\s/.test(text[index - 1] ?? '') && /\s/.test(text[index + 1] ?? '');
  if (isAlone && context.previous !== '' && !isJoining(context)) return { end: index + 1, words: '—' };
  if (
    !Object.hasOwn(punctuation, character) ||
    (character === '!' && (text[index + 1] === '=' || isFactorial(text, index))) ||
    text.startsWith('::', index)
  )
    return undefined;
  const isSeparator =
    /[·•]/.test(character) && context.previous !== '' && /^\s.\s/.test(text.slice(index - 1, index + 2));
  if (isSeparator) return isInEquation(...clauseAround(text, index)) ? undefined : { end: index + 1, words: '—' };
  if (character === '·' && /^\d·\d$/.test(text.slice(index - 1, index + 2))) return undefined;
  return { end: index + 1, words: punctuation[character]! };
}

/** A number or letter of a list item, or a letter that may end a thought: `plan b. then` */
const itemOrLetter = /^\s*\(?(?:[A-Za-z]|[ivx]{1,4})$|(?<!\p{L})\p{Ll}$/u;

/** Whether a full stop abbreviates the word before it: within a sentence, or before a comma, it is no pause. */
function isAbbreviating(text: string, index: number): boolean {
  if (!/\p{L}/u.test(text[index - 1] ?? '')) return false;
  if (/[,;:]/.test(text[index + 1] ?? '')) return true;
  const isWithin = /^\s+[^\s"'”’)\]}»*_]/.test(text.slice(index + 1, index + 12));
  return isWithin && !itemOrLetter.test(text.slice(Math.max(0, index - 12), index));
}

/** Whether a dash between numbers or in a calculation is spoken. */
function isJoining({ text, index, previous }: Context): boolean {
  if (joinsRange(text, index, index + 1)) return true;
  const after = /^\s{0,2}[$£€¥]?\.?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(text.slice(index + 1, index + 6));
  const close = !/\s/.test(text[index - 1] ?? ' ') && !/\s/.test(text[index + 1] ?? ' ');
  if (/^[$£€¥]?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(previous) && after)
    return close || /[\d%½⅓⅔¼¾⅛⅜⅝⅞]\s$/.test(text.slice(Math.max(0, index - 2), index));
  return (
    subtracts(text, index) || (close && /^\p{L}+$/u.test(previous) && text[index] === '–' && /^[A-Z]/.test(previous))
  );
}
