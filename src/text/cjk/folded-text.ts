import { type FoldedText, foldMatches } from '../folding.ts';
import { halfWidth } from '../transliteration.ts';

/** Soft hyphens, joiners, marks of direction, and the selectors of variants of a character. */
const invisible =
  '[\\u00AD\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFE00-\\uFE0F\\uFEFF\\u{E0100}-\\u{E01EF}]';
/** The full-width comma and full stop between full-width digits are signs of one number. */
const numberSign = '(?<=[０-９])[，．](?=[０-９])';
/** The signs for micro and ohm are Greek letters, too. */
const letterSigns = /[\u00B5\u2126]/g;
const variants = new RegExp(`[ぁ-ヺ][\\u3099\\u309A]|${invisible}+|${numberSign}`, 'gu');

/**
 * Folds a sentence to characters that the dictionaries have: full-width letters, digits and signs to half width, kana with a
 * separate mark to one character, and nothing for invisible characters.
 */
export function foldWidth(written: string): FoldedText {
  const folded = foldMatches(written, variants, ([variant]) => {
    if (/^[ぁ-ヺ]/.test(variant)) return composedKana(variant);
    return variant === '，' ? ',' : variant === '．' ? '.' : '';
  });
  return { ...folded, text: halfWidth(folded.text).replace(letterSigns, (sign) => sign.normalize('NFKC')) };
}

/** A kana without a composed form loses the mark: あ゙. */
function composedKana(pair: string): string {
  const kana = pair.normalize('NFC');
  return kana.length === 1 ? kana : pair[0]!;
}
