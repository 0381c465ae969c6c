import { maxPauseSeconds } from './control-tokens.ts';
import { InputReader } from './input-reader.ts';
import { pronunciationMark, type SentenceRules } from './language.ts';
import { Paragraphs } from './paragraphs.ts';
import { PartReader } from './part-reader.ts';
import { matchAt, partBefore, textBefore } from './patterns.ts';
import type { SentenceBuffer } from './sentence-buffer.ts';
import type { NormalizationOptions, SpokenToken, TextInput, TextSegment, TokenMark } from './types.ts';

/**
 * Cuts the input into sentences, pauses and marks, lazily: the first segment of a long text costs no more than its own
 * length. Skips silent sentences. A pause ends a sentence; pauses are cut to `maxPauseSeconds`, and empty ones dropped. A blank
 * line ends a paragraph.
 */
export function* textSegments(
  input: TextInput,
  options: NormalizationOptions,
  rules: SentenceRules,
): Generator<TextSegment> {
  const reader: SentenceBuffer =
    typeof input === 'string' ? new InputReader(input, options) : new PartReader(input, options, rules);
  const paragraphs = new Paragraphs();
  for (;;) {
    reader.fill(sentenceWindow);
    if (reader.text === '') {
      const goesOn = yield* untilPause(reader, paragraphs);
      if (!goesOn) return;
      continue;
    }
    const end = rules.sentenceEnd(reader.text, reader.lineOffset, reader.complete);
    const { text, pronunciations, marks } = reader.take(end);
    const tokens = rules.tokens(text, pronunciations, options);
    if (tokens.some(isSpoken)) {
      yield {
        type: 'sentence',
        tokens,
        ...(marks.length > 0 && { marks: tokenMarks(marks, text, tokens) }),
        ...(paragraphs.sentence() && { startsParagraph: true }),
      };
    } else for (const { name } of marks) yield { type: 'mark', name };
    if (endsWithBlankLine(text)) paragraphs.end();
  }
}

/** The marks after a text, and the pause that ended it. @returns false if the whole input ended */
function* untilPause(reader: SentenceBuffer, paragraphs: Paragraphs): Generator<TextSegment, boolean> {
  for (const { name } of reader.takeMarks()) yield { type: 'mark', name };
  const pause = reader.takePause();
  if (pause === undefined) return false;
  if (pause.endsParagraph) paragraphs.end();
  if (pause.seconds > 0) {
    yield { type: 'pause', seconds: Math.min(pause.seconds, maxPauseSeconds) };
    paragraphs.pause();
  }
  return true;
}

/** Whether a blank line is in the whitespace at the end of a text. */
export function endsWithBlankLine(text: string): boolean {
  return anyBlankLine.test(text.slice(text.trimEnd().length));
}

function isSpoken({ spoken, ipa }: SpokenToken): boolean {
  return ipa !== undefined || /[\p{L}\p{N}]/u.test(spoken);
}

/** Finds the token that each mark of a sentence precedes, by the written text. @param marks in order */
function tokenMarks(
  marks: readonly { index: number; name: string }[],
  text: string,
  tokens: readonly SpokenToken[],
): TokenMark[] {
  const placed: TokenMark[] = [];
  let position = 0;
  for (const [token, { written, ipa, caption }] of tokens.entries()) {
    if (caption === '') continue;
    const looked = ipa === undefined && caption === undefined ? written : pronunciationMark;
    const found = text.indexOf(looked, position);
    if (found >= 0) position = found + looked.length;
    while (placed.length < marks.length && marks[placed.length]!.index < position) {
      placed.push({ name: marks[placed.length]!.name, token });
    }
  }
  return [...placed, ...marks.slice(placed.length).map(({ name }) => ({ name, token: tokens.length }))];
}

/** In characters. A longer sentence is cut at a clause, at whitespace or, in an endless word, anywhere. */
export const maxSentenceLength = 400;
/** Characters after a possible end that the decision may depend on. */
const lookahead = 120;
/** Characters that `sentenceEnd` needs, unless the text ends before. */
export const sentenceWindow = maxSentenceLength + lookahead;

