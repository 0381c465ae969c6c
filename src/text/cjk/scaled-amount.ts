/** Suffixes of amounts of money, in lower case, and the number of zeros that each stands for. */
const ZEROS: Readonly<Record<string, number>> = {
  k: 3,
  m: 6,
  mn: 6,
  b: 9,
  bn: 9,
  thousand: 3,
  million: 6,
  billion: 9,
  trillion: 12,
};

/** The pattern of these words and letters. */
export const SCALE = String.raw`(?:[kK]|[mM][nN]?|[bB][nN]?|\s?(?:thousand|[mb]illion|trillion))(?![A-Za-z\d])`;

/** An amount without its scale: 1.5 with M is 1500000. */
export function scaledAmount(amount: string, scale: string): string {
  const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.');
  const zeros = ZEROS[scale.trim().toLowerCase()] ?? 0;
  const digits = whole + fraction.slice(0, zeros).padEnd(zeros, '0');
  const rest = fraction.slice(zeros);
  return digits.replace(/^0+(?=\d)/, '') + (rest === '' ? '' : `.${rest}`);
}
