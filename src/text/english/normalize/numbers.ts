/** Numbers as English words, without hyphens and without `and`: `one hundred twenty three`. */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion', ' quintillion'];
const irregularOrdinals: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function belowHundred(value: number): string {
  if (value < 20) return small[value]!;
  const unit = value % 10;
  return tens[Math.floor(value / 10)]! + (unit ? ` ${small[unit]}` : '');
}

function belowThousand(value: number): string {
  const rest = value % 100;
  if (value < 100) return belowHundred(rest);
  return `${small[Math.floor(value / 100)]} hundred${rest ? ` ${belowHundred(rest)}` : ''}`;
}

/** A whole number; digit by digit where it is too long for quintillions (more than 21 digits). */
export function cardinal(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (plain.length > 3 * scales.length) return digitByDigit(digits);
  const groups: string[] = [];
  for (let end = plain.length, scale = 0; end > 0; end -= 3, scale++) {
    const value = Number(plain.slice(Math.max(0, end - 3), end));
    if (value) groups.unshift(belowThousand(value) + scales[scale]);
  }
  return groups.join(' ') || 'zero';
}

/** `0042` → `zero zero four two`. */
export function digitByDigit(digits: string): string {
  return Array.from(digits, (digit) => small[Number(digit)]!).join(' ');
}

/** `21` → `twenty first`. */
export function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ');
  const last = words.pop()!;
  const changed = irregularOrdinals[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words, changed].join(' ');
}

/** A year, or a number that is said like one, of any length: `1984`, `1905`, `2000`, `44`. */
export function year(digits: string): string {
  const value = Number(digits);
  if (digits.length !== 4 || value < 1000 || value % 1000 < 10) return cardinal(digits);
  const century = belowHundred(Math.floor(value / 100));
  const rest = value % 100;
  if (rest === 0) return `${century} hundred`;
  return `${century} ${rest < 10 ? `oh ${small[rest]}` : belowHundred(rest)}`;
}

/** Digits after a name, as in `A320`, `I-95` and `R2D2`: in pairs where that is how people say them. */
export function designation(digits: string): string {
  if (digits.startsWith('0') && digits.length > 1) return digitByDigit(digits);
  if (digits.length < 3) return cardinal(digits);
  if (digits.length === 4) return year(digits);
  if (digits.length > 4) return digitByDigit(digits);
  const rest = Number(digits.slice(1));
  if (rest === 0) return `${small[Number(digits[0])]} hundred`;
  return `${small[Number(digits[0])]} ${rest < 10 ? `oh ${small[rest]}` : belowHundred(rest)}`;
}

/** `3.50` → `three point five zero`, `.5` → `point five`; the whole part may have thousands separators. */
export function decimal(number: string): string {
  const [whole = '', part] = number.replaceAll(',', '').split('.');
  const wholeWords = whole ? cardinal(whole) : '';
  if (part === undefined) return wholeWords;
  return `${wholeWords} point ${digitByDigit(part)}`.trim();
}

/** `3/4` → `three quarters`; what has no name is said with `over`. */
export function fraction(numerator: string, denominator: string): string {
  const parts = Number(denominator);
  const named = parts >= 2 && (parts <= 100 || parts === 1000);
  if (!named) return `${cardinal(numerator)} over ${cardinal(denominator)}`;
  const one = Number(numerator) === 1;
  if (parts === 2) return `${cardinal(numerator)} ${one ? 'half' : 'halves'}`;
  const name = parts === 4 ? 'quarter' : ordinal(denominator).replace(/^one (?=hundredth|thousandth)/, '');
  return `${cardinal(numerator)} ${name}${one ? '' : 's'}`;
}

/** The plural of number words: `twenties`, `nineteen hundreds`, `sixes`. */
export function pluralOfNumber(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`;
  return words.endsWith('x') ? `${words}es` : `${words}s`;
}
