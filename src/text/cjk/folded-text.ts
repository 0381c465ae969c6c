import { type FoldedText, foldMatches } from '../folding.ts';
import { halfWidth } from '../transliteration.ts';

/** Soft hyphens, joiners, direction marks, variation selectors, and the colors of a terminal. */
const invisible =
  '(?:\\u001B\\[[\\d;]{0,20}[A-Za-z]|[\\u00AD\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFE00-\\uFE0F\\uFEFF\\u{E0100}-\\u{E01EF}])';
/** The full-width comma and full stop between full-width digits are signs of one number. */
const numberSign = '(?<=[０-９])[，．](?=[０-９])';
/** The signs for micro, ohm and liter are letters, too. */
const letterSigns = /[\u00B5\u2126\u2113]/g;
/** The decimal point that newspapers use, before a share or a measure: 66・0%, 1・5倍. Elsewhere it separates items: 2・3度. */
const middlePoint =
  /(?<=(?<![\d・.,])\d{1,4})・(?=\d{1,2}(?:%|‰|ポイント|倍|キロ|メートル|センチ|ミリ|グラム|トン|リットル|ヘクタール|アール|平方|立方|インチ|秒|[万億兆]|[kcm]?[mgl](?![A-Za-z])))|(?<=(?<![\d・.,])\d{2,3})・(?=\d度(?!目))/g;
/**
 * A full-width comma that groups thousands, as input methods write it: 1，000元. Elsewhere it separates items, so three digits
 * before it need a unit behind: 123，456元, but 拨打110，119; and hundreds are several amounts: 300，500元.
 */
const grouped =
  /(?<![A-Za-z\d.×*-]|\d[，,]|[A-Za-z]\s)(?:[1-9]\d?(?:，\d{3})+(?![\d×*-]|，\d|[xX]\d)|(?!\d00，[1-9]00)[1-9]\d\d(?:，\d{3})+(?=\s?(?:[元円人名个個件台辆吨米株户家次字]|[万億亿](?!\d)|[美日欧港]元|公里|平方|ドル)))/gu;
/** The signs of minutes and seconds of an angle: 39°54′17″. */
const minutes = /(?<=°\s?\d{1,2}(?:\.\d{1,3})?)[′'’]/g;
const seconds = /(?<=°\s?\d{1,2}分\s?\d{1,2}(?:\.\d{1,3})?)[″"”]/g;
const hyphens = /[‐‑]/g;
const dash = '[−ー–—―]';
/** Telephone numbers, postcodes and addresses with other signs that people type for their hyphens: 03ー1234ー5678 */
const dashed = new RegExp(
  `(?<![\\d−ー–—―-])0\\d{1,4}(?:${dash}\\d{1,4}){2}(?!\\d)|(?<=〒\\s?)\\d{3}${dash}\\d{4}(?!\\d)|(?<=\\p{Script=Han})[1-9]\\d{0,2}(?:${dash}\\d{1,3}){2,3}(?![\\d−]|\\s?=)`,
  'gu',
);
const dashes = new RegExp(dash, 'g');
const variants = new RegExp(`[ぁ-ヺ][\\u3099\\u309A]|${invisible}+|${numberSign}`, 'gu');

/**
 * Folds a sentence to characters that the dictionaries have: full-width letters, digits and signs to half width, kana with a
 * separate mark to one character, plain hyphens, and nothing for invisible characters.
 */
export function foldWidth(written: string): FoldedText {
  const folded = foldMatches(written, variants, ([variant]) => {
    if (/^[ぁ-ヺ]/.test(variant)) return composedKana(variant);
    return variant === '，' ? ',' : variant === '．' ? '.' : '';
  });
  const text = halfWidth(folded.text).replace(letterSigns, (sign) => sign.normalize('NFKC'));
  const joined = text
    .replace(hyphens, '-')
    .replace(dashed, (number) => number.replace(dashes, '-'))
    .replace(grouped, (number) => number.replaceAll('，', ','))
    .replace(minutes, '分')
    .replace(seconds, '秒');
  return { ...folded, text: joined.replace(middlePoint, '.') };
}

/** A kana without a composed form loses the mark: あ゙. */
function composedKana(pair: string): string {
  const kana = pair.normalize('NFC');
  return kana.length === 1 ? kana : pair[0]!;
}
