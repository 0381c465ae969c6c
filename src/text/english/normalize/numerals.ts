import { matchAt, wordSet } from '../../patterns.ts';
import { toAsciiDigits } from '../../transliteration.ts';
import { matchDay, matchDecade, matchNumericDate, matchTime, matchYear, matchYearSpan } from './dates.ts';
import { matchDuration } from './durations.ts';
import { matchCurrencyAfter } from './money.ts';
import { matchAircraft, matchFreephone } from './numbered-names.ts';
import { cardinal, decimal, designation, digitByDigit, fraction, groupedNumber, ordinal } from './numbers.ts';
import { type Context, firstMatch, type Match, type Rule } from './rule.ts';
import { matchFeetAndInches } from './units.ts';

const groups = /\d{1,20}(?:-\d{1,20}){2,8}(?![\p{L}\d])/uy;
const cardNumber = /\d{4}(?:[ -]\d{4}){3}(?!\d)/y;
const dottedNumber = /\d{1,6}(?:\.\d{1,6}){2,8}(?!\d)/y;
const slashed = /\d{1,9}(?:\/\d{1,9}){2,8}(?![\p{L}\d/])/uy;
const hexadecimal = /0x([0-9a-f]{1,32})(?![\p{L}\d])/iuy;

/** Several groups of digits: `123-45-6789`, `1.2.3`, `192.168.0.1`, `0x1F`. */
function matchGroups({ text, index, previous }: Context): Match | undefined {
  const [separatedByDots] = matchAt(dotSeparated, text, index) ?? [];
  if (separatedByDots && !versionWords.has(previous.toLowerCase())) {
    return { end: index + separatedByDots.length, words: cardinal(separatedByDots.replaceAll('.', '')) };
  }
  const code = matchAt(postcode, text, index);
  if (code) return { end: index + code[0].length, words: `${digitByDigit(code[1]!)}, ${digitByDigit(code[2]!)}` };
  const many = matchAt(hundreds, text, index);
  if (many) return { end: index + many[0].length, words: `${cardinal(many[1]!).replace(/^one /, '')}s` };
  const grouped = matchAt(cardNumber, text, index) ?? matchAt(groups, text, index);
  if (grouped) {
    const parts = grouped[0].split(/[ -]/);
    const counted = parts.every((part) => part.length < 3 && !/^0\d/.test(part));
    return { end: index + grouped[0].length, words: parts.map(counted ? cardinal : digitByDigit).join(', ') };
  }
  const dotted = matchAt(dottedNumber, text, index);
  if (dotted) {
    const parts = dotted[0].split('.');
    const address = parts.length === 4 && parts.every((part) => Number(part) < 256);
    const each = (part: string) => (/^0\d/.test(part) ? digitByDigit(part) : cardinal(part));
    return { end: index + dotted[0].length, words: parts.map(each).join(address ? ' dot ' : ' point ') };
  }
  const path = matchAt(slashed, text, index);
  if (path) return { end: index + path[0].length, words: path[0].split('/').map(cardinal).join(' slash ') };
  const hex = matchAt(hexadecimal, text, index);
  if (!hex?.[1]) return undefined;
  const digits = Array.from(hex[1], (digit) => (/\d/.test(digit) ? digitByDigit(digit) : digit.toUpperCase()));
  return { end: index + hex[0].length, words: `zero X ${digits.join(' ')}` };
}

const special: Record<string, string> = {
  '24/7': 'twenty four seven',
  '9/11': 'nine eleven',
  '50/50': 'fifty fifty',
  '20/20': 'twenty twenty',
};
const simpleFraction = /(\d{1,6})[/⁄](\d{1,6})(?![\p{L}\d/]|\.\d)/uy;
const mixedFraction = /(\d{1,9})[\s-](\d{1,3})[/⁄](\d{1,3})(?![\p{L}\d/]|\.\d)/uy;
/** `Step 1: 20 grams` is none. */
const ratio = /\d{1,9}(?:(?::|\s:\s)\d{1,9}){1,5}(?![\d:])/y;

/** A chapter and a verse follow them. */
const bibleBooks = wordSet(
  `genesis gen exodus exod leviticus numbers deuteronomy deut psalm psalms ps proverbs prov isaiah isa jeremiah ezekiel daniel
  matthew matt mark luke john acts romans rom corinthians cor galatians ephesians philippians hebrews james peter revelation rev`,
);
const pressureNext = /\s?mm\s?Hg/y;
const metres = wordSet('2/2 2/4 3/4 4/4 5/4 3/8 5/8 6/8 7/8 9/8 12/8');
const metreNext = /\s(?:time signature|met(?:er|re))(?!\p{L})/uy;
const timeNext = /\stime(?!\p{L})/uy;
const equalsNext = /\s?=/y;

