import { matchAt } from '../../control-tokens.ts';
import { stopMayEnd } from './abbreviations.ts';

/** Longest sentence, in characters: a longer one is cut at a clause, at a blank, or, in a word without end, anywhere. */
export const maxSentenceLength = 400;
/** Characters behind a possible end that the decision may need to see. */
const lookahead = 120;
/** Text that has to be at hand for `sentenceEnd`, unless nothing follows it. */
export const sentenceWindow = maxSentenceLength + lookahead;

const candidate = /[.!?…。．！？｡।॥؟۔։።\n\r\u2028\u2029]/g;
const terminators = /(?:[.!?…]|\s(?=\.\s?\.)){1,60}/y;
const spacelessTerminator = /[。．！？｡।॥؟۔։።]{1,20}["'”’」』》）)\]】]{0,6}/y;
/** A quotation goes on as part of the sentence it stands in: 「はい。」と言った。 */
const quotationGoesOn = /[」』”’）)][とっを、，のに的]/y;
const closers = /(?:["'”’»)\]}*_]|\[\d{1,3}\]){0,12}/y;
const blanks = /\s*/y;
const nextWord = /["'“‘«([{*_]{0,4}([\p{L}\d$£€#@][\p{L}\d'’.]{0,30}|[&+=/])?/uy;
const wordBeforeStop = /[\p{L}\d][\p{L}\d.'’]*$/u;
const wordBefore = /([\p{L}\d]{1,30})\s{1,3}[\p{L}.]{1,20}$/u;
const lineBreak = /\r\n|[\n\r\u2028\u2029]/y;
const blankLine = /(?:\r\n|\n|\r(?!\n)|\u2028)[ \t\u00A0\u3000]{0,200}(?:\r\n|[\n\r\u2028])|\u2029/y;
const listItem =
  /[ \t]{0,40}(?:[-*+•‣◦▪–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])[ \t]+\S|[ \t]{0,8}(?:#{1,6}|>)[ \t]/y;
const listItemStart = /^\s*(?:[-*+•‣◦▪–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)]|#{1,6})[ \t]/;
const itemNumber = /^\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})$/;
const capitalNext = /[ \t]{0,40}["'“‘([*_]{0,3}[\p{Lu}\d]/uy;
// A line that ends with one of these goes on in the next.
const unfinishedLine =
  /(?:[,;:–—-]|(?:^|\s)(?:the|an?|of|and|or|nor|but|to|in|on|at|for|with|by|from|is|was|are|were|as|that|than|my|his|her|its|our|their|your|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|St\.?))$/i;
// Without capitals, what tells is the indentation of the next line, or how short the line is.
const ideographicNext = /[ \t]{0,8}["'“‘「『（]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/uy;
const shortIdeographicLine = /^[^\n]{0,14}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
/** Longest line that may be a heading, a line of verse or of an address, in characters. */
const maxHeadingLength = 50;

/**
 * Where the first sentence of a text ends: the index behind it and behind the blanks that follow.
 * @param text begins with no blank; at least `sentenceWindow` characters unless it is complete
 * @param column characters of the line that stand before the text
 * @param complete whether nothing follows the text
 */
export function sentenceEnd(text: string, column: number, complete: boolean): number {
  const view = text.slice(0, sentenceWindow);
  const whole = complete && view.length === text.length;
  const limit = Math.min(view.length, maxSentenceLength);
  let lineStart = 0;
  candidate.lastIndex = 0;
  for (let found = candidate.exec(view); found && found.index < limit; found = candidate.exec(view)) {
    const at = found.index;
    const isLine = /[\n\r\u2028\u2029]/.test(found[0]);
    const end = isLine ? lineEnd(view, at, lineStart, lineStart === 0 ? column : 0) : stopEnd(view, at, lineStart);
    if (end.ends) return skipBlanks(view, end.at);
    if (isLine) lineStart = end.at;
    candidate.lastIndex = end.at;
  }
  return whole && view.length <= maxSentenceLength ? view.length : clauseEnd(view);
}

export interface PossibleEnd {
  ends: boolean;
  /** Behind what was looked at. */
  at: number;
}

export function skipBlanks(text: string, at: number): number {
  return at + matchAt(blanks, text, at)![0].length;
}

/**
 * Whether the line that ends at `at` ends a sentence.
 * @param lineStart where it begins in the text
 * @param column characters of it that stand before the text
 */
export function lineEnd(text: string, at: number, lineStart: number, column: number): PossibleEnd {
  const next = at + (matchAt(lineBreak, text, at)?.[0].length ?? 1);
  if (matchAt(blankLine, text, at) || matchAt(listItem, text, next) || text[next] === '\u3000') {
    return { ends: true, at: next };
  }
  const line = text.slice(lineStart, at).trimEnd();
  if (column === 0 && shortIdeographicLine.test(line) && matchAt(ideographicNext, text, next)) {
    return { ends: true, at: next };
  }
  const short = column + line.length <= maxHeadingLength || listItemStart.test(line);
  const ends = short && !unfinishedLine.test(line) && matchAt(capitalNext, text, next) !== undefined;
  return { ends, at: next };
}

function stopEnd(text: string, at: number, lineStart: number): PossibleEnd {
  const spaceless = matchAt(spacelessTerminator, text, at);
  if (spaceless) {
    const end = at + spaceless[0].length;
    return { ends: !matchAt(quotationGoesOn, text, end - 1), at: end };
  }
  const run = matchAt(terminators, text, at)?.[0].trimEnd() ?? text[at]!;
  const afterRun = at + run.length;
  const closing = matchAt(closers, text, afterRun)![0];
  const end = afterRun + closing.length;
  if (end < text.length && !/\s/.test(text[end]!)) return { ends: false, at: afterRun };
  const gap = matchAt(blanks, text, end)![0];
  const next = matchAt(nextWord, text, end + gap.length)?.[1] ?? '';
  const lower = /^\p{Ll}/u.test(next);
  // `"Why?" he asked.`
  if (lower && /["'”’»)]/.test(closing)) return { ends: false, at: end };
  if (run === '.') {
    const sentence = text.slice(lineStart, at);
    if (itemNumber.test(sentence) && next) return { ends: false, at: end };
    const word = wordBeforeStop.exec(text.slice(Math.max(0, at - 24), at))?.[0] ?? '';
    const before = wordBefore.exec(text.slice(Math.max(0, at - 60), at))?.[1] ?? '';
    const nextBare = next.replace(/[.’']+$/, '');
    return { ends: next === '' || (stopMayEnd(word, nextBare, before) && !(lower && isInitials(word))), at: end };
  }
  if (/^[.…\s]+$/.test(run)) return { ends: !lower && !/^I(?:['’]\p{L}+)?$/u.test(next), at: end };
  return { ends: true, at: end };
}

function isInitials(word: string): boolean {
  return /^\p{L}(?:\.\p{L})*$/u.test(word);
}

const clauseStop = /[,;:—–)\]，、；：]["'”’」』]?(?=\s|[\u3000-\u9FFF])|—/g;

/** Where to cut a sentence that is too long. */
export function clauseEnd(text: string): number {
  const view = text.slice(0, maxSentenceLength);
  let cut = 0;
  for (const found of view.matchAll(clauseStop)) cut = found.index + found[0].length;
  if (cut < maxSentenceLength / 2) {
    const blank = view.search(/\s\S*$/);
    cut = blank > maxSentenceLength / 4 ? blank : cut || blank;
  }
  if (cut <= 0) {
    // The halves of a surrogate pair stay together.
    cut = /[\uD800-\uDBFF]$/.test(view) ? view.length - 1 : view.length;
  }
  return Math.max(skipBlanks(text, cut), 1);
}
