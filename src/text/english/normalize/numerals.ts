import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { toAsciiDigits } from '../../transliteration.ts';
import { matchDay, matchNumericDate } from './dates.ts';
import { matchDuration } from './durations.ts';
import { matchFraction, matchWholeAndFraction } from './fractions.ts';
import { matchArc, matchFeetAndInches } from './lengths.ts';
import { matchCurrencyAfter, matchScaledCurrency } from './money.ts';
import {
  matchAircraft,
  matchFreephone,
  matchModel,
  matchNetworkStandard,
  matchPluralNumber,
  matchTaxSection,
  versionWords,
} from './numbered-names.ts';
import { cardinal, decimal, designation, digitByDigit, groupedNumber, ordinal } from './numbers.ts';
import { matchPhoneNumber } from './phones.ts';
import { matchRecord, matchRooms, matchTally } from './records.ts';
import type { Context, Match, Rule } from './rule.ts';
import { matchMonthAndDay } from './slashed-dates.ts';
import { matchMilitaryTime, matchTime } from './times.ts';
import { matchDecade, matchYear, matchYearSpan } from './years.ts';

const groups = /\d{1,20}(?:-\d{1,20}){2,8}(?![\p{L}\d])/uy;
const cardNumber = /\d{4}(?:[ -]\d{4}){3}(?!\d)/y;
const dottedNumber = /(?:\d{1,6})?(?:\.\d{1,6}){2,8}(?!\d)/y;
const slashed = /\d{1,9}(?:\/\d{1,9}){2,8}(?![\p{L}\d/])/uy;
const hexadecimal = /0x([0-9a-f]{1,32})(?![\p{L}\d])/iuy;

const serial = /(\d{4})-(\d{3})([\dX])(?![\p{L}\d-])/uy;
const digitalObject = /10\.(\d{4,9})\/(?=[\p{L}\d])/uy;

/** `ISSN 2049-3630`, and what `doi:10.1000/182` begins with. */
function matchRegistered({ text, index, previous }: Context): Match | undefined {
  const [issn, first = '', second = '', check = ''] = /^e?ISSN$/.test(previous)
    ? (matchAt(serial, text, index) ?? [])
    : [];
  if (issn) {
    const last = check === 'X' ? 'X' : digitByDigit(check);
    return { end: index + issn.length, words: `${digitByDigit(first)}, ${digitByDigit(second)} ${last}` };
  }
  const [doi, registrant = ''] = /^doi$/i.test(previous) ? (matchAt(digitalObject, text, index) ?? []) : [];
  return doi === undefined
    ? undefined
    : { end: index + doi.length, words: `ten point ${digitByDigit(registrant)} slash` };
}

/** Several groups of digits: `123-45-6789`, `1.2.3`, `192.168.0.1`, `0x1F`. */
function matchGroups({ text, index, previous }: Context): Match | undefined {
  const [separatedByDots] = matchAt(dotSeparated, text, index) ?? [];
  if (separatedByDots && !versionWords.has(previous.toLowerCase())) {
    return { end: index + separatedByDots.length, words: cardinal(separatedByDots.replaceAll('.', '')) };
  }
  const code = matchAt(postcode, text, index);
  if (code) return { end: index + code[0].length, words: `${digitByDigit(code[1]!)}, ${digitByDigit(code[2]!)}` };
  const many = matchAt(hundreds, text, index);
  if (many)
    return { end: index + many[0].length, words: `${cardinal(many[1]!.replaceAll(',', '')).replace(/^one /, '')}s` };
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
    const words = parts.map((part) => (part === '' ? '' : each(part))).join(address ? ' dot ' : ' point ');
    return { end: index + dotted[0].length, words: words.trim() };
  }
  const path = matchAt(slashed, text, index);
  if (path?.[0] === '24/7/365') return { end: index + 8, words: 'twenty four seven three sixty five' };
  if (path) return { end: index + path[0].length, words: path[0].split('/').map(cardinal).join(' slash ') };
  const hex = matchAt(hexadecimal, text, index);
  if (!hex?.[1]) return undefined;
  const digits = Array.from(hex[1], (digit) => (/\d/.test(digit) ? digitByDigit(digit) : digit.toUpperCase()));
  return { end: index + hex[0].length, words: `zero X ${digits.join(' ')}` };
}

