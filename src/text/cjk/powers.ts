import { matchAt, textBefore } from '../patterns.ts';

/** A power after its base, or a one-character fraction. */
export interface Power {
  end: number;
  isNegative: boolean;
  digits: string;
}

const power = /\^[-−]?\d{1,3}(?![\d.])|⁻?[⁰¹²³⁴-⁹]{1,3}/y;
/** After anything longer, a raised digit is a footnote number. */
const base = /(?:\d|\)|(?<![\p{Script=Latin}\p{Script=Greek}])[\p{Script=Latin}\p{Script=Greek}]{1,2})$/u;

/** The power at an index: x², 10⁻³, 10^6. */
export function powerAt(text: string, index: number): Power | undefined {
  const match = matchAt(power, text, index)?.[0];
  // A raised 1 alone is a footnote number.
  if (match === undefined || match === '¹' || !base.test(textBefore({ text, index }, 3))) return undefined;
  const exponent = match.normalize('NFKC');
  return { end: index + match.length, isNegative: /[-−]/.test(exponent), digits: exponent.replace(/\D/g, '') };
}

/** A fraction, after a whole number or alone: ½, 1 1/2. */
export interface MixedNumber {
  end: number;
  /** Empty if there is none. */
  whole: string;
  above: string;
  below: string;
}

const fraction = /((?:\d{1,3}(?:,\d{3})+|\d{1,6})?) ?([¼-¾⅐-⅞])/y;

/** Not a year and a day. */
const slashedFraction = /(?<![\d.,/])(\d{1,3}) (\d{1,2})\/(\d|10)(?![\d/])/y;

/** The fraction of one character at an index, with the whole number before it, or one with a slash after a whole number. */
export function mixedNumberAt(text: string, index: number): MixedNumber | undefined {
  const match = matchAt(fraction, text, index);
  if (match) {
    const [above = '', below = ''] = match[2]!.normalize('NFKC').split('⁄');
    return { end: index + match[0].length, whole: match[1]!.replaceAll(',', ''), above, below };
  }
  const [all, whole = '', above = '', below = ''] = matchAt(slashedFraction, text, index) ?? [];
  if (all === undefined || Number(above) >= Number(below)) return undefined;
  return { end: index + all.length, whole, above, below };
}
