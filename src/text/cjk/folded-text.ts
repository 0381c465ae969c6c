import { halfWidth } from '../transliteration.ts';

/** A sentence as the dictionaries have its characters, and how each is written. */
export interface FoldedText {
  text: string;
  /** The written characters for those of `text` between two indexes. */
  written(start: number, end: number): string;
}

/** Soft hyphens, joiners, marks of direction, and the selectors of variants of a character. */
const INVISIBLE =
  '[\\u00AD\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFE00-\\uFE0F\\uFEFF\\u{E0100}-\\u{E01EF}]';
/** Several characters for one: kana with a mark of its own, and anything with invisible characters beside it. */
const composed = new RegExp(`[ぁ-ヺ][\\u3099\\u309A]|${INVISIBLE}+`, 'gu');

/**
 * Folds full-width letters, digits and signs to half width, kana with a separate mark to one character, and leaves out
 * invisible characters.
 */
export function fold(written: string): FoldedText {
  const kept = joinFullWidthNumbers(written);
  let text = '';
  /** Where each character of `text` begins in `written`. */
  const starts: number[] = [];
  const keep = (characters: string, index: number) => {
    text += characters;
    for (let offset = 0; offset < characters.length; offset++) starts.push(index + offset);
  };
  let end = 0;
  for (const { 0: match, index } of kept.matchAll(composed)) {
    keep(kept.slice(end, index), end);
    if (/^[ぁ-ヺ]/.test(match)) keep(composedKana(match.slice(0, 2)), index);
    end = index + match.length;
  }
  keep(kept.slice(end), end);
  // Invisible characters at the very beginning belong to the first one that is visible.
  if (starts.length > 0) starts[0] = 0;
  return {
    text: halfWidth(text),
    written: (from, to) => written.slice(starts[from], starts[to] ?? written.length),
  };
}

/** A kana without a composed form loses the mark: あ゙. */
function composedKana(pair: string): string {
  const kana = pair.normalize('NFC');
  return kana.length === 1 ? kana : pair[0]!;
}

/** The full-width comma and full stop between full-width digits are signs of one number. */
function joinFullWidthNumbers(text: string): string {
  return text.replace(/(?<=[０-９])[，．](?=[０-９])/g, (sign) => (sign === '，' ? ',' : '.'));
}
