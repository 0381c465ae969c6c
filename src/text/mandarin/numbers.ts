/** Chinese numbers: digits to characters. */

const DIGITS = '零一二三四五六七八九';
const UNITS = ['', '十', '百', '千'];
const MYRIADS: readonly [zeros: number, unit: string][] = [
  [8, '亿'],
  [4, '万'],
];
/** Longer numbers are read digit by digit. */
export const MAX_DIGITS = 16;

/** Reads digit by digit; in telephone numbers, one is 幺. */
export function chineseDigits(digits: string, telephone = false): string {
  const characters = [...digits].map((digit) => DIGITS[Number(digit)]!).join('');
  return telephone ? characters.replaceAll('一', '幺') : characters;
}

/** A whole number: 10203 is 一万零二百零三, 12 is 十二; digit by digit if it is too long. */
export function chineseNumber(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (plain.length > MAX_DIGITS) return chineseDigits(plain);
  return plain === '0' ? DIGITS[0]! : counted(plain).replace(/^一十/, '十');
}

function counted(plain: string): string {
  for (const [zeros, unit] of MYRIADS) {
    if (plain.length <= zeros) continue;
    const rest = plain.slice(-zeros);
    const low = rest.replace(/^0+/, '');
    const gap = low !== '' && low.length < zeros ? DIGITS[0]! : '';
    return counted(plain.slice(0, -zeros)) + unit + gap + (low && counted(low));
  }
  return thousands(plain.padStart(4, '0'));
}

function thousands(part: string): string {
  let characters = '';
  let gap = false;
  [...part].forEach((digit, index) => {
    if (digit === '0') gap = characters !== '';
    else {
      characters += (gap ? DIGITS[0]! : '') + DIGITS[Number(digit)]! + UNITS[3 - index]!;
      gap = false;
    }
  });
  return characters;
}

/** A decimal: 3.14 is 三点一四. */
export function chineseDecimal(whole: string, fraction: string): string {
  return `${chineseNumber(whole)}点${chineseDigits(fraction)}`;
}
