import { emoticonEnd } from '../emoticons.ts';
import { firstMatch } from '../first-match.ts';
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
import { isAllCaps } from './normalize/acronyms.ts';
import { matchMove } from './normalize/chess.ts';
import { matchChord } from './normalize/chords.ts';
import { matchCitation } from './normalize/citations.ts';
import { matchGroupedFormula } from './normalize/formulas.ts';
import { matchFractionCharacter } from './normalize/fractions.ts';
import { matchColor, matchIdentifier } from './normalize/identifiers.ts';
import { matchInches } from './normalize/lengths.ts';
import { matchMathematics } from './normalize/mathematics.ts';
import { matchMoney } from './normalize/money.ts';
import { matchStandard, matchVersion } from './normalize/numbered-names.ts';
import { matchNumeral, matchOtherNumeral } from './normalize/numerals.ts';
import { matchOperator } from './normalize/operators.ts';
import { matchOption } from './normalize/options.ts';
import { matchPhoneNumber } from './normalize/phones.ts';
import { matchPoint } from './normalize/points.ts';
import { matchElision, matchFootnote, matchOldMoney, matchReference, matchStammer } from './normalize/printed-books.ts';
import { matchPunctuation, possessive } from './normalize/punctuation.ts';
import { matchRomanCharacters, matchRomanNumeral } from './normalize/roman.ts';
import type { Context, Match, Rule } from './normalize/rule.ts';
import { sentenceEnd } from './normalize/sentence-end.ts';
import { matchSlashWord } from './normalize/slash-words.ts';
import { matchUnknownExponent } from './normalize/superscripts.ts';
import { matchSymbol } from './normalize/symbols.ts';
import { matchDegrees } from './normalize/temperatures.ts';
import { transcriptionAt } from './normalize/transcriptions.ts';
import { matchUnit } from './normalize/units.ts';
import { matchWebAddress } from './normalize/web-addresses.ts';
import { matchWord } from './normalize/words.ts';

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
    const transcription = transcriptionAt(text, index);
    if (transcription) {
      const { end, ipa } = transcription;
      list.addPronunciation({ index, written: folded.written(index, end), ipa });
      index = end;
      continue;
    }
    const context: Context = { text, index, previous, allCaps, options };
    const emoticon = emoticonEnd(text, index, previous === '');
    if (emoticon !== undefined) {
      list.add(folded.written(index, emoticon), '');
      index = emoticon;
      continue;
    }
    const point =
      matchPoint(context) ??
      matchInches(context) ??
      matchOption(context) ??
      matchMathematics(context) ??
      matchOperator(context) ??
      matchFootnote(context);
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

const digitRules: readonly Rule[] = [matchIdentifier, matchWebAddress, matchMoney, matchOldMoney, matchNumeral];
const letterRules: readonly Rule[] = [
  matchUnknownExponent,
  matchMove,
  matchChord,
  matchGroupedFormula,
  matchCitation,
  matchUnit,
  matchIdentifier,
  matchSlashWord,
  matchMoney,
  matchWebAddress,
  matchStandard,
  matchElision,
  matchStammer,
  matchReference,
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
