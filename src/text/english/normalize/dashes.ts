import { clauseAround, subtractsInEquation } from '../../equations.ts';
import { matchAt } from '../../patterns.ts';
import { isCalendarName } from './calendar-names.ts';
import type { Context, Match } from './rule.ts';

const clockBefore = /\d(?::\d\d)?(?:\s?[ap]\.?m\.?)\s?$|\d:\d\d\s?$/i;
const clockAfter = /^\s?\d{1,2}(?::\d\d|(?::\d\d)?\s?[ap]\.?m)(?!\d)/i;

const month = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec';
const weekday = '(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?:[a-z]{0,6}day)?';
const dateBefore = new RegExp(
  String.raw`(?:(?:${month})[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)?(?:, (?:19|20)\d\d)?|(?:19|20)\d\d)|\b\d{1,2}(?:st|nd|rd|th)? (?:${month})[a-z]*\.?|\d\s?[ap]\.?m\.?|\b(?:noon|midnight|BC|BCE|AD))$`,
  'i',
);
const dateAfter = new RegExp(
  String.raw`(?:(?:${weekday},? )?(?:(?:${month})[a-z]*\.? \d|\d{1,2}(?:st|nd|rd|th)? (?:${month}))|noon\b|midnight\b|AD \d|\d{1,2}(?::\d\d)?\s?[ap]\.?m|\d{1,4} (?:BC|AD))`,
  'iy',
);
const yearBefore = /(?<!\d)(?:19|20)\d\d$/;
/** `March – May 2026`; without the year it may be a pause. */
const monthBefore = new RegExp(String.raw`(?<!\p{L})(?:${month})[a-z]*\.?$`, 'u');
const monthOfYear = new RegExp(String.raw`(?:${month})[a-z]*\.?,? (?:19|20)\d\d(?!\d)`, 'y');
/** `2019-present`; after a space, it must end the parenthesis. */
const present = /(?:present|now|today|current|date)(?!\p{L})/iuy;
const presentAlone = /(?:present|now|today|current)(?=\s*(?:[),.;:|]|$))/iuy;
const weekdayBefore = new RegExp(String.raw`(?<!\p{L})${weekday}\.?$`, 'u');
const weekdayNext = new RegExp(String.raw`${weekday}(?!\p{L})`, 'uy');
const noonNext = /(?:noon|midnight)(?!\p{L})/uy;
const measureBefore = /\d[\d.,]{0,20}\s?([\p{L}°µμ%$€£¢"″′²³]{1,5}(?:\/\p{L}{1,4})?)$/u;
const measureAfter = /[~$€£]?\d[\d.,]{0,20}\s?([\p{L}°µμ%$€£¢"″′²³]{1,5}(?:\/\p{L}{1,4})?)(?![\p{L}\d])/uy;

const hoursNext = /\d{1,2}\s?h/y;
/** `Fig. 3a–c` */
const partBefore = /(?<![\p{L}\d])\d{1,3}([a-z])$/u;
const partNext = /([a-z])(?![\p{L}\d])/uy;
/** The start of a range of clauses, or of characters in a regular expression: `2(b)(1)-(3)`, `[a-z0-9]` */
const listedBefore = /(?<![=+*^].{0,39})\(\w{1,3}\)$|(?:^|\s)[([]?\[\d{1,3}\]$|\[\^?(?:\w-\w){0,4}\w$/;
const listedAfter = /\(\w{1,3}\)(?![(=+*^!])|\[\d{1,3}\]|\w(?:\w-\w){0,4}\]/y;

/** A letter and a number at each end of a range: `Q1–Q3`. */
const lettered = /(?:^|[^\p{L}\d])(\p{Lu})(\d{1,2})\s?$/u;
const letteredNext = /\s?(\p{Lu}?)(\d{1,2})(?![\p{L}\d]|[-–]\d)/uy;

function joinsLettered(text: string, index: number, end: number): boolean {
  const [, letter, from] = lettered.exec(text.slice(Math.max(0, index - 6), index)) ?? [];
  const [, nextLetter, to] = matchAt(letteredNext, text, end) ?? [];
  // `C5–6`; with a hyphen it may be a name.
  const isSame = letter === nextLetter || (nextLetter === '' && text[index] === '–');
  return letter !== undefined && isSame && Number(from) < Number(to);
}

/** Whether a dash joins two dates, times, eras, quarters, or numbers with the same unit: `10am–noon`, `5km-10km`. */
export function joinsRange(text: string, index: number, end: number): boolean {
  if (joinsLettered(text, index, end)) return true;
  const [, part = ''] = partBefore.exec(text.slice(Math.max(0, index - 5), index)) ?? [];
  if (part && text[index] === '–' && (matchAt(partNext, text, end)?.[1] ?? '') > part) return true;
  // `q4–6h`
  if (/(?<!\p{L})q\.?\d{1,2}$/u.test(text.slice(Math.max(0, index - 5), index)) && matchAt(hoursNext, text, end))
    return true;
  const isSpaced = /\s/.test(text[index - 1] ?? '') && /\s/.test(text[end] ?? '');
  const view = text.slice(Math.max(0, index - 40), isSpaced ? index - 1 : index);
  const next = isSpaced ? end + 1 : end;
  if (/\s$/.test(view)) return false;
  if (dateBefore.test(view) && matchAt(dateAfter, text, next)) return true;
  if (monthBefore.test(view) && matchAt(monthOfYear, text, next)) return true;
  if (yearBefore.test(view) && matchAt(isSpaced ? presentAlone : present, text, next)) return true;
  if (weekdayBefore.test(view) && matchAt(weekdayNext, text, next)) return true;
  if (isSpaced) return false;
  // `x[i-1]` subtracts.
  const isOneKind = /\d/.test(text[index - 1] ?? '') === /\d/.test(text[end] ?? '');
  if (isOneKind && listedBefore.test(view) && matchAt(listedAfter, text, end)) return true;
  if (/\b\d{1,2}(?::\d\d)?$/.test(view) && matchAt(noonNext, text, end)) return true;
  const [, unit] = measureBefore.exec(view) ?? [];
  return unit !== undefined && matchAt(measureAfter, text, end)?.[1] === unit;
}

/** A run of variables, numbers and signs of arithmetic. */
const arithmetic = /^[\p{L}\d()[\]{}+*^=.,!²³⁴−-]{3,60}$/u;

/** The number before another: `(n-1)`, `x[i-1]`, `k-1 steps` */
const counterBefore = /(?<![\p{L}\d'’.-])[ijkmn]$/u;
const counterAfter = /[12](?![\d\p{L}.-])/uy;

/** Whether an unspaced hyphen is a minus between variables, numbers or brackets: `2x-1`, `f(x)=x-1`, `(a+b)(a-b)`. */
export function isAlgebraicMinus(text: string, index: number, end: number): boolean {
  const from = /\S*$/.exec(text.slice(Math.max(0, index - 40), index))![0];
  const to = /^\S*/.exec(text.slice(end, end + 40))![0].replace(/[.,;:?]+$/, '');
  if (counterBefore.test(from) && matchAt(counterAfter, text, end)) return true;
  const run = `${from}-${to}`;
  if (!/[a-z\d)\]²³]$/.test(from) || !/^[a-z\d([]/.test(to) || !arithmetic.test(run)) return false;
  if (/\p{L}{2}/u.test(run.replace(/sin|cos|tan|log|ln/g, '')) || !/[a-z]/.test(run)) return false;
  return /[=+*^²³]|[)\]][(!]|\p{L}\(|(?<!\d)\d*[xyz]-\d|\d[xyzn]-/u.test(run);
}

/** `return a - b`, `n - 1` */
const unknownBefore = /(?<![\p{L}\d'’.-])[a-z]\s$/u;
const countBefore = /(?<![\p{L}\d'’.-])[ijkmnxyz]\s$/u;
const unknownAfter = /^\s[a-z](?!\p{L})/u;
const wordsBefore = /=[^=()\d]{0,40}\p{L}{2}\s$/u;
/** `margin = (revenue - cost) / revenue` */
const bracketBefore = /=[^=()]{0,40}\(\p{L}[\p{L} _]{1,30}\s$/u;
const bracketAfter = /^\s[\p{L}\d][\p{L}\d _]{0,30}\)\s?[*/×÷+−^-]/u;
const termBefore = /=[^=()]{1,40}\s$/;
const termAfter = /^\s[\p{L}\d_.]{1,30}\s?(?:[-−+*×÷/=)]|$)/u;

function isBetweenUnknowns(before: string, after: string): boolean {
  return (unknownBefore.test(before) && unknownAfter.test(after)) || (countBefore.test(before) && /^\s\d/.test(after));
}

/** `b² - 4ac`; not `mc² - a famous formula` */
const powerBefore = /(?:[²³⁴]|\^\d)\s?$/;
const powerAfter = /^\s?(?:[\d(]|(?![aAI]\s\p{L}{2})\p{L}(?!\p{L}))/u;
const taskBefore = /\b(?:calculate|compute|evaluate|simplify|what(?: is|['’]s))\s\(?\d[\d.,]{0,12}\s?$/i;
const taskAfter = /^\s?\d[\d.,]{0,12}\s?(?:[-−+*/×÷=)]|$)/;

/** Whether a dash subtracts in an equation; between spaces its terms may be words: `profit = revenue - costs`. */
export function subtracts(text: string, index: number): boolean {
  const [before, after] = clauseAround(text, index);
  const isEven = /\s$/.test(before) === /^\s/.test(after);
  if (isEven && (subtractsInEquation(before, after) || isBetweenUnknowns(before, after))) return true;
  if (isEven && powerBefore.test(before) && powerAfter.test(after)) return true;
  if (isEven && taskBefore.test(before) && taskAfter.test(after)) return true;
  if (bracketBefore.test(before) && bracketAfter.test(after)) return true;
  return (wordsBefore.test(before) && /^\s/.test(after)) || (termBefore.test(before) && termAfter.test(after));
}

/** Whether a hyphen stands before an unknown: `e^(-x)`, `y = -x`. */
function isNegative(text: string, index: number, end: number): boolean {
  const isOperand = /[\^=+*/×]\s?\(?$/.test(text.slice(Math.max(0, index - 3), index));
  return isOperand && /^[A-Za-z](?!\p{L})/u.test(text.slice(end, end + 2));
}

/** Not before `and B-roads`, which shares its second half. */
const gradeEnd = /(?:[,;.!?)]|\s(?!(?:and|or|to)\s\p{L}+-\p{L}|\s)|$)/uy;

const valueNext = /\s{0,2}[$£€¥]?(\d[\d,]{0,20}(?:\.\d{1,9})?)/y;
/** A decreasing pair after these is a score: `won 3 - 1`. */
const scoreBefore =
  /\b(?:won|wins?|lost|loses?|beat|beaten|defeat(?:ed)?|victory|lead|led|draw|drew|scored?|tied?|final|result|ended)\b[^.;,]{0,24}$/i;

/** Whether numbers with a hyphen between spaces are a range or a score: `3 - 5 years`, `(1922 - 2013)`, `won 3 - 1`. */
function joinsValues(text: string, index: number, end: number, previous: string): boolean {
  const from = Number(previous.replace(/[$£€¥,]/g, ''));
  const to = Number(matchAt(valueNext, text, end)?.[1]?.replaceAll(',', ''));
  return from < to || (from >= to && scoreBefore.test(text.slice(Math.max(0, index - 40), index)));
}

const betweenBefore = /\bbetween (?:about |roughly )?[$£€¥]?\d[\d.,:]{0,12}(?:[%°kKmM]|\s?[ap]\.?m\.?)?\s?$/i;
/** A second end, which makes the range the first one: `between 5-6 and 8-9` */
const secondEnd = /\s?[$£€¥]?\d[\d.,:]{0,12}\S{0,6}(?:\s\p{L}{1,10}){0,2}\sand\s[$£€¥]?\d/uy;

/** A hyphen or dash that is not a pause: `to` between numbers and days, `and` after `between`, silent between words. */
export function matchHyphen(context: Context, end: number): Match {
  const { text, index } = context;
  const match = joinOrMinus(context, end);
  const isBetween = match.words === 'to' && betweenBefore.test(text.slice(Math.max(0, index - 36), index));
  return isBetween && !matchAt(secondEnd, text, end) ? { end, words: 'and' } : match;
}

/** A model of language and its number of parameters: `Gemma2-9B` */
const namedBefore = /(?:^|[\s("“/])\p{Lu}\p{L}{2,}\d+(?:\.\d+)?$/u;
const sizeNext = /\d{1,4}(?:\.\d{1,2})?[BMbm](?![\p{L}\d])/uy;
const labelNext = /^(\d{1,4})[A-Z](?![\p{L}\d])/u;
/** The threads per inch of a screw: `1/4-20 x 3/4"`, `#8-32 screws` */
const threadBefore = /(?:(?<!\d)\d{1,2}\/\d{1,2}|#\d{1,2})$/;
const threadNext = /\d\d(?=\s?[x×]\s?\d|\s(?:bolts?|screws?|nuts?|threads?|taps?|UN[CF])(?!\p{L}))/uy;
const countdownNext = /\d{1,3}(?::\d\d|\s?(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?)(?!\p{L}))/uy;

/** `Rm. 4-102`: the floor or house and the room */
const roomBefore = /\b(?:Rm|Room|Suite|Ste|Apt|Apartment|Unit|Office|Lab|Hall|Locker|Box)\.?\s#?\d{1,2}$/i;
const roomNext = /\d{3,4}(?![\p{L}\d]|[-–.,]\d)/uy;

/** `FY2023-24` */
const fiscalBefore = /(?<!\p{L})(?:FY|AY|SY|CY)\s?(?:19|20)?(\d\d)$/u;
const fiscalNext = /(?:19|20)?(\d\d)(?![\p{L}\d]|[-–.,/]\d)/uy;

/** Whether a hyphen joins a fiscal or academic year and the next one. */
function joinsFiscalYears(text: string, index: number, end: number): boolean {
  const [, from] = fiscalBefore.exec(text.slice(Math.max(0, index - 8), index)) ?? [];
  const to = from && matchAt(fiscalNext, text, end)?.[1];
  return to !== undefined && (Number(from) + 1) % 100 === Number(to);
}

function joinOrMinus({ text, index, previous }: Context, end: number): Match {
  if (joinsFiscalYears(text, index, end)) return { end, words: 'to' };
  if (roomBefore.test(text.slice(Math.max(0, index - 16), index)) && matchAt(roomNext, text, end))
    return { end, words: '' };
  if (threadBefore.test(text.slice(Math.max(0, index - 6), index)) && matchAt(threadNext, text, end))
    return { end, words: '' };
  // `T-10 minutes`
  if (previous === 'T' && text[index - 1] === 'T' && matchAt(countdownNext, text, end)) return { end, words: 'minus' };
  if (joinsRange(text, index, end)) return { end, words: 'to' };
  if (isAlgebraicMinus(text, index, end) || isNegative(text, index, end)) return { end, words: 'minus' };
  // `'98–'99`
  if (/['’‘]\d\d$/.test(text.slice(Math.max(0, index - 3), index)) && /^['’‘]\d\d/.test(text.slice(end, end + 3))) {
    return { end, words: 'to' };
  }
  const before = text[index - 1] ?? '';
  const after = text[end] ?? '';
  const spaced = /\s/.test(before) && /\s/.test(after);
  const numeric = /^[\d$£€¥½⅓⅔¼¾⅛⅜⅝⅞]/.test(previous);
  // `-5–-10`
  const signNext = text[index] === '–' && /^[-−]\d/.test(text.slice(end, end + 2));
  const numberAfter = signNext || /^\s{0,2}[$£€¥]?\.?[\d½⅓⅔¼¾⅛⅜⅝⅞]/.test(text.slice(end, end + 5));
  if (clockBefore.test(text.slice(Math.max(0, index - 12), index)) && clockAfter.test(text.slice(end, end + 12))) {
    return { end, words: 'to' };
  }
  if (spaced && numeric && numberAfter && /[\d%½⅓⅔¼¾⅛⅜⅝⅞]\s*$/.test(text.slice(Math.max(0, index - 3), index))) {
    const mayRange =
      text[index] !== '−' &&
      (/[½⅓⅔¼¾⅛⅜⅝⅞]$/.test(previous) || text[index] === '–' || joinsValues(text, index, end, previous));
    return { end, words: mayRange && !subtracts(text, index) ? 'to' : 'minus' };
  }
  if (subtracts(text, index) || text[index] === '−') return { end, words: 'minus' };
  // `Llama-3.1-8B`, `CVE-2022-39253`
  const isName = /(?:^|[\s("“#])\p{Lu}[\p{L}\d]*-\d[\d.]*$/u.test(text.slice(Math.max(0, index - 40), index));
  // `Qwen2.5-7B`
  const isSize = namedBefore.test(text.slice(Math.max(0, index - 40), index)) && matchAt(sizeNext, text, end);
  // `flight 8-4A`
  const isLabel = Number(previous) > Number(labelNext.exec(text.slice(end, end + 6))?.[1]);
  if (!spaced && numeric && numberAfter && (isName || isSize || isLabel)) return { end, words: '' };
  if (!spaced && numeric && numberAfter && /[\d%°\p{L}.¢€£½⅓⅔¼¾⅛⅜⅝⅞]/u.test(before)) return { end, words: 'to' };
  const offset = /^(?:UTC|GMT)$/.test(previous) && numberAfter;
  if (offset) return { end, words: 'minus' };
  // The grade `A-`, not `A- and B-roads`.
  if (/(?:^|[\s(])[A-D]$/.test(text.slice(Math.max(0, index - 2), index)) && matchAt(gradeEnd, text, end))
    return { end, words: 'minus' };
  const next = /^\p{L}+/u.exec(text.slice(end, end + 12))?.[0] ?? '';
  if (isCalendarName(previous) && isCalendarName(next)) return { end, words: 'to' };
  if (/^[A-Z]$/.test(previous) && /^[A-Z]$/.test(next))
    return { end, words: previous === 'A' && next === 'Z' ? 'to' : '' };
  return { end, words: '' };
}
