import type { FoldedText } from '../folding.ts';
import { foldWidth } from './folded-text.ts';

/** A part of a sentence, with the text that replaces it when a dictionary cuts the sentence into words. */
export interface Span {
  written: string;
  /** Never empty. */
  replacement: string;
  /** Replaced by itself, code unit by code unit, so words may begin and end anywhere in it. */
  isPlain?: true;
  /** Spoken instead of its words' own readings: a number, a Latin word. */
  spoken?: string;
  /** The punctuation mark of Kokoro's alphabet that it is, or a space. Nothing else is spoken. */
  mark?: string;
}

/** How to rewrite the characters up to `end`. They replace themselves if there is no `replacement`. */
export type Rewrite = Omit<Span, 'written' | 'replacement' | 'isPlain'> & { end: number; replacement?: string };

/** The rewrite that begins at an index of a sentence; undefined for plain text. */
export type RewriteAt = (text: string, index: number) => Rewrite | undefined;

/** Splits a sentence into rewritten spans and the plain ones between them. */
export function splitSpans(written: string, rewriteAt: RewriteAt): Span[] {
  const folded = foldWidth(written);
  const { text } = folded;
  if (text === '') return written === '' ? [] : [{ written, replacement: written }];
  const spans: Span[] = [];
  let plainStart = 0;
  for (let index = 0; index < text.length; ) {
    const rewrite = rewriteAt(text, index);
    if (!rewrite) {
      index += characterLength(text, index);
      continue;
    }
    spans.push(...plainSpans(folded, plainStart, index));
    const { end, ...rest } = rewrite;
    spans.push({
      ...rest,
      written: folded.written(index, end),
      replacement: rest.replacement || text.slice(index, end),
    });
    index = end;
    plainStart = end;
  }
  return [...spans, ...plainSpans(folded, plainStart, text.length)];
}

/** Plain text between two indexes. A character that is written with several is a separate span. */
function plainSpans(folded: FoldedText, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let start = from;
  const pushPlain = (end: number) => {
    if (end === start) return;
    spans.push({ written: folded.written(start, end), replacement: folded.text.slice(start, end), isPlain: true });
  };
  for (let index = from; index < to; ) {
    const end = index + characterLength(folded.text, index);
    const written = folded.written(index, end);
    if (written.length > end - index) {
      pushPlain(index);
      spans.push({ written, replacement: folded.text.slice(index, end) });
      start = end;
    }
    index = end;
  }
  pushPlain(to);
  return spans;
}

function characterLength(text: string, index: number): number {
  return text.codePointAt(index)! > 0xffff ? 2 : 1;
}

/** Words whose spans cannot be separated. */
export interface WordGroup<Word> {
  written: string;
  words: Word[];
  /** Set if the group is exactly this rewritten span. */
  span?: Span;
}

/**
 * Groups the words of a sentence so that each rewritten span is in one group.
 * @param words in order; together they are the replacements of all spans, without whitespace
 */
export function groupWords<Word extends { surface: string }>(
  spans: readonly Span[],
  words: readonly Word[],
): WordGroup<Word>[] {
  const text = spans.map(({ replacement }) => replacement).join('');
  const placedWords = placeWords(text, words);
  const placedSpans = placeSpans(spans);
  const groups: WordGroup<Word>[] = [];
  let nextWord = 0;
  let nextSpan = 0;
  for (let start = 0; start < text.length; ) {
    const firstWord = nextWord;
    const firstSpan = nextSpan;
    let end = start + 1;
    for (;;) {
      const word = placedWords[nextWord];
      const span = placedSpans[nextSpan];
      if (word && word.start < end) {
        end = Math.max(end, word.end);
        nextWord++;
      } else if (span && span.start < end) {
        if (!span.span.isPlain) end = Math.max(end, span.end);
        nextSpan++;
      } else break;
    }
    const touched = placedSpans.slice(firstSpan, nextSpan);
    // The next group may begin in the same plain span.
    const last = touched.at(-1);
    if (last && last.end > end) nextSpan--;
    const only = touched.length === 1 && !touched[0]!.span.isPlain ? touched[0]!.span : undefined;
    groups.push({
      written: touched.map((span) => writtenIn(span, start, end)).join(''),
      words: placedWords.slice(firstWord, nextWord).map(({ word }) => word),
      ...(only && { span: only }),
    });
    start = end;
  }
  return groups;
}

interface Placed {
  start: number;
  end: number;
}

function placeWords<Word extends { surface: string }>(
  text: string,
  words: readonly Word[],
): (Placed & { word: Word })[] {
  let end = 0;
  return words.flatMap((word) => {
    const start = text.indexOf(word.surface, end);
    if (start < 0) return [];
    end = start + word.surface.length;
    return [{ start, end, word }];
  });
}

function placeSpans(spans: readonly Span[]): (Placed & { span: Span })[] {
  let end = 0;
  return spans.map((span) => {
    const start = end;
    end += span.replacement.length;
    return { start, end, span };
  });
}

/** The written characters of a span that are in a range of the text; a rewritten span is in the range of its start. */
function writtenIn({ start, end, span }: Placed & { span: Span }, from: number, to: number): string {
  if (!span.isPlain) return from <= start ? span.written : '';
  return span.written.slice(Math.max(0, from - start), Math.min(end, to) - start);
}
