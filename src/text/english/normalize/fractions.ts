import { matchAt, wordSet } from '../../patterns.ts';
import { isBibleBook } from './bible.ts';
import { spokenDate } from './dates.ts';
import { versionWords } from './numbered-names.ts';
import { cardinal, decimal, designation, digitByDigit, fraction, ordinal, year } from './numbers.ts';
import { type Context, finalStop, type Match } from './rule.ts';

const special: Record<string, string> = {
  '24/7': 'twenty four seven',
  '9/11': 'nine eleven',
  '50/50': 'fifty fifty',
  '20/20': 'twenty twenty',
};
const evenPair = /(?:50-50|24-7|20-20(?=\s(?:vision|hindsight)))(?![\d%-])/y;
const shares = /(\d\d)-(\d\d)(?=\s(?:split|rule|chance|mix|blend|ratio|partnership)(?!\p{L}))/uy;
/** What a fraction ends before, maybe a measure without a space: `1/2lb` */
const fractionEnd = String.raw`(?=(?:lbs?|oz|in|inch(?:es)?|ft|tsp|tbsp|cups?|miles?|mi|gal|qt|pt|kg|km|cm|mm)(?!\p{L})|$|[^\p{L}\d/.]|\.(?!\d))`;
const simpleFraction = new RegExp(
  String.raw`(\d{1,6})[/⁄](?!0\d)(\d{1,6})(?:(?<=(?<!\d)[1-9]\/\d{1,4})ths?|(?<=\/3)rds?|(?<=\/[345])s)?${fractionEnd}`,
  'uy',
);
const mixedFraction = new RegExp(String.raw`(\d{1,9})[\s-](\d{1,3})[/⁄](\d{1,3})(?:ths?|rds?)?${fractionEnd}`, 'uy');
/** `1.85:1` */
const decimalRatio = /(\d{1,4}\.\d{1,4}):(\d{1,4})(?![\d:.])/y;
/** `1:1s`, `a 1:1 with Ana` */
const oneOnOne =
  /1:1(?:(s)(?![\p{L}\d])|(?=\s(?:meetings?|with|chats?|calls?|sessions?|coaching|tutoring|mentoring)(?!\p{L})))/uy;
/** Not `Step 1: 20 grams`, with a space on one side. */
const ratio =
  /(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})(?:(?::|\s:\s)(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9})){1,5}(?!\d|:|,\d{3}(?!\d))/y;

const pressureNext = /\s?mm\s?Hg(?![\p{L}\d])/uy;
const calculationNext = /[\d/]{1,13}(?:\s?[=*×x+%]|\s(?:of|times)(?!\p{L}))/uy;
const pressureBefore = /\b(?:BP|pressures?|systolic)\b[^.;]{0,40}$/i;
const timeSignatures = wordSet('2/2 2/4 3/4 4/4 5/4 3/8 5/8 6/8 7/8 9/8 12/8');
const timeSignatureNext = /\s(?:time signature|met(?:er|re)|beats?|groove|rhythms?|waltz|march)(?!\p{L})/uy;
const lawBefore =
  /\b(?:Acts?|Laws?|Decrees?|Regulations?|Resolutions?|Cases?|Orders?|Bills?|Directives?|Decisions?)\s(?:\((?:EU|EC|EEC)\)\s)?(?:[Nn]o\.?\s)?$/;
/** What is counted up to a whole: `Step 1/3` */
const countedThings = wordSet('step part page slide chapter day week round level lesson episode lap sheet');
const ofNext = /\sof(?!\p{L})/uy;
const timeNext = /\stime(?!\p{L})/uy;
/** Time signatures that are not fractions in lowest terms, so that `in` before them is enough. */
const unreduced = wordSet('2/2 2/4 4/4 5/4 6/8 9/8 12/8');
const oddsNext = /\s(?:odds|favou?rites?|outsiders?|underdogs?|longshots?)(?!\p{L})/uy;
const oddsBefore = /\bodds(?: (?:of|are|were|is|at|now|from|to|on))?:? $/i;
/** Of texts in which fractions above one are odds. */
const betting =
  /\b(?:odds|bookmakers?|bookies?|each[- ]way|punters?)\b|(?<![\d/])(?:1[3-9]|[2-9]\d|\d{3})\/1(?![\d/]|\.\d)|\d\/\d{1,2} (?:favou?rite|outsider)/i;
