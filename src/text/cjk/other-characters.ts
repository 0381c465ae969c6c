import { matchAt } from '../patterns.ts';
import { romanToDigits } from '../roman-numerals.ts';
import { toAsciiDigits, transliterate } from '../transliteration.ts';

const otherLetters = /[\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+/uy;
const otherDigits = /[\p{Nd}]+/uy;
const roman = /^[Ⅰ-ⅿ]+$/;

/** Characters up to `end`, and the plain ones that they stand for. */
interface PlainCharacters {
  end: number;
  written: string;
  plain: string;
}

/** The Greek or Cyrillic letters at an index, as Latin ones. */
export function otherLettersAt(text: string, index: number): PlainCharacters | undefined {
  const written = matchAt(otherLetters, text, index)?.[0];
  return written === undefined ? undefined : { end: index + written.length, written, plain: transliterate(written) };
}

/** The digits of any script at an index, in ASCII. */
export function otherDigitsAt(text: string, index: number): PlainCharacters | undefined {
  const written = matchAt(otherDigits, text, index)?.[0];
  return written === undefined ? undefined : { end: index + written.length, written, plain: toAsciiDigits(written) };
}

/**
 * The characters at an index that stand for other ones: circled digits, Roman numerals of one character, squared words.
 * @param pattern the characters of one run
 */
export function compatibleAt(pattern: RegExp, text: string, index: number): PlainCharacters | undefined {
  const written = matchAt(pattern, text, index)?.[0];
  if (written === undefined) return undefined;
  const folded = written.normalize('NFKC').replace(/[()]/g, '');
  const plain = (roman.test(written) ? romanToDigits(folded.toUpperCase()) : undefined) ?? folded;
  return { end: index + written.length, written, plain };
}