/** `1/2`, `3 3/4`, `24/7`, `16:9`; `120/80` of blood pressure, `6/8` of music, `6/2=3`. */
function matchFraction({ text, index, previous }: Context): Match | undefined {
  const mixed = matchAt(mixedFraction, text, index);
  if (mixed && Number(mixed[2]) < Number(mixed[3]) && Number(mixed[3]) <= 64 && Number(mixed[2]) > 0) {
    return { end: index + mixed[0].length, words: `${cardinal(mixed[1]!)} and ${partOfMixed(mixed[2]!, mixed[3]!)}` };
  }
  const simple = matchAt(simpleFraction, text, index);
  if (simple) {
    const [all, numerator = '', denominator = ''] = simple;
    const numbers = [cardinal(numerator), cardinal(denominator)];
    if (previous === 'BP' || matchAt(pressureNext, text, index + all.length)) {
      return { end: index + all.length, words: `${designation(numerator)} over ${numbers[1]}` };
    }
    if (metres.has(all) && isMetre(text, index, index + all.length))
      return { end: index + all.length, words: numbers.join(' ') };
    if (matchAt(equalsNext, text, index + all.length) && Number(numerator) >= Number(denominator)) {
      return { end: index + all.length, words: numbers.join(' divided by ') };
    }
    const rating = (denominator === '10' && numerator !== '1') || numerator === denominator;
    const words = rating ? `${cardinal(numerator)} out of ${cardinal(denominator)}` : fraction(numerator, denominator);
    return { end: index + all.length, words: Object.hasOwn(special, all) ? special[all]! : words };
  }
  const compared = matchAt(ratio, text, index);
  if (!compared) return undefined;
  const between = bibleBooks.has(previous.toLowerCase()) ? ' ' : ' to ';
  return { end: index + compared[0].length, words: (compared[0].match(/\d+/g) ?? []).map(cardinal).join(between) };
}

/** `in 6/8 time`; `I work 3/4 time` is a fraction. */
function isMetre(text: string, index: number, end: number): boolean {
  if (matchAt(metreNext, text, end)) return true;
  const isAlone = /(?:^|[,;(]\s?|\b(?:in|a|the)\s)$/i.test(text.slice(Math.max(0, index - 5), index));
  return isAlone && matchAt(timeNext, text, end) !== undefined;
}

/** After a whole number: `and a half`, `and three quarters`. */
function partOfMixed(numerator: string, denominator: string): string {
  return numerator === '1'
    ? fraction('1', denominator)
        .replace(/^one/, 'a')
        .replace(/^a eigh/, 'an eigh')
    : fraction(numerator, denominator);
}

const fractionCharacters: Record<string, [string, string]> = {
  '½': ['1', '2'],
  '⅓': ['1', '3'],
  '⅔': ['2', '3'],
  '¼': ['1', '4'],
  '¾': ['3', '4'],
  '⅕': ['1', '5'],
  '⅖': ['2', '5'],
  '⅗': ['3', '5'],
  '⅘': ['4', '5'],
  '⅙': ['1', '6'],
  '⅚': ['5', '6'],
  '⅛': ['1', '8'],
  '⅜': ['3', '8'],
  '⅝': ['5', '8'],
  '⅞': ['7', '8'],
};
const wholeAndFraction = /(\d{1,9})\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])/y;

/** `½` by itself. */
export function matchFractionCharacter({ text, index }: Context): Match | undefined {
  const parts = fractionCharacters[text[index]!];
  return parts && { end: index + 1, words: fraction(...parts) };
}

function matchWholeAndFraction({ text, index }: Context): Match | undefined {
  const match = matchAt(wholeAndFraction, text, index);
  if (!match) return undefined;
  return {
    end: index + match[0].length,
    words: `${cardinal(match[1]!)} and ${partOfMixed(...fractionCharacters[match[2]!]!)}`,
  };
}