const calculated = /[=+×*÷]/;
const ratioWord = /\bratios?\b/i;
/** Numbers for emergencies: `999/112` */
const emergency = /^(?:999|112|911|111|000)\/(?:999|112|911|111|000)$/;
const cricket =
  /(?<!\p{L})(?:overs?|ov|wkts?|wickets?|innings|bowled|lbw|batsm[ae]n|all out|not out|declared|dec|ODI|T20I?)(?!\p{L})|\d\*/u;
const declaredNext = / dec\.?(?![\p{L}\d])/uy;
/** Sets of tennis: `6/4, 3/6, 7/6 (5)` */
const sets = /(?<![\d/])[0-7]\/[0-7](?:\s?\(\d{1,2}\))?(?:,?\s[0-7]\/[0-7](?:\s?\(\d{1,2}\))?){1,4}(?![\d/])/g;
const points = /^(?:HP|MP|XP|SP|PP|AP|HITS)$/i;
const shots = /^(?:FG|FT|3P|3PT|FGs|FTs)$/;
const musical = /(?<!\p{L})(?:bpm|BPM|tempo|time signature|[Kk]ey:)|♩/u;
const measureNext =
  /\s(?:cups?|tsp|tbsp|teaspoons?|tablespoons?|of|inch(?:es)?|lbs?|oz|miles?|mi|hours?|stars?)(?!\p{L})/uy;
const equalsNext = /\s?=/y;

/** The time that a shutter is open: `1/250s` */
const shutter = /1\/(\d{2,4})\s?s(?:ec(?:ond)?)?(?![\p{L}\d])/uy;

