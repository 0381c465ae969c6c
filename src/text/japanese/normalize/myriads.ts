import { matchAt } from '../../patterns.ts';
import { MAX_DIGITS } from '../numbers.ts';

/** 千葉 and 百均 are words. */
const thousands = '\\d千(?![葉歳代鳥])';
const hundreds = '\\d百(?![均貨科合])';
const myriads = new RegExp(
  `(?:(?:\\d[\\d,]*(?:\\.\\d+)?[十百千]?[万億兆]){1,4}(?:${thousands})?(?:${hundreds})?|${thousands}(?:${hundreds})?|${hundreds})(?:\\d[\\d,]*)?`,
  'y',
);
const ZEROS: Readonly<Record<string, number>> = { 万: 4, 億: 8, 兆: 12 };
const SMALL_ZEROS: Readonly<Record<string, number>> = { 十: 1, 百: 2, 千: 3 };
const KANA: Readonly<Record<string, string>> = { 万: 'まん', 億: 'おく', 兆: 'ちょー' };

/** The whole number with myriads at an index, in digits: 3万5000. */
export function myriadsAt(text: string, index: number): { end: number; digits: string } | undefined {
  const written = matchAt(myriads, text, index)?.[0];
  if (written === undefined || written.includes('.')) return undefined;
  let total = 0n;
  for (const [, digits, small = '', myriad = ''] of written.matchAll(/(\d[\d,]*)([十百千]?)([万億兆]?)/g)) {
    const scale = (ZEROS[myriad] ?? 0) + (SMALL_ZEROS[small] ?? 0);
    total += BigInt(digits!.replaceAll(',', '')) * 10n ** BigInt(scale);
  }
  const digits = String(total);
  return digits.length > MAX_DIGITS ? undefined : { end: index + written.length, digits };
}

/** The zeros that myriads stand for: 万 is 0000. */
export function myriadZeros(myriads: string): string {
  return '0'.repeat([...myriads].reduce((sum, myriad) => sum + (ZEROS[myriad] ?? 0), 0));
}

/** Myriads in kana. */
export function myriadKana(myriads: string): string {
  return [...myriads].map((myriad) => KANA[myriad] ?? '').join('');
}
