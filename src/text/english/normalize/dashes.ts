import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { isCalendarName } from './calendar-names.ts';
import { isAlgebraicMinus, isNegative, subtracts } from './minus.ts';
import { joinsRange } from './ranges.ts';
import type { Match } from './rule.ts';
import type { SymbolContext } from './symbol-rule.ts';

/** The words of a dash: `to` of a range, `minus`, empty if it is silent; undefined if the rule does not know it. */
type Reading = string | undefined;

/** In this order: the first that knows the dash wins. */
const readings: readonly ((dash: SymbolContext) => Reading)[] = [
  fiscalYears,
  room,
  thread,
  part,
  countdown,
  ({ text, index, end }) => (joinsRange(text, index, end) ? 'to' : undefined),
  ({ text, index, end }) => (isAlgebraicMinus(text, index, end) || isNegative(text, index, end) ? 'minus' : undefined),
  shortYears,
  clockTimes,
  spacedNumbers,
  ({ text, index, character }) => (subtracts(text, index) || character === '−' ? 'minus' : undefined),
  nameWithNumber,
  numbers,
  timeZone,
  grade,
  calendarNames,
  capitals,
];

const betweenBefore = /\bbetween (?:about |roughly )?[$£€¥]?\d[\d.,:]{0,12}(?:[%°kKmM]|\s?[ap]\.?m\.?)?\s?$/i;
/** A second end, which makes the range the first one: `between 5-6 and 8-9` */
const secondEnd = /\s?[$£€¥]?\d[\d.,:]{0,12}\S{0,6}(?:\s\p{L}{1,10}){0,2}\sand\s[$£€¥]?\d/uy;

/** A hyphen or dash that is not a pause: `to` between numbers and days, `and` after `between`, silent between words. */
export function matchHyphen(dash: SymbolContext): Match | undefined {
  const { text, character, end } = dash;
  if (!/[-–−]/.test(character)) return undefined;
  const words = firstMatch(readings, dash) ?? '';
  const isBetween = words === 'to' && betweenBefore.test(textBefore(dash, 36)) && !matchAt(secondEnd, text, end);
  return { end, words: isBetween ? 'and' : words };
}

const fiscalBefore = /(?<!\p{L})(?:FY|AY|SY|CY)\s?(?:19|20)?(\d\d)$/u;
const fiscalNext = /(?:19|20)?(\d\d)(?![\p{L}\d]|[-–.,/]\d)/uy;

/** A fiscal or academic year and the next one: `FY2023-24` */
function fiscalYears(dash: SymbolContext): Reading {
  const [, from] = fiscalBefore.exec(textBefore(dash, 8)) ?? [];
  const to = from && matchAt(fiscalNext, dash.text, dash.end)?.[1];
  return to !== undefined && (Number(from) + 1) % 100 === Number(to) ? 'to' : undefined;
}

const roomBefore = /\b(?:Rm|Room|Suite|Ste|Apt|Apartment|Unit|Office|Lab|Hall|Locker|Box)\.?\s#?\d{1,2}$/i;
const roomNext = /\d{3,4}(?![\p{L}\d]|[-–.,]\d)/uy;

/** The floor or house and the room: `Rm. 4-102` */
function room(dash: SymbolContext): Reading {
  return roomBefore.test(textBefore(dash, 16)) && matchAt(roomNext, dash.text, dash.end) ? '' : undefined;
}