const candidate = /[.!?…。．！？｡।॥؟۔։።\n\r\u2028\u2029]/g;
const factorialBefore = /(?<![\p{L}\p{N}'’])n$/u;
const terminators = /(?:[.!?…]|\s(?=\.\s?\.)){1,60}/y;
const fullWidthDecimal = /[０-９]．[０-９]/y;
const spacelessTerminator = /[。．！？｡।॥؟۔։።]{1,20}["'”’」』》）)\]】]{0,6}/y;
/** The quotation is part of a longer sentence: 「はい。」と言った。 */
const quotationContinues = /[」』”’）)][とっを、，のに的]/y;
const closers = /(?:["'”’»)\]}*_]|\[\d{1,3}\]){0,12}/y;
const whitespace = /\s*/y;
/** `O-O` is a move of chess, and one word. */
const nextWord =
  /["'“‘«([{*_]{0,4}(O-O(?:-O)?(?![\p{L}\d-])|(?:[-−](?=\d))?[\p{L}\d$£€#@☐☑](?:[\p{L}\d'’.]|:(?=\d)){0,30}|[&+=/§¶~≈≤≥<>–—-])?/uy;
const wordBeforeStop = /[\p{L}\d][\p{L}\d.'’]*$/u;
const wordBefore = /([\p{L}\d]{1,30})\s{1,3}[\p{L}.]{1,20}$/u;
const lineBreak = /\r\n|[\n\r\u2028\u2029]/y;
const blankLine = /(?:\r\n|\n|\r(?!\n)|\u2028)[ \t\u00A0\u3000]{0,200}(?:\r\n|[\n\r\u2028])|\u2029/y;
const anyBlankLine = new RegExp(blankLine.source);
const listItem =
  /[ \t]{0,40}(?:[-*+–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4}|[IVX]{1,5})[.)])[ \t]+\S|[ \t]{0,8}(?:#{1,6}|>)[ \t]/y;
/** No space needs to follow these: `•milk`, `✅ done`. */
const bulletItem = /[ \t\u3000]{0,40}(?:[•‣◦▪●○■□◆◇▶►➤→①-⑳]|[・·](?![・·])|\p{Extended_Pictographic})/uy;
const listItemStart = /^\s*(?:[-*+•‣◦▪–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4}|[IVX]{1,5})[.)]|#{1,6})[ \t]/;
/** The number or letter that begins an item of a list, up to its full stop. */
export const itemNumber = /^\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4}|[IVX]{1,5})$/;
const capitalNext = /[ \t]{0,40}["'“‘([*_]{0,3}[\p{Lu}\d]/uy;
// A line that ends in one of these continues on the next. The words are English; every language uses them.
const unfinishedLine =
  /(?:[,;:–—-]|(?:^|\s)(?:the|an?|of|and|or|nor|but|to|in|on|at|for|with|by|from|is|was|are|were|as|that|than|my|his|her|its|our|their|your|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|St\.?))$/i;
// Han and kana have no capitals: the next line's indentation or a short line ends a sentence.
const ideographicNext = /[ \t]{0,8}["'“‘「『（]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/uy;
const shortIdeographicLine = /^[^\n]{0,14}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
/** In characters: a line of up to this length may be a heading, or a line of verse or of an address. */
const maxHeadingLength = 50;

/**
 * Whether a sentence may end at the full stop after a word: false after most abbreviations.
 * @param word as written, without its last full stop
 * @param next the word that follows, as written
 * @param previous the word before it, as written
 */
export type StopMayEnd = (word: string, next: string, previous: string) => boolean;

/** Makes a `SentenceRules.sentenceEnd` for any script, given the abbreviations of a language. */
export function sentenceEndRule(stopMayEnd: StopMayEnd): SentenceRules['sentenceEnd'] {
  return (text, lineOffset, complete) => {
    const view = text.slice(0, sentenceWindow);
    const limit = Math.min(view.length, maxSentenceLength);
    let lineStart = 0;
    candidate.lastIndex = 0;
    for (let match = candidate.exec(view); match && match.index < limit; match = candidate.exec(view)) {
      const { index } = match;
      const isLineBreak = /[\n\r\u2028\u2029]/.test(match[0]);
      const { ends, end } = isLineBreak
        ? lineEnd(view, index, lineStart, lineStart === 0 ? lineOffset : 0)
        : stopEnd(view, index, lineStart, stopMayEnd);
      if (ends) return skipWhitespace(view, end);
      if (isLineBreak) lineStart = end;
      candidate.lastIndex = end;
    }
    const isWhole = complete && view.length === text.length;
    return isWhole && view.length <= maxSentenceLength ? view.length : clauseEnd(view);
  };
}

interface PossibleEnd {
  ends: boolean;
  /** Index after the inspected characters. */
  end: number;
}

/** Index of the first character from `index` on that is no whitespace. */
export function skipWhitespace(text: string, index: number): number {
  return index + matchAt(whitespace, text, index)![0].length;
}

/**
 * Whether the line break at `index` ends a sentence.
 * @param lineStart index of the line in the text
 * @param lineOffset characters of the line before the text
 */
export function lineEnd(text: string, index: number, lineStart: number, lineOffset: number): PossibleEnd {
  const end = index + (matchAt(lineBreak, text, index)?.[0].length ?? 1);
  const isItemNext = matchAt(listItem, text, end) ?? matchAt(bulletItem, text, end);
  if (matchAt(blankLine, text, index) || isItemNext || text[end] === '\u3000') return { ends: true, end };
  const line = text.slice(lineStart, index).trimEnd();
  if (lineOffset === 0 && shortIdeographicLine.test(line) && matchAt(ideographicNext, text, end)) {
    return { ends: true, end };
  }
  const isShort = lineOffset + line.length <= maxHeadingLength || listItemStart.test(line);
  const ends = isShort && !unfinishedLine.test(line) && matchAt(capitalNext, text, end) !== undefined;
  return { ends, end };
}

function stopEnd(text: string, index: number, lineStart: number, stopMayEnd: StopMayEnd): PossibleEnd {
  if (text[index] === '．' && matchAt(fullWidthDecimal, text, index - 1)) return { ends: false, end: index + 1 };
  const spaceless = matchAt(spacelessTerminator, text, index);
  if (spaceless) {
    const end = index + spaceless[0].length;
    return { ends: !matchAt(quotationContinues, text, end - 1), end };
  }
  const stops = matchAt(terminators, text, index)?.[0].trimEnd() ?? text[index]!;
  const afterStops = index + stops.length;
  const closing = matchAt(closers, text, afterStops)![0];
  const end = afterStops + closing.length;
  if (end < text.length && !/\s/.test(text[end]!)) return { ends: false, end: afterStops };
  const gap = matchAt(whitespace, text, end)![0];
  const next = matchAt(nextWord, text, end + gap.length)?.[1] ?? '';
  const isLower = /^\p{Ll}/u.test(next);
  // `"Why?" he asked.`
  if (isLower && /["'”’»)]/.test(closing)) return { ends: false, end };
  if (stops === '.') {
    if (next === '') return { ends: true, end };
    if (itemNumber.test(text.slice(lineStart, index))) return { ends: false, end };
    return listed(text, index) ?? { ends: fullStopEnds(text, index, next, stopMayEnd), end };
  }
  // A factorial: `5! = 120`, `n! ways`
  const isFactorial = next === '=' || (isLower && factorialBefore.test(textBefore({ text, index }, 2)));
  if (stops === '!' && isFactorial) return { ends: false, end };
  if (/^[.…\s]+$/.test(stops)) return { ends: !isLower && !/^I(?:['’]\p{L}+)?$/u.test(next), end };
  return { ends: true, end };
}

/** Whether the full stop at `index` ends a sentence before the word `next`. */
function fullStopEnds(text: string, index: number, next: string, stopMayEnd: StopMayEnd): boolean {
  const isLower = /^\p{Ll}/u.test(next);
  const word = wordBeforeStop.exec(textBefore({ text, index }, 24))?.[0] ?? '';
  // The letter of `20 °C.`, `H₂O.` or `SB 12-A.` is not an initial.
  const isPart = word.length === 1 && partBefore.test(textBefore({ text, index: index - 1 }, 3));
  if (isPart && !isLower) return true;
  if (isLower && isInitials(word)) return false;
  const previous = wordBefore.exec(textBefore({ text, index }, 60))?.[1] ?? '';
  return stopMayEnd(word, next.replace(/[.’']+$/, ''), previous);
}

/**
 * The possible end at the stop after a number in a list that goes on in the line: `Steps: 1. Cut 2. Fold`. Each item is a
 * sentence. Undefined if it is no such number.
 */
export function listed(text: string, index: number): PossibleEnd | undefined {
  const [, digits] = /(?:^|\s|\D[:：])(\d{1,2})$/.exec(textBefore({ text, index }, 4)) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  const start = index - digits.length;
  const before = text.slice(0, start);
  const isFirst = number === 1 && /(?:(?<!\d)[:：]|[:：]\s+)\s*$/.test(before.slice(-4));
  if (isFirst && text.slice(index).search(/\s2\.\s/) > 0) return { ends: false, end: index + 1 };
  const opened = /(?:^|(?:(?<!\d)[:：]|[:：]\s)\s*)(\d{1,2})\.\s/.exec(before)?.[1];
  return opened !== undefined && Number(opened) === number - 1 ? { ends: true, end: start } : undefined;
}

function isInitials(word: string): boolean {
  return /^\p{L}(?:\.\p{L})*$/u.test(word);
}

const clauseStop = /[,;:—–)\]，、；：]["'”’」』]?(?=\s|[\u3000-\u9FFF])|—/g;

/** Index to cut an overlong sentence at: after its last clause, else after its last word. */
export function clauseEnd(text: string): number {
  const view = text.slice(0, maxSentenceLength);
  let cut = 0;
  for (const match of view.matchAll(clauseStop)) cut = match.index + match[0].length;
  if (cut < maxSentenceLength / 2) {
    const lastGap = view.search(/\s\S*$/);
    cut = lastGap > maxSentenceLength / 4 ? lastGap : cut || lastGap;
  }
  if (cut <= 0) {
    // Keep surrogate pairs whole.
    cut = /[\uD800-\uDBFF]$/.test(view) ? view.length - 1 : view.length;
  }
  return Math.max(skipWhitespace(text, cut), 1);
}