const ordinalNumber = /(\d{1,3}(?:,\d{3}){1,6}|\d{1,21})(st|nd|rd|th)(s?)(?![\p{L}\d])/iuy;
const scientific = /(\d{1,30}(?:\.\d{1,30})?)e([-+−]?)(\d{1,3})(?![\p{L}\d])/iuy;
const separated = /\d{1,3}(?:,\d{3}){1,200}(?![\d]|,\d{3})(?:\.\d{1,400})?/y;
const indianSeparated = /\d{1,2}(?:,\d{2}){1,20},\d{3}(?![\d]|,\d)(?:\.\d{1,400})?/y;
const thinSeparated =
  /\d{1,3}(?:(?:[\u00A0\u2009\u202F]\d{3}){1,7}|(?:'\d{3}){1,7}|(?: \d{3}){1,6} 000| 000(?=\s\p{Ll}))(?!\d)/uy;
/** As in German or Spanish. */
const dotSeparated = /[1-9]\d{0,2}(?:\.\d{3}){1,6}\.000(?![\d.]*\d)/y;
const hundreds = /(10{1,3})s(?=\sof(?!\p{L}))/uy;
const postcode = /(\d{5})-(\d{4})(?![\p{L}\d-])/uy;
const simpleNumber = /(\d{0,600})(\.\d{1,600})?/y;
const versionWords = wordSet(
  'version release v ver python node windows ios macos android ubuntu java chrome firefox typescript',
);
const spelledAfter = wordSet('code zip pin id serial account extension ext passcode password call dial dialed called');

function matchOrdinal({ text, index }: Context): Match | undefined {
  const match = matchAt(ordinalNumber, text, index);
  if (!match) return undefined;
  return { end: index + match[0].length, words: ordinal(match[1]!.replaceAll(',', '')) + match[3] };
}

function matchScientific({ text, index }: Context): Match | undefined {
  const match = matchAt(scientific, text, index);
  if (!match) return undefined;
  const power = `${/[-−]/.test(match[2]!) ? 'minus ' : ''}${cardinal(match[3]!)}`;
  return { end: index + match[0].length, words: `${decimal(match[1]!)} times ten to the power of ${power}` };
}

/** A plain number and the currency after it. */
function matchPlainNumber(context: Context): Match | undefined {
  const { text, index, previous } = context;
  // `call 555 123 000`
  const isSpelled = spelledAfter.has(previous.toLowerCase());
  const indian = matchAt(indianSeparated, text, index);
  const grouped =
    indian ?? matchAt(separated, text, index) ?? (isSpelled ? undefined : matchAt(thinSeparated, text, index));
  const match = grouped ?? matchAt(simpleNumber, text, index);
  const number = match?.[0].replace(/[\s',]/g, '');
  if (!number) return undefined;
  const end = index + match![0].length;
  const [whole = '', part] = number.split('.');
  const money = matchCurrencyAfter(context, whole, part ?? '', end);
  if (money) return money;
  if (part !== undefined) {
    const version = versionWords.has(previous.toLowerCase()) && !part.startsWith('0');
    return { end, words: version ? `${cardinal(whole)} point ${cardinal(part)}` : decimal(number) };
  }
  return {
    end,
    words: grouped
      ? groupedNumber(indian ? grouped[0] : whole)
      : wholeNumber(whole, digitsContext(text, index, previous)),
  };
}

function digitsContext(text: string, index: number, previous: string) {
  return {
    previous: previous.toLowerCase(),
    before: text[index - 1] ?? '',
    hyphenBefore: /[\p{L}]-$/u.test(text.slice(Math.max(0, index - 2), index)),
  };
}

function wholeNumber(digits: string, { previous, before, hyphenBefore }: ReturnType<typeof digitsContext>): string {
  // `2005-08`
  // `'08`
  if (/^0\d$/.test(digits) && (/^\d{4}$/.test(previous) || /['’‘]/.test(before))) return `oh ${cardinal(digits)}`;
  if (digits.length > 1 && digits.startsWith('0')) return digitByDigit(digits);
  if (digits === '911' && previous !== 'porsche') return digitByDigit(digits);
  if (digits.length >= 3 && spelledAfter.has(previous)) return digitByDigit(digits);
  if (hyphenBefore && digits.length >= 3) return designation(digits);
  // Account and order numbers are spoken digit by digit; round numbers are amounts.
  if (digits.length >= 7 && !digits.endsWith('000')) return digitByDigit(digits);
  return before === '#' && digits.length > 4 ? digitByDigit(digits) : cardinal(digits);
}

const resolution = /(\d{3,4})(\s?[x×]\s?)(\d{3,4})(?![\p{L}\d.,])/uy;
const pairedWithLetter = /(\d{3,4})([pP])(?![\p{L}\d])/uy;

/** `1080p`, `1920x1080`. */
function matchVideoLines({ text, index }: Context): Match | undefined {
  const size = matchAt(resolution, text, index);
  if (size) return { end: index + size[0].length, words: `${designation(size[1]!)} by ${designation(size[3]!)}` };
  const match = matchAt(pairedWithLetter, text, index);
  if (!match || !/^(?:240|360|480|720|1080|1440|2160)$/.test(match[1]!)) return undefined;
  return { end: index + match[0].length, words: `${designation(match[1]!)} P` };
}

const militaryTime = /(0\d)([0-5]\d)(?=\s(?:hours|hrs)(?!\p{L}))/uy;

/** `0930 hours` */
function matchMilitaryTime({ text, index }: Context): Match | undefined {
  const [all, hours = '', minutes = ''] = matchAt(militaryTime, text, index) ?? [];
  if (all === undefined) return undefined;
  const hour = hours === '00' ? 'zero' : `oh ${cardinal(hours)}`;
  const rest = minutes === '00' ? 'hundred' : minutes[0] === '0' ? `oh ${cardinal(minutes)}` : cardinal(minutes);
  return { end: index + all.length, words: `${hour} ${rest}` };
}

const rules: readonly Rule[] = [
  matchMilitaryTime,
  matchNumericDate,
  matchTime,
  matchDuration,
  matchFreephone,
  matchAircraft,
  matchYearSpan,
  matchPhoneNumber,
  matchGroups,
  matchFeetAndInches,
  matchDay,
  matchFraction,
  matchWholeAndFraction,
  matchOrdinal,
  matchDecade,
  matchScientific,
  matchVideoLines,
  (context) => (spelledAfter.has(context.previous.toLowerCase()) ? undefined : matchYear(context)),
  matchPlainNumber,
];

/** Text that begins with a digit, or with a decimal point and a digit. */
export function matchNumeral(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

const otherDigits = /\p{Nd}{1,100}/uy;

/** Digits of other scripts and characters for whole numbers: `٣`, `①`, `Ⅷ`. */
export function matchOtherNumeral({ text, index }: Context): Match | undefined {
  const match = matchAt(otherDigits, text, index);
  if (match) return { end: index + match[0].length, words: cardinal(toAsciiDigits(match[0])) };
  const character = String.fromCodePoint(text.codePointAt(index)!);
  const digits = /(?![⁰¹²³⁴⁵⁶⁷⁸⁹])\p{No}/u.test(character) ? character.normalize('NFKC').replace(/\D/g, '') : '';
  return digits ? { end: index + character.length, words: cardinal(digits) } : undefined;
}

const nationalPhone = /(?:\+?(\d{1,3})[ .-]?)?(?:\((\d{3})\)|(\d{3}))[ .-]?(\d{3})[ .-](\d{4})(?![\p{L}\d]|[-.]\d)/uy;
const internationalPhone = /\+\d{1,4}(?:[ .-]{0,1}\(?\d{1,12}\)?){1,7}(?![\p{L}\d])/uy;
const shortPhone = /(\d{3})-(\d{4})(?![\p{L}\d]|-\d)/uy;
const trunkPhone = /0\d{2,4}[ -]\d{3,4}(?:[ -]?\d{3,4})(?![\p{L}\d])/uy;

/** Telephone numbers, group by group. */
export function matchPhoneNumber({ text, index, options }: Context): Match | undefined {
  if (!options.phone_normalization) return undefined;
  const match =
    matchAt(nationalPhone, text, index) ??
    matchAt(internationalPhone, text, index) ??
    matchAt(shortPhone, text, index) ??
    matchAt(trunkPhone, text, index);
  if (!match || match[0].replace(/\D/g, '').length < 7) return undefined;
  const groups = match.slice(1).filter((group) => group !== undefined);
  const parts = groups.length > 0 ? groups : (match[0].match(/\d+/g) ?? []);
  const plus = match[0].startsWith('+') ? 'plus ' : '';
  return { end: index + match[0].length, words: plus + parts.map(phoneGroup).join(', ') };
}

function phoneGroup(digits: string): string {
  return /^[1-9]00$/.test(digits) ? cardinal(digits) : digitByDigit(digits);
}
