import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { spokenDate } from './dates.ts';
import { versionWords } from './numbered-names.ts';
import { cardinal, designation, digitByDigit, year } from './numbers.ts';
import { type Context, finalStop, type Match } from './rule.ts';

/** Two numbers with a slash between them: `1/2` */
export interface SlashedNumbers extends Context {
  /** As written. */
  all: string;
  /** Index after it. */
  end: number;
  numerator: string;
  denominator: string;
  first: number;
  second: number;
  /** Both with words between them. */
  joined(words: string): string;
}

/** A match; null if the numbers are no fraction and have no reading of their own; undefined if the rule does not know them. */
type Reading = Match | null | undefined;

/** Numbers that are no fraction. In this order: the first that knows them wins. */
export const slashedReadings: readonly ((numbers: SlashedNumbers) => Reading)[] = [
  overRoot,
  coded,
  law,
  emergencies,
  wickets,
  shotsAndPoints,
  tennis,
  lengthsOfSides,
  bloodPressure,
  timeSignature,
  odds,
  firstOfMonth,
  versions,
  division,
  split,
  counted,
];

/** `√2/2` */
function overRoot({ text, index, end, joined }: SlashedNumbers): Reading {
  return text[index - 1] === '√' ? { end, words: joined('over') } : undefined;
}

/** The number and the year of a document: `H-0237/97`, `A4-0090/99` */
function coded(numbers: SlashedNumbers): Reading {
  const { end, numerator, denominator } = numbers;
  const isCode = /(?<!\p{L})\p{Lu}{1,2}\d?-$/u.test(textBefore(numbers, 5)) && /^\d{3,4}$/.test(numerator);
  return isCode ? { end, words: `${designation(numerator)} slash ${designation(denominator)}` } : undefined;
}

const lawBefore =
  /\b(?:Acts?|Laws?|Decrees?|Regulations?|Resolutions?|Cases?|Orders?|Bills?|Directives?|Decisions?)\s(?:\((?:EU|EC|EEC)\)\s)?(?:[Nn]o\.?\s)?$/;
const ofCentury = /^(?:19|20)\d\d$/;

/** The number and the year of a law: `Act 392/1978`, `Regulation 2016/679`. */
function law(numbers: SlashedNumbers): Reading {
  const { end, numerator, denominator } = numbers;
  if (!lawBefore.test(textBefore(numbers, 36))) return undefined;
  if (ofCentury.test(denominator)) return { end, words: `${designation(numerator)} of ${year(denominator)}` };
  // `Directive 96/23`
  if (!ofCentury.test(numerator) && !/^[5-9]\d$/.test(numerator)) return undefined;
  return { end, words: `${year(numerator)} slash ${designation(denominator)}` };
}

/** Numbers for emergencies: `999/112` */
const emergency = /^(?:999|112|911|111|000)\/(?:999|112|911|111|000)$/;

/** `999/112` */
function emergencies({ all, end }: SlashedNumbers): Reading {
  return emergency.test(all) ? { end, words: all.split('/').map(digitByDigit).join(', ') } : undefined;
}

const cricket =
  /(?<!\p{L})(?:overs?|ov|wkts?|wickets?|innings|bowled|lbw|batsm[ae]n|all out|not out|declared|dec|ODI|T20I?)(?!\p{L})|\d\*/u;
const declaredNext = / dec\.?(?![\p{L}\d])/uy;

/** Runs and wickets of cricket: `287/6`, `350/5 dec.` */
function wickets({ text, end: slashEnd, first, second, joined }: SlashedNumbers): Reading {
  if (first < 10 || second >= 10 || !cricket.test(text)) return undefined;
  const declared = matchAt(declaredNext, text, slashEnd)?.[0] ?? '';
  const end = slashEnd + declared.length;
  return { end, words: joined('for') + (declared && ` declared${finalStop(text, end)}`) };
}

const points = /^(?:HP|MP|XP|SP|PP|AP|HITS)$/i;
const shots = /^(?:FG|FT|3P|3PT|FGs|FTs)$/;

