/** How a language reads whole numbers and decimals, given in digits. */
export interface NumberReadings {
  /** Longer numbers are read digit by digit. */
  maxDigits: number;
  number(digits: string): string;
  digits(digits: string): string;
  decimal(whole: string, fraction: string): string;
}

/** Reads a number with commas and a decimal point. */
export function readNumeral(written: string, { maxDigits, number, digits, decimal }: NumberReadings): string {
  const [whole = '', fraction] = written.replaceAll(',', '').split('.');
  if (fraction !== undefined) return decimal(whole, fraction);
  return isDigitwise(whole, maxDigits) ? digits(whole) : number(whole);
}

/** Whether a whole number is read digit by digit: it is too long, or begins with a zero. */
export function isDigitwise(digits: string, maxDigits: number): boolean {
  return digits.length > maxDigits || (digits.length > 1 && digits.startsWith('0'));
}
