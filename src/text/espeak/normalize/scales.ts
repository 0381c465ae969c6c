import { lookUp, matchAt } from '../../patterns.ts';
import type { Gender } from '../rules.ts';
import { cardinal, decimal } from './numbers.ts';
import type { Context, Language } from './rule.ts';
import type { WrittenNumber } from './written-numbers.ts';

/** Thousands, millions …, in words. */
export interface Scale {
  end: number;
  word: string;
  isThousand: boolean;
  /** Whether it is abbreviated. */
  isShort: boolean;
}

const SHORT_SCALE = /\s?(\p{L}{1,7})(?![\p{L}\p{M}\d²³/])/uy;

const NEEDLESS_STOP = /\.(?=\s(?:\p{Ll}|[€$£]))/uy;

/** The word for thousands, millions … after a number, or its abbreviation. */
export function scaleAt({ text, language }: Context, { end, whole, decimals }: WrittenNumber): Scale | undefined {
  const { scale, scales, thousand } = language.rules;
  const match = matchAt(scale, text, end)?.[0];
  if (match) {
    const word = match.trim();
    return { end: end + match.length, word, isThousand: word === thousand, isShort: false };
  }
  const short = matchAt(SHORT_SCALE, text, end);
  const names = short && lookUp(scales, short[1]!);
  if (!names) return undefined;
  const isOne = language.plurals.select(Number(`${whole}.${decimals || 0}`)) === 'one';
  const word = names[isOne ? 0 : 1];
  // 45 mill. de
  const shortEnd = end + short[0].length;
  const stop = short[1]!.length > 2 ? (matchAt(NEEDLESS_STOP, text, shortEnd)?.[0].length ?? 0) : 0;
  return { end: shortEnd + stop, word, isThousand: word === thousand, isShort: true };
}

/** A number and its scale in words. With thousands they are one number (2 mil is 2000), whose words may agree with the noun. */
export function scaled(
  language: Language,
  number: WrittenNumber,
  { word, isThousand }: Scale,
  gender: Gender | undefined,
  noun: string,
): string {
  const isWhole = number.decimals === '';
  if (isThousand && isWhole && number.whole.length <= 3) {
    return cardinal(language, `${number.whole}000`, gender, noun);
  }
  const count = isWhole ? cardinal(language, number.whole, 'masculine', word) : decimal(language, number);
  return `${count} ${word}`;
}