/** `FG 9/11`, `HP 45/100` */
function shotsAndPoints({ previous, end, first, second, joined }: SlashedNumbers): Reading {
  if (shots.test(previous)) return { end, words: joined('of') };
  return points.test(previous) && first <= second ? { end, words: joined('out of') } : undefined;
}

/** Sets of tennis: `6/4, 3/6, 7/6 (5)` */
const sets = /(?<![\d/])[0-7]\/[0-7](?:\s?\(\d{1,2}\))?(?:,?\s[0-7]\/[0-7](?:\s?\(\d{1,2}\))?){1,4}(?![\d/])/g;

function tennis({ text, index, end, joined }: SlashedNumbers): Reading {
  return isSet(text, index) ? { end, words: joined('') } : undefined;
}

/** Whether a fraction is one of several sets, each won by six or seven games. */
function isSet(text: string, index: number): boolean {
  const from = Math.max(0, index - 50);
  for (const match of text.slice(from, index + 50).matchAll(sets)) {
    const start = from + match.index;
    if (index < start || index >= start + match[0].length) continue;
    const games = [...match[0].matchAll(/(\d)\/(\d)/g)].map(([, one, other]) => [Number(one), Number(other)] as const);
    const isWon = ([one, other]: readonly [number, number]) => {
      const [most, least] = [Math.max(one, other), Math.min(one, other)];
      return most === 6 ? least <= 4 : most === 7 && least >= 5;
    };
    return games.every(isWon) && games.some(([one, other]) => one > other);
  }
  return false;
}

/** `10/12cm` */
function lengthsOfSides({ text, end, numerator }: SlashedNumbers): Reading {
  return numerator.length > 1 && /\p{L}/u.test(text[end] ?? '') ? null : undefined;
}

const pressureNext = /\s?mm\s?Hg(?![\p{L}\d])/uy;
const calculationNext = /[\d/]{1,13}(?:\s?[=*×x+%]|\s(?:of|times)(?!\p{L}))/uy;
const pressureBefore = /\b(?:BP|pressures?|systolic)\b[^.;]{0,40}$/i;

/** `120/80 mmHg`, `BP 98/60` */
function bloodPressure(numbers: SlashedNumbers): Reading {
  const { text, end, numerator, denominator } = numbers;
  const unit = matchAt(pressureNext, text, end)?.[0];
  if (!unit && !isPressure(numbers)) return undefined;
  const words = `${designation(numerator)} over ${cardinal(denominator)}`;
  return unit ? { end: end + unit.length, words: `${words} millimeters of mercury` } : { end, words };
}

/** Whether two numbers without a unit are a blood pressure: `BP 98/60`, and `130/84` anywhere. */
function isPressure(numbers: SlashedNumbers): boolean {
  const { text, index, first: systolic, second: diastolic } = numbers;
  if (systolic <= diastolic || systolic > 260 || diastolic < 30) return false;
  const isCalculated = diastolic % 100 === 0 || matchAt(calculationNext, text, index);
  return (systolic >= 100 && !isCalculated) || pressureBefore.test(textBefore(numbers, 50));
}

const timeSignatures = wordSet('2/2 2/4 3/4 4/4 5/4 3/8 5/8 6/8 7/8 9/8 12/8');
const timeSignatureNext = /\s(?:time signature|met(?:er|re)|beats?|groove|rhythms?|waltz|march)(?!\p{L})/uy;
const timeNext = /\stime(?!\p{L})/uy;
/** Time signatures that are not fractions in lowest terms, so that `in` before them is enough. */
const unreduced = wordSet('2/2 2/4 4/4 5/4 6/8 9/8 12/8');
const musical = /(?<!\p{L})(?:bpm|BPM|tempo|time signature|[Kk]ey:)|♩/u;
const measureNext =
  /\s(?:cups?|tsp|tbsp|teaspoons?|tablespoons?|of|inch(?:es)?|lbs?|oz|miles?|mi|hours?|stars?)(?!\p{L})/uy;
export const ofNext = /\sof(?!\p{L})/uy;