const ordinalNumber = /(\d{1,3}(?:,\d{3}){1,6}|\d{1,21})(st|nd|rd|th)(s?)(?![\p{L}\d])/iuy;
/** As lawyers write them: `2d ed.`, `3d Cir.` */
const legalOrdinal = /([23])d(?=\s(?:ed|Cir|Sess|Cong|Dist|Dep['’]?t)\b)/y;
const scientific = /(\d{1,30}(?:\.\d{1,30})?)e([-+−]?)(\d{1,3})(?![\p{L}\d])/iuy;
/** Not of a list such as `255,128,0`. */
const separated = /\d{1,3}(?:,\d{3}){1,200}(?!\d|,\d)(?:\.\d{1,400})?/y;
const indianSeparated = /\d{1,2}(?:,\d{2}){1,20},\d{3}(?![\d]|,\d)(?:\.\d{1,400})?/y;
const thinSeparated =
  /\d{1,3}(?:(?:[\u00A0\u2009\u202F]\d{3}){1,7}|(?:'\d{3}){1,7}|(?: \d{3}){1,6} 000| 000(?=\s\p{Ll}))(?!\d)/uy;
/** As in German or Spanish. */
const dotSeparated = /[1-9]\d{0,2}(?:\.\d{3}){1,6}\.000(?![\d.]*\d)/y;
const hundreds = /(10{1,3}(?=s\sof(?!\p{L}))|1(?:,000){1,3})s(?![\p{L}\d])/uy;
const postcode = /(\d{5})-(\d{4})(?![\p{L}\d-])/uy;
const simpleNumber = /(\d{0,600})(\.\d{1,600})?/y;
const decimalComma =
  /(?:\d{1,3},\d{1,2}|0,\d{1,3})(?=\s?(?:kg|g|mg|km|cm|mm|m|[mcd]?[lL]|gal|lbs?|oz|°[CF]?|GB|MB|kWh?)(?![\p{L}\d]))/uy;
/** `1.234,56`: groups and decimals as in German or Spanish. */
const europeanDecimal = /([1-9]\d{0,2}(?:\.\d{3}){1,6}),(\d{1,2})(?![\d]|[.,]\d)/y;
/** `004-291`, `12-3456789`, `2024-0153`: no range begins with a zero, ends in so many digits, or in a zero and two more. */
const hyphenated = /(0\d{2,9}|\d{1,4}(?=-\d{7})|(?<!-)\d{2,8}(?=-0\d\d))-(\d{2,12})(?![\p{L}\d]|[-–.,:/]\d)/uy;
/** `483921 is your verification code` */
const sentCode = /\d{4,8}(?= is your (?:\p{L}{2,20} ){0,4}(?:code|PIN|OTP|passcode|password)(?!\p{L}))/uy;
const codeNamedBefore =
  /\b(?:code|pin|otp|passcode|password)\b(?: (?:for|to|of|from) [\p{L} ]{1,30})?,?(?: (?:is|was):?|:) $/iu;
const namedCode = /\d{4,8}(?![\p{L}\d%]|[.,:/-]\d|\s\p{Ll}{3,20}s(?!\p{L}))/uy;
/** `ID: 874 2231 9087` */
const digitGroups = /\d{3,4}(?: \d{3,4}){1,4}(?![\p{L}\d%]|[.,:/-]\d)/uy;
/** Status codes of HTTP, in pairs: `HTTP 404`, `a 404`, `503 error` */
const status = /[1-5]\d\d(?![\p{L}\d%]|[.,:/-]\d)/uy;
const statusBefore = /\b(?:HTTP(?:\/[\d.]{1,3})?|[Ee]rror|[Ss]tatus)(?: code)?:? $/;
const statusNext = /40[13-9](?=,? (?:errors?|pages?|Not Found|Forbidden|Unauthorized|status|responses?)(?!\p{L}))/uy;
const statusAlone = /40[134](?![\p{L}\d%]|[.,:/-]\d| \p{L})/uy;
const articleBefore = /(?:^|\b(?:an?|the|returns?|returned|with) )$/;
const lastDigits = /\d{4}(?![\d%]|[.,-]\d)/y;
const cardBefore =
  /\b(?:card|account|number|phone|SSN|Visa|Master[Cc]ard|Am[Ee]x|Discover|debit|credit)\b[^.,;]{0,30}\b(?:ending|ends) (?:in|with) $/i;
const spelledAfter = wordSet('code zip pin id serial account extension ext passcode password call dial dialed called');

/** `1.234,56 EUR` */
function matchEuropean(context: Context): Match | undefined {
  const [all, whole = '', part = ''] = matchAt(europeanDecimal, context.text, context.index) ?? [];
  if (all === undefined) return undefined;
  const end = context.index + all.length;
  const digits = whole.replaceAll('.', '');
  return matchCurrencyAfter(context, digits, part, end) ?? { end, words: decimal(`${digits}.${part}`) };
}

/** Codes, digit by digit: `12-3456789`, `ID: 874 2231 9087`, `Your code is 483921`, `483921 is your code`. */
function matchCode(context: Context): Match | undefined {
  const { text, index } = context;
  const [pair, first = '', second = ''] = matchAt(hyphenated, text, index) ?? [];
  if (pair) return { end: index + pair.length, words: `${digitByDigit(first)}, ${digitByDigit(second)}` };
  const isAfterName = () => codeNamedBefore.test(textBefore(context, 60));
  const groups = matchAt(digitGroups, text, index)?.[0];
  if (groups && (isNamedDigits(context) || isAfterName())) {
    return { end: index + groups.length, words: groups.split(' ').map(digitByDigit).join(', ') };
  }
  const sent = matchAt(sentCode, text, index)?.[0];
  const code = sent ?? matchAt(namedCode, text, index)?.[0];
  const isShort = () => /\b(?:[Tt]ext|SMS|[Mm]essage) \S{1,20} to $/.test(textBefore(context, 32));
  return code && (sent || isAfterName() || (code.length > 4 && isShort()))
    ? { end: index + code.length, words: digitByDigit(code) }
    : undefined;
}

/** The last number of `(n-1)th`, `(k+1)-st` */
const ordinalOfSum = /(\d{1,3})\)-?(?:st|nd|rd|th)(?![\p{L}\d])/uy;

function matchOrdinal({ text, index }: Context): Match | undefined {
  const [sum, last = ''] = /[-+−–]\s?$/.test(textBefore({ text, index }, 2))
    ? (matchAt(ordinalOfSum, text, index) ?? [])
    : [];
  if (sum) return { end: index + sum.length, words: `${ordinal(last)})` };
  const legal = matchAt(legalOrdinal, text, index);
  if (legal) return { end: index + 2, words: ordinal(legal[1]!) };
  const match = matchAt(ordinalNumber, text, index);
  if (!match) return undefined;
  return { end: index + match[0].length, words: ordinal(match[1]!.replaceAll(',', '')) + match[3] };
}

function matchScientific({ text, index }: Context): Match | undefined {
  const match = matchAt(scientific, text, index);
  // `Boeing's 7E7`
  if (!match || /^\dE\d$/.test(match[0])) return undefined;
  const power = `${/[-−]/.test(match[2]!) ? 'minus ' : ''}${cardinal(match[3]!)}`;
  return { end: index + match[0].length, words: `${decimal(match[1]!)} times ten to the power of ${power}` };
}

/** Whether a word such as *code* names the digits after it; not `Civil Code § 1798`. */
function isNamedDigits({ text, index, previous }: Context): boolean {
  return spelledAfter.has(previous.toLowerCase()) && !/[§¶]\s?$/.test(textBefore({ text, index }, 2));
}

/** A plain number and the currency after it. */
function matchPlainNumber(context: Context): Match | undefined {
  const { text, index, previous } = context;
  // `call 555 123 000`
  const isSpelled = isNamedDigits(context);
  const european = matchAt(decimalComma, text, index)?.[0];
  if (european) return { end: index + european.length, words: decimal(european.replace(',', '.')) };
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
    // `29 C.F.R. § 1910.1200`
    if (/[§¶]\s?$/.test(textBefore(context, 2)) && whole && /^[1-9]\d{1,3}$/.test(part))
      return { end, words: `${designation(whole)} point ${designation(part)}` };
    if (/^arxiv$/i.test(previous)) return { end, words: `${designation(whole)} point ${digitByDigit(part)}` };
    const version = versionWords.has(previous.toLowerCase()) && !part.startsWith('0');
    return { end, words: version ? `${cardinal(whole)} point ${cardinal(part)}` : decimal(number) };
  }
  return {
    end,
    words: grouped
      ? groupedNumber(indian ? grouped[0] : whole)
      : wholeNumber(whole, { ...digitsContext(text, index, previous), isNamed: isSpelled }),
  };
}

/** A measure, which no name is: `100°F-135`, `100km-150` */
const measureBefore = /[\d°]\s?(?:[CFKmgsVW]|[kcmn]m|[km]g|m[lL]|lbs?|ft|mph|px|[kM]W|[kMG]?Hz|[KMGT]B)-$/;

function digitsContext(text: string, index: number, previous: string) {
  const view = textBefore({ text, index }, 6);
  return {
    previous: previous.toLowerCase(),
    before: text[index - 1] ?? '',
    hyphenBefore: /\p{L}-$/u.test(view) && !measureBefore.test(view),
  };
}

function wholeNumber(
  digits: string,
  { previous, before, hyphenBefore, isNamed }: ReturnType<typeof digitsContext> & { isNamed: boolean },
): string {
  // `2005-08`
  // `'08`
  if (/^0\d$/.test(digits) && (/^\d{4}$/.test(previous) || /['’‘]/.test(before))) return `oh ${cardinal(digits)}`;
  if (digits.length > 1 && digits.startsWith('0')) return digitByDigit(digits);
  if (digits === '911' && previous !== 'porsche') return digitByDigit(digits);
  if (digits.length >= 3 && isNamed) return digitByDigit(digits);
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
  const isProduct = /\s/.test(size?.[2] ?? '') && /[=÷≈]/.test(text);
  if (size && !isProduct)
    return { end: index + size[0].length, words: `${designation(size[1]!)} by ${designation(size[3]!)}` };
  const match = matchAt(pairedWithLetter, text, index);
  if (!match || !/^(?:240|360|480|720|1080|1440|2160)$/.test(match[1]!)) return undefined;
  return { end: index + match[0].length, words: `${designation(match[1]!)} P` };
}

function matchStatus({ text, index }: Context): Match | undefined {
  const before = textBefore({ text, index }, 20);
  const isNamed = statusBefore.test(before) && matchAt(status, text, index);
  const isAlone = matchAt(statusNext, text, index) ?? (articleBefore.test(before) && matchAt(statusAlone, text, index));
  return isNamed || isAlone ? { end: index + 3, words: designation(text.slice(index, index + 3)) } : undefined;
}

/** The last digits of `a card ending in 8876` */
function matchLastDigits({ text, index }: Context): Match | undefined {
  const digits = matchAt(lastDigits, text, index)?.[0];
  const isMasked = /(?:[*•]{3,4}|[xX]{4}-?)$/.test(textBefore({ text, index }, 5));
  const isLast = digits && (isMasked || cardBefore.test(textBefore({ text, index }, 60)));
  return isLast ? { end: index + 4, words: digitByDigit(digits) } : undefined;
}

const rules: readonly Rule[] = [
  matchRegistered,
  matchRecord,
  matchRooms,
  matchMilitaryTime,
  matchNumericDate,
  matchMonthAndDay,
  matchTally,
  matchTime,
  matchDuration,
  matchFreephone,
  matchAircraft,
  matchModel,
  matchNetworkStandard,
  matchTaxSection,
  matchPluralNumber,
  matchYearSpan,
  matchPhoneNumber,
  matchCode,
  matchEuropean,
  matchGroups,
  matchArc,
  matchFeetAndInches,
  matchDay,
  matchFraction,
  matchWholeAndFraction,
  matchOrdinal,
  matchDecade,
  matchScientific,
  matchVideoLines,
  matchScaledCurrency,
  matchLastDigits,
  matchStatus,
  (context) => (isNamedDigits(context) ? undefined : matchYear(context)),
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