const threadBefore = /(?:(?<!\d)\d{1,2}\/\d{1,2}|#\d{1,2})$/;
const threadNext = /\d\d(?=\s?[x×]\s?\d|\s(?:bolts?|screws?|nuts?|threads?|taps?|UN[CF])(?!\p{L}))/uy;

/** The threads per inch of a screw: `1/4-20 x 3/4"`, `#8-32 screws` */
function thread(dash: SymbolContext): Reading {
  return threadBefore.test(textBefore(dash, 6)) && matchAt(threadNext, dash.text, dash.end) ? '' : undefined;
}

const partBefore =
  /\b(?:ISO(?:\/IEC)?|IEC|IEEE|DIN|EN|BS|ANSI|Acts?|Laws?|Decrees?|Regulations?|Resolutions?|Directives?)\s(?:[Nn]o\.?\s)?\d{3,6}$/;

/** The part of a standard, the number of a law: `ISO 639-3`, `Decree 2005-981` */
function part(dash: SymbolContext): Reading {
  return partBefore.test(textBefore(dash, 30)) && /^\d/.test(dash.after) ? 'dash' : undefined;
}

const countdownNext = /\d{1,3}(?::\d\d|\s?(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?)(?!\p{L}))/uy;

/** `T-10 minutes` */
function countdown({ text, before, previous, end }: SymbolContext): Reading {
  return previous === 'T' && before === 'T' && matchAt(countdownNext, text, end) ? 'minus' : undefined;
}

/** `'98–'99` */
function shortYears(dash: SymbolContext): Reading {
  const { text, end } = dash;
  return /['’‘]\d\d$/.test(textBefore(dash, 3)) && /^['’‘]\d\d/.test(text.slice(end, end + 3)) ? 'to' : undefined;
}

const clockBefore = /\d(?::\d\d)?(?:\s?[ap]\.?m\.?)\s?$|\d:\d\d\s?$/i;
const clockAfter = /^\s?\d{1,2}(?::\d\d|(?::\d\d)?\s?[ap]\.?m)(?!\d)/i;

/** `9:30 - 10am` */
function clockTimes(dash: SymbolContext): Reading {
  const { text, end } = dash;
  return clockBefore.test(textBefore(dash, 12)) && clockAfter.test(text.slice(end, end + 12)) ? 'to' : undefined;
}

/** Whether a dash has a space on both sides. */
const isSpaced = ({ before, after }: SymbolContext) => /\s/.test(before) && /\s/.test(after);

const isNumberAfter = ({ text, character, end }: SymbolContext) =>
  // `-5–-10`
  (character === '–' && /^[-−]\d/.test(text.slice(end, end + 2))) ||
  /^\s{0,2}[$£€¥]?\.?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(text.slice(end, end + 5));

const isBetweenNumbers = (dash: SymbolContext) => /^[\d$£€¥½⅓⅔¼¾⅛⅜⅝⅞]/.test(dash.previous) && isNumberAfter(dash);

/** `3 – 5 years`, `3 - 2 = 1` */
function spacedNumbers(dash: SymbolContext): Reading {
  const { text, index, character, previous } = dash;
  const isAfterNumber = /[\d%½⅓⅔¼¾⅛⅜⅝⅞]\s*$/.test(textBefore(dash, 3));
  if (!isSpaced(dash) || !isBetweenNumbers(dash) || !isAfterNumber) return undefined;
  const isRange = /[½⅓⅔¼¾⅛⅜⅝⅞]$/.test(previous) || character === '–' || joinsValues(dash);
  return character !== '−' && isRange && !subtracts(text, index) ? 'to' : 'minus';
}

const valueNext = /\s{0,2}[$£€¥]?(\d[\d,]{0,20}(?:\.\d{1,9})?)/y;
/** A decreasing pair after these is a score: `won 3 - 1`. */
const scoreBefore =
  /\b(?:won|wins?|lost|loses?|beat|beaten|defeat(?:ed)?|victory|lead|led|draw|drew|scored?|tied?|final|result|ended)\b[^.;,]{0,24}$/i;

/** Whether numbers with a hyphen between spaces are a range or a score: `3 - 5 years`, `(1922 - 2013)`, `won 3 - 1`. */
function joinsValues(dash: SymbolContext): boolean {
  const { text, previous, end } = dash;
  const from = Number(previous.replace(/[$£€¥,]/g, ''));
  const to = Number(matchAt(valueNext, text, end)?.[1]?.replaceAll(',', ''));
  return from < to || (from >= to && scoreBefore.test(textBefore(dash, 40)));
}

/** A model of language and its number of parameters: `Gemma2-9B` */
const namedBefore = /(?:^|[\s("“/])\p{Lu}\p{L}{2,}\d+(?:\.\d+)?$/u;
const sizeNext = /\d{1,4}(?:\.\d{1,2})?[BMbm](?![\p{L}\d])/uy;
const labelNext = /^(\d{1,4})[A-Z](?![\p{L}\d])/u;

/** `Llama-3.1-8B`, `CVE-2022-39253`, `Qwen2.5-7B`, `flight 8-4A` */
function nameWithNumber(dash: SymbolContext): Reading {
  const { text, previous, end } = dash;
  if (isSpaced(dash) || !isBetweenNumbers(dash)) return undefined;
  const before = textBefore(dash, 40);
  const isName = /(?:^|[\s("“#])\p{Lu}[\p{L}\d]*-\d[\d.]*$/u.test(before);
  const isSize = namedBefore.test(before) && matchAt(sizeNext, text, end) !== undefined;
  const isLabel = Number(previous) > Number(labelNext.exec(text.slice(end, end + 6))?.[1]);
  return isName || isSize || isLabel ? '' : undefined;
}

/** `5-10` */
function numbers(dash: SymbolContext): Reading {
  const isJoined = !isSpaced(dash) && isBetweenNumbers(dash);
  return isJoined && /[\d%°\p{L}.¢€£½⅓⅔¼¾⅛⅜⅝⅞]/u.test(dash.before) ? 'to' : undefined;
}

/** `UTC-5` */
function timeZone(dash: SymbolContext): Reading {
  return /^(?:UTC|GMT)$/.test(dash.previous) && isNumberAfter(dash) ? 'minus' : undefined;
}

/** Not before `and B-roads`, which shares its second half. */
const gradeEnd = /(?:[,;.!?)]|\s(?!(?:and|or|to)\s\p{L}+-\p{L}|\s)|$)/uy;

/** The grade `A-`, not `A- and B-roads` */
function grade(dash: SymbolContext): Reading {
  const isGrade = /(?:^|[\s(])[A-D]$/.test(textBefore(dash, 2)) && matchAt(gradeEnd, dash.text, dash.end);
  return isGrade ? 'minus' : undefined;
}

const wordAfter = ({ text, end }: SymbolContext) => /^\p{L}+/u.exec(text.slice(end, end + 12))?.[0] ?? '';

/** `Monday-Friday` */
function calendarNames(dash: SymbolContext): Reading {
  return isCalendarName(dash.previous) && isCalendarName(wordAfter(dash)) ? 'to' : undefined;
}

/** `A-Z`, `B-C` */
function capitals(dash: SymbolContext): Reading {
  const pair = dash.previous + wordAfter(dash);
  if (!/^[A-Z]{2}$/.test(pair) || dash.previous.length !== 1) return undefined;
  return pair === 'AZ' ? 'to' : '';
}