/** Of music: `in 6/8 time`, but not `I work 3/4 time`. */
function timeSignature(numbers: SlashedNumbers): Reading {
  const { all, end, joined } = numbers;
  return timeSignatures.has(all) && isTimeSignature(numbers) ? { end, words: joined('') } : undefined;
}

function isTimeSignature(numbers: SlashedNumbers): boolean {
  const { text, all, end } = numbers;
  if (matchAt(timeSignatureNext, text, end)) return true;
  // Not of `5/6, 3/4, 2/3`
  const isListed = /\d\/\d{1,2},? (?:and )?$/.test(textBefore(numbers, 10));
  if (musical.test(text) && !isListed && !matchAt(measureNext, text, end)) return true;
  if (/\bin $/i.test(textBefore(numbers, 4)) && unreduced.has(all)) return !matchAt(ofNext, text, end);
  const isAlone = /(?:^|[,;(]\s?|\b(?:in|at|a|the)\s)$/i.test(textBefore(numbers, 5));
  return isAlone && matchAt(timeNext, text, end) !== undefined;
}

const oddsNext = /\s(?:odds|favou?rites?|outsiders?|underdogs?|longshots?)(?!\p{L})/uy;
const oddsBefore = /\bodds(?: (?:of|are|were|is|at|now|from|to|on))?:? $/i;
/** Of texts in which fractions above one are odds. */
const betting =
  /\b(?:odds|bookmakers?|bookies?|each[- ]way|punters?)\b|(?<![\d/])(?:1[3-9]|[2-9]\d|\d{3})\/1(?![\d/]|\.\d)|\d\/\d{1,2} (?:favou?rite|outsider)/i;
const calculated = /[=+×*÷]/;
const ratioWord = /\bratios?\b/i;

/** `5/1 odds` */
function odds(numbers: SlashedNumbers): Reading {
  return isOdds(numbers) ? { end: numbers.end, words: numbers.joined('to') } : undefined;
}

function isOdds(numbers: SlashedNumbers): boolean {
  const { text, all, end, first, second } = numbers;
  if (matchAt(oddsNext, text, end) || oddsBefore.test(textBefore(numbers, 12))) return true;
  if (first <= second || calculated.test(text)) return false;
  const isNamed = Object.hasOwn(namedPairs, all) || first + second === 100;
  return (second === 1 && ratioWord.test(text)) || (second <= 20 && !isNamed && betting.test(text));
}

/** `See you 7/1!` is a date: a fraction is not written with a denominator of one. */
function firstOfMonth({ text, end, first, denominator }: SlashedNumbers): Reading {
  if (denominator !== '1' || calculated.test(text) || matchAt(ofNext, text, end)) return undefined;
  const words = spokenDate(first, 1);
  return words === undefined ? undefined : { end, words };
}

/** `Windows 10/11`, `a phase 2/3 trial` */
function versions({ previous, end, joined }: SlashedNumbers): Reading {
  const isVersion = versionWords.has(previous.toLowerCase()) || /^(?:Win|[Pp]hase|[Ss]tage|[Gg]rade)$/.test(previous);
  return isVersion ? { end, words: joined('slash') } : undefined;
}

/** `6/2 = 3` */
function division({ text, end, first, second, joined }: SlashedNumbers): Reading {
  return /^\s?=/.test(text.slice(end, end + 2)) && first >= second ? { end, words: joined('divided by') } : undefined;
}

/** `an 80/20 split` */
function split({ end, first, second, joined }: SlashedNumbers): Reading {
  return first + second === 100 ? { end, words: joined('') } : undefined;
}

/** What is counted up to a whole: `Step 1/3` */
const countedThings = wordSet('step part page slide chapter day week round level lesson episode lap sheet');

function counted({ previous, end, first, second, joined }: SlashedNumbers): Reading {
  const isCounted = countedThings.has(previous.toLowerCase()) && first <= second;
  return isCounted ? { end, words: joined('of') } : undefined;
}

/** Pairs of numbers with words of their own. */
export const namedPairs: Record<string, string> = {
  '24/7': 'twenty four seven',
  '9/11': 'nine eleven',
  '50/50': 'fifty fifty',
  '20/20': 'twenty twenty',
};
