import type { Word } from '../../src/contracts/transcription.ts';
import type { Line, TextPart } from './lines.ts';

/** Letters of scripts without spaces: a run of them is several words. */
export const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Longer texts are not compared word by word: the comparison takes the square of their length. */
const MAX_COMPARED_WORDS = 2000;

interface Token {
  text: string;
  /** Offset in the line. */
  at: number;
}

/**
 * The line with another text. Unchanged words keep their times. Words between them share the time of those that they
 * replace, by length; new ones count as certain, since a person wrote them.
 */
export function retimed(line: Line, text: string): Line {
  const written = text.replace(/\s+/g, ' ').trim();
  if (written === line.text) return line;
  const { start, end, parts, segment: _, ...rest } = line;
  return { ...rest, start, end, text: written, parts: retimedParts(parts, written, start, end) };
}

function retimedParts(parts: readonly TextPart[], text: string, start: number, end: number): TextPart[] {
  const old = parts.flatMap(({ word }) => word ?? []);
  // Without times of words, there are none to keep.
  if (old.length === 0) return text === '' ? [] : [{ text }];
  const tokens = tokensOf(text, new Set(old.map(({ word }) => word.trim())));
  const words: Word[] = [];
  let [from, to] = [0, 0];
  for (const [i, j] of [...commonWords(old, tokens), [old.length, tokens.length] as const]) {
    const limits = { start: old[from - 1]?.end ?? start, end: old[i]?.start ?? end };
    words.push(...replacement(old.slice(from, i), tokens.slice(to, j), limits));
    if (i < old.length) words.push(old[i]!);
    [from, to] = [i + 1, j + 1];
  }
  return partsOf(text, tokens, words);
}

/** @param known words of the old text: they stay words even if they are signs */
function tokensOf(text: string, known: ReadonlySet<string>): Token[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: chunk, index }) => {
    if (!/[\p{L}\p{N}]/u.test(chunk) && !known.has(chunk)) return [];
    if (!unspaced.test(chunk)) return [{ text: chunk, at: index }];
    const tokens: Token[] = [];
    for (const { segment, index: offset, isWordLike } of segmenter.segment(chunk)) {
      const last = tokens.at(-1);
      // Punctuation belongs to the word before it.
      if (last && !isWordLike) last.text += segment;
      else tokens.push({ text: segment, at: index + offset });
    }
    return tokens;
  });
}

/** Pairs of equal words in both, in order: a longest common subsequence. */
function commonWords(old: readonly Word[], tokens: readonly Token[]): (readonly [number, number])[] {
  if (old.length > MAX_COMPARED_WORDS || tokens.length > MAX_COMPARED_WORDS) return [];
  const width = tokens.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const isEqual = (i: number, j: number) => old[i]!.word.trim() === tokens[j]!.text;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = tokens.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isEqual(i, j)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < tokens.length; ) {
    if (isEqual(i, j)) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}

/** Times for tokens in the place of old words, or between `limits` if they replace none. */
function replacement(old: readonly Word[], tokens: readonly Token[], limits: { start: number; end: number }): Word[] {
  if (old.length === tokens.length) {
    return tokens.map(({ text }, i) => ({ word: text, start: old[i]!.start, end: old[i]!.end, probability: 1 }));
  }
  const start = old[0]?.start ?? limits.start;
  const end = Math.max(start, old.at(-1)?.end ?? limits.end);
  const total = tokens.reduce((sum, { text }) => sum + text.length, 0);
  let done = 0;
  return tokens.map(({ text }) => {
    const from = start + ((end - start) * done) / total;
    done += text.length;
    const to = start + ((end - start) * done) / total;
    return { word: text, start: milliseconds(from), end: milliseconds(to), probability: 1 };
  });
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

function partsOf(text: string, tokens: readonly Token[], words: readonly Word[]): TextPart[] {
  const parts: TextPart[] = [];
  let cursor = 0;
  for (const [index, { text: written, at }] of tokens.entries()) {
    if (at > cursor) parts.push({ text: text.slice(cursor, at) });
    parts.push({ text: written, word: words[index]! });
    cursor = at + written.length;
  }
  if (cursor < text.length) parts.push({ text: text.slice(cursor) });
  return parts;
}

/** The two lines of a line that is split at an offset of its text; a word around it is split too. */
export function split(line: Line, offset: number): [Line, Line] {
  const [before, after]: [TextPart[], TextPart[]] = [[], []];
  let at = 0;
  for (const part of line.parts) {
    const cut = Math.min(Math.max(0, offset - at), part.text.length);
    if (cut === part.text.length) before.push(part);
    else if (cut === 0) after.push(part);
    else {
      const [left, right] = splitPart(part, cut);
      before.push(left);
      after.push(right);
    }
    at += part.text.length;
  }
  const share = line.text.length === 0 ? 0 : offset / line.text.length;
  const middle = line.start + (line.end - line.start) * share;
  const firstEnd = before.findLast(({ word }) => word)?.word?.end ?? milliseconds(middle);
  const secondStart = after.find(({ word }) => word)?.word?.start ?? milliseconds(middle);
  const { segment: _, ...rest } = line;
  return [lineFrom(before, { ...rest, end: firstEnd }), lineFrom(after, { ...rest, start: secondStart })];
}

function splitPart({ text, word }: TextPart, cut: number): [TextPart, TextPart] {
  const [left, right] = [text.slice(0, cut), text.slice(cut)];
  if (!word) return [{ text: left }, { text: right }];
  const middle = milliseconds(word.start + ((word.end - word.start) * cut) / text.length);
  return [
    { text: left, word: { ...word, word: left, end: middle } },
    { text: right, word: { ...word, word: right, start: middle } },
  ];
}

/** The line with another start and end, and its words scaled in proportion. */
export function moved({ segment: _, ...line }: Line, start: number, end: number): Line {
  const scale = line.end > line.start ? (end - start) / (line.end - line.start) : 0;
  const at = (seconds: number) => milliseconds(Math.min(end, Math.max(start, start + (seconds - line.start) * scale)));
  const parts = line.parts.map(({ text, word }) =>
    word ? { text, word: { ...word, start: at(word.start), end: at(word.end) } } : { text },
  );
  return { ...line, start, end, parts };
}

/** One line of two neighbors, said by the speaker of the first. */
export function joined(first: Line, second: Line): Line {
  const isUnspaced = unspaced.test(first.text.slice(-1)) || unspaced.test(second.text.slice(0, 1));
  const space = first.text === '' || second.text === '' || isUnspaced ? [] : [{ text: ' ' }];
  const { segment: _, ...rest } = first;
  return lineFrom([...first.parts, ...space, ...second.parts], { ...rest, end: second.end });
}

function lineFrom(parts: TextPart[], place: Omit<Line, 'segment'>): Line {
  const trimmed = [...parts];
  while (trimmed.length > 0 && !trimmed[0]!.word && trimmed[0]!.text.trim() === '') trimmed.shift();
  while (trimmed.length > 0 && !trimmed.at(-1)!.word && trimmed.at(-1)!.text.trim() === '') trimmed.pop();
  // A line without word times is one part, which the cut may have left with a space.
  const bare = trimmed.map((part, index) => {
    if (part.word) return part;
    let { text } = part;
    if (index === 0) text = text.trimStart();
    if (index === trimmed.length - 1) text = text.trimEnd();
    return { text };
  });
  return { ...place, text: bare.map(({ text }) => text).join(''), parts: bare };
}