/** `1/2`, `3 3/4`, `24/7`, `16:9`; `120/80` of blood pressure, `6/8` of music, `6/2=3`. */
export function matchFraction(context: Context): Match | undefined {
  const { text, index, previous } = context;
  const pair = matchAt(evenPair, text, index)?.[0];
  if (pair) return { end: index + pair.length, words: pair.split('-').map(cardinal).join(' ') };
  const [share, first = '', second = ''] = matchAt(shares, text, index) ?? [];
  if (share && Number(first) + Number(second) === 100) {
    return { end: index + share.length, words: `${cardinal(first)} ${cardinal(second)}` };
  }
  const [exposure, part] = matchAt(shutter, text, index) ?? [];
  if (exposure) return { end: index + exposure.length, words: `one ${ordinal(part!)} of a second` };
  const mixed = matchAt(mixedFraction, text, index);
  if (
    mixed &&
    Number(mixed[2]) < Number(mixed[3]) &&
    Number(mixed[3]) <= 64 &&
    Number(mixed[2]) > 0 &&
    Number(mixed[1]) > 0
  ) {
    return { end: index + mixed[0].length, words: `${cardinal(mixed[1]!)} and ${partOfMixed(mixed[2]!, mixed[3]!)}` };
  }
  const simple = matchAt(simpleFraction, text, index);
  if (simple) {
    const [all, numerator = '', denominator = ''] = simple;
    const numbers = [cardinal(numerator), cardinal(denominator)];
    // `√2/2`
    if (text[index - 1] === '√') return { end: index + all.length, words: numbers.join(' over ') };
    const law = sayLaw(text, index, numerator, denominator);
    if (law) return { end: index + all.length, words: law };
    if (emergency.test(all)) return { end: index + all.length, words: all.split('/').map(digitByDigit).join(', ') };
    const sport = sayOfSport(context, index + all.length, numerator, denominator);
    if (sport) return sport;
    const pressureUnit = matchAt(pressureNext, text, index + all.length)?.[0];
    // `10/12cm`
    if (numerator.length > 1 && /\p{L}/u.test(text[index + all.length] ?? '')) return undefined;
    if (pressureUnit || isPressure(text, index, Number(numerator), Number(denominator))) {
      const words = `${designation(numerator)} over ${numbers[1]}`;
      if (!pressureUnit) return { end: index + all.length, words };
      return { end: index + all.length + pressureUnit.length, words: `${words} millimeters of mercury` };
    }
    if (timeSignatures.has(all) && isTimeSignature(text, index, index + all.length))
      return { end: index + all.length, words: numbers.join(' ') };
    if (isOdds(text, index, index + all.length, Number(numerator), Number(denominator))) {
      return { end: index + all.length, words: numbers.join(' to ') };
    }
    const date = firstOfMonth(text, index + all.length, numerator, denominator);
    if (date) return date;
    // `Windows 10/11`, `a phase 2/3 trial`
    if (versionWords.has(previous.toLowerCase()) || /^(?:Win|[Pp]hase|[Ss]tage|[Gg]rade)$/.test(previous))
      return { end: index + all.length, words: numbers.join(' slash ') };
    if (matchAt(equalsNext, text, index + all.length) && Number(numerator) >= Number(denominator)) {
      return { end: index + all.length, words: numbers.join(' divided by ') };
    }
    // `an 80/20 split`
    if (Number(numerator) + Number(denominator) === 100) return { end: index + all.length, words: numbers.join(' ') };
    if (countedThings.has(previous.toLowerCase()) && Number(numerator) <= Number(denominator)) {
      return { end: index + all.length, words: numbers.join(' of ') };
    }
    const isWhole = (denominator === '10' && numerator !== '1') || numerator === denominator;
    const rating = isWhole || isScore(text, index, index + all.length, numerator, denominator);
    const words = rating ? `${cardinal(numerator)} out of ${cardinal(denominator)}` : fraction(numerator, denominator);
    return { end: index + all.length, words: Object.hasOwn(special, all) ? special[all]! : words };
  }
  const decimals = matchAt(decimalRatio, text, index);
  if (decimals?.[1]) {
    return { end: index + decimals[0].length, words: `${decimal(decimals[1])} to ${cardinal(decimals[2]!)}` };
  }
  const meeting = matchAt(oneOnOne, text, index);
  if (meeting) return { end: index + meeting[0].length, words: `one on one${meeting[1] ? 's' : ''}` };
  const compared = matchAt(ratio, text, index);
  if (!compared) return undefined;
  // `4:2:2` of video
  if (/^4:[0-4]:[0-4]$/.test(compared[0]))
    return { end: index + 5, words: compared[0].split(':').map(cardinal).join(' ') };
  // `Gen. 1:1`, `line 42:13`
  const between = isBibleBook(previous) || /^(?:lines?|qur['’]?an|koran|surah?)$/i.test(previous) ? ' ' : ' to ';
  const numbers = compared[0].replaceAll(',', '').match(/\d+/g) ?? [];
  return { end: index + compared[0].length, words: numbers.map(cardinal).join(between) };
}

function isOdds(text: string, index: number, end: number, first: number, second: number): boolean {
  if (matchAt(oddsNext, text, end) || oddsBefore.test(text.slice(Math.max(0, index - 12), index))) return true;
  if (first <= second || calculated.test(text)) return false;
  const isNamed = Object.hasOwn(special, text.slice(index, end)) || first + second === 100;
  return (second === 1 && ratioWord.test(text)) || (second <= 20 && !isNamed && betting.test(text));
}

/** `See you 7/1!` is a date: a fraction is not written with a denominator of one. */
function firstOfMonth(text: string, end: number, first: string, second: string): Match | undefined {
  if (second !== '1' || calculated.test(text) || matchAt(ofNext, text, end)) return undefined;
  const words = spokenDate(Number(first), 1);
  return words === undefined ? undefined : { end, words };
}

/** Runs and wickets, sets, points of games and shots: `287/6`, `6/4, 3/6`, `HP 45/100`, `FG 9/11`. */
function sayOfSport({ text, index, previous }: Context, end: number, first: string, second: string): Match | undefined {
  const numbers = [cardinal(first), cardinal(second)];
  if (Number(first) >= 10 && Number(second) < 10 && cricket.test(text)) {
    const declared = matchAt(declaredNext, text, end)?.[0] ?? '';
    return {
      end: end + declared.length,
      words: numbers.join(' for ') + (declared && ` declared${finalStop(text, end + declared.length)}`),
    };
  }
  if (shots.test(previous)) return { end, words: numbers.join(' of ') };
  if (points.test(previous) && Number(first) <= Number(second)) return { end, words: numbers.join(' out of ') };
  return isSet(text, index) ? { end, words: numbers.join(' ') } : undefined;
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

const ofCentury = /^(?:19|20)\d\d$/;

/** The number and the year of a law: `Act 392/1978`, `Regulation 2016/679`. */
function sayLaw(text: string, index: number, first: string, second: string): string | undefined {
  if (!lawBefore.test(text.slice(Math.max(0, index - 36), index))) return undefined;
  if (ofCentury.test(second)) return `${designation(first)} of ${year(second)}`;
  return ofCentury.test(first) ? `${year(first)} slash ${designation(second)}` : undefined;
}

const scoreBefore =
  /\b(?:scor(?:e|ed|es|ing)|rat(?:e|ed|es|ing)|marks?|grades?|got|earned)(?: (?:it|him|her|them|a|an|of|only|just|at|is|was|and|with|\d{1,3}\/\d{1,3})){0,3} $/i;
const starsNext = /\sstars?(?!\p{L})/uy;

/** Whether points of a whole are meant: `scored 18/20`, `95/100`, `4/5 stars`. */
function isScore(text: string, index: number, end: number, points: string, whole: string): boolean {
  if (Number(points) > Number(whole) || matchAt(ofNext, text, end)) return false;
  if (whole === '100' && Number(points) > 1) return true;
  if (!/^(?:5|10)$/.test(whole) && Number(whole) < 20) return false;
  return matchAt(starsNext, text, end) !== undefined || scoreBefore.test(text.slice(Math.max(0, index - 32), index));
}

/** Whether two numbers are a blood pressure: `BP 98/60`, and `130/84` anywhere. */
function isPressure(text: string, index: number, systolic: number, diastolic: number): boolean {
  if (systolic <= diastolic || systolic > 260 || diastolic < 30) return false;
  const isCalculated = diastolic % 100 === 0 || matchAt(calculationNext, text, index);
  return (systolic >= 100 && !isCalculated) || pressureBefore.test(text.slice(Math.max(0, index - 50), index));
}

/** Whether a fraction is a time signature of music: `in 6/8 time`, but not `I work 3/4 time`. */
function isTimeSignature(text: string, index: number, end: number): boolean {
  if (matchAt(timeSignatureNext, text, end)) return true;
  // Not of `5/6, 3/4, 2/3`
  const isListed = /\d\/\d{1,2},? (?:and )?$/.test(text.slice(Math.max(0, index - 10), index));
  if (musical.test(text) && !isListed && !matchAt(measureNext, text, end)) return true;
  if (/\bin $/i.test(text.slice(Math.max(0, index - 4), index)) && unreduced.has(text.slice(index, end))) {
    return !matchAt(ofNext, text, end);
  }
  const isAlone = /(?:^|[,;(]\s?|\b(?:in|at|a|the)\s)$/i.test(text.slice(Math.max(0, index - 5), index));
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

/** `3½` */
export function matchWholeAndFraction({ text, index }: Context): Match | undefined {
  const match = matchAt(wholeAndFraction, text, index);
  if (!match) return undefined;
  return {
    end: index + match[0].length,
    words: `${cardinal(match[1]!)} and ${partOfMixed(...fractionCharacters[match[2]!]!)}`,
  };
}
