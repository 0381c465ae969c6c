import { SpellOut } from '../../spell-out.ts';

// Numbers as English words without hyphens and without `and`: `one hundred twenty three`. CLDR has the rules; quintillions,
// digits and pairs of digits are ours.

const english = SpellOut.loadSync('en');
/** Whole numbers of up to 15 digits are exact in a double. */
const EXACT_DIGITS = 15;
const MAX_DIGITS = 21;

function say(
  number: number,
  set: 'spellout-cardinal' | 'spellout-ordinal' | 'spellout-numbering-year' | '2d-year',
): string {
  return english.say(number, set)!.replaceAll('-', ' ');
}

const digitNames = Array.from({ length: 10 }, (_, digit) => say(digit, 'spellout-cardinal'));

/** A whole number; digit by digit above quintillions (more than 21 digits). */
export function cardinal(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (plain.length <= EXACT_DIGITS) return say(Number(plain), 'spellout-cardinal');
  if (plain.length > MAX_DIGITS) return digitByDigit(digits);
  const rest = Number(plain.slice(-EXACT_DIGITS));
  return quadrillions(plain) + (rest > 0 ? ` ${say(rest, 'spellout-cardinal')}` : '');
}

/** A whole number with or without commas; by lakhs and crores if they group it so: `1,00,000` → `one lakh`. */
export function groupedNumber(number: string): string {
  const digits = number.replaceAll(',', '');
  const isIndian = /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(number);
  return isIndian ? indian(digits) : cardinal(digits);
}

function indian(digits: string): string {
  const groups = [
    [digits.slice(0, -7), 'crore'],
    [digits.slice(-7, -5), 'lakh'],
    [digits.slice(-5), ''],
  ] as const;
  const words = groups
    .filter(([group]) => Number(group) > 0)
    .map(([group, name]) => `${cardinal(group)} ${name}`.trim());
  return words.join(' ') || cardinal(digits);
}

/** `0042` → `zero zero four two`. */
export function digitByDigit(digits: string): string {
  return Array.from(digits, (digit) => digitNames[Number(digit)]!).join(' ');
}

/**
 * `21` → `twenty first`.
 * @param digits at most 21
 */
export function ordinal(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  if (plain.length <= EXACT_DIGITS) return say(Number(plain), 'spellout-ordinal');
  const rest = Number(plain.slice(-EXACT_DIGITS));
  return quadrillions(plain) + (rest > 0 ? ` ${say(rest, 'spellout-ordinal')}` : 'th');
}

/** The groups above the 15 exact digits: `one quintillion two quadrillion`. */
function quadrillions(plain: string): string {
  const groups = [
    [Number(plain.slice(0, -18)), 'quintillion'],
    [Number(plain.slice(-18, -EXACT_DIGITS)), 'quadrillion'],
  ] as const;
  return groups
    .filter(([value]) => value > 0)
    .map(([value, scale]) => `${say(value, 'spellout-cardinal')} ${scale}`)
    .join(' ');
}

/** A year, or a number that is spoken like one, of any length: `1984`, `1905`, `2000`, `44`. */
export function year(digits: string): string {
  return digits.length === 4 ? say(Number(digits), 'spellout-numbering-year') : cardinal(digits);
}

/** Digits after a name, as in `A320`, `I-95` and `R2D2`: three and four digits in pairs. */
export function designation(digits: string): string {
  if (digits.startsWith('0') && digits.length > 1) return digitByDigit(digits);
  if (digits.length < 3) return cardinal(digits);
  if (digits.length === 4) return year(digits);
  if (digits.length > 4) return digitByDigit(digits);
  return `${digitNames[Number(digits[0])]} ${say(Number(digits.slice(1)), '2d-year')}`;
}

/** `3.50` → `three point five zero`, `.5` → `point five`; the whole part may have thousands separators. */
export function decimal(number: string): string {
  const [whole = '', part] = number.replaceAll(',', '').split('.');
  const wholeWords = whole ? cardinal(whole) : '';
  if (part === undefined) return wholeWords;
  return `${wholeWords} point ${digitByDigit(part)}`.trim();
}

const commonParts = new Set([24, 25, 30, 32, 40, 48, 50, 60, 64, 80, 100, 1000]);

/** `3/4` → `three quarters`, `36/43` → `thirty six over forty three`. */
export function fraction(numerator: string, denominator: string): string {
  const parts = Number(denominator);
  // Above one, ordinals this large are not said.
  const isImproper = Number(numerator) > parts && parts > 12;
  const isUsual = (parts <= 20 && !isImproper) || numerator === '1' || (commonParts.has(parts) && !isImproper);
  if (parts < 2 || !isUsual || (parts > 100 && parts !== 1000))
    return `${cardinal(numerator)} over ${cardinal(denominator)}`;
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
