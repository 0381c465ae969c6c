const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
const WELL_FORMED = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;

/** The value of a Roman numeral in capitals, well formed or not. */
export function romanValue(numeral: string): number {
  const values = Array.from(numeral, (letter) => VALUES[letter]!);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** A well-formed Roman numeral in capitals, up to MMMCMXCIX, as digits; undefined for anything else. */
export function romanToDigits(numeral: string): string | undefined {
  if (numeral === '' || numeral.length > 15 || !WELL_FORMED.test(numeral)) return undefined;
  return String(romanValue(numeral));
}
