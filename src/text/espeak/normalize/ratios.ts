import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, decimal } from './numbers.ts';
import { type Context, type Match, nextWord } from './rule.ts';
import { matchDayAndMonth } from './short-dates.ts';
import { unitNounAt } from './unit-names.ts';
import { numberAt } from './written-numbers.ts';

/** Every 8 hours. */
const INTERVAL = /(\d{1,2})\/\1\s?(?:h|hs|horas)(?!\p{L})/uy;
const PAIR = /(\d{1,3}(?:[.,]\d{1,2})?)\/(\d{1,3})(?![\d/]|[.,]\d|(?:i?[eèé]mes?|es?|ᵉˢ?)(?!\p{L}))/uy;
/** Marks that are the best of a scale, and the whole of few other things. */
const BEST_ALONE = /^(?:20|30|100|110)$/;
/** The best marks of usual scales. */
const BEST = /^(?:5|6|10|20|30|50|100|110)$/;
const MARK_BEFORE =
  /(?<!\p{L})(?:nota|notas|note|voto|voti|puntuaci[oó]n|valoraci[oó]n|calificaci[oó]n|pontuação|avaliação|valutazione|punteggio|média|media|moyenne|rating|score)(?:\s\p{L}{1,5}){0,2}\s?:?\s$/iu;
const STARS_AFTER = /\s(?:estrellas|estrelas|étoiles|stelle|puntos|pontos|points|punti)(?!\p{L})/uy;
const PRESSURE_BEFORE =
  /(?<!\p{L})(?:(?:PA|TA|BP|बीपी|रक्तचाप|[Tt]ensi[oó]n|[Tt]ension|[Pp]resi[oó]n|[Pp]ression|[Pp]ressão|[Pp]ressione)(?:\sarterial|\sartérielle|\sarteriosa)?(?:\s(?:de|di|era|é|es|est|è|a|à))?\s?:?\s)$/u;
const PRESSURE_AFTER = /\s?mm\s?Hg/y;
const UNIT_AFTER = /\s?(?:V|bar|psi|k?Pa|volts?|de\s(?:pulgada|polegada))(?!\p{L})/uy;
/** The lowest and the highest of a day. */
const EXTREMES_BEFORE = /(?<!\p{L})m(?:[íi]n|[áa]x)\p{L}{0,4}\.?\/m(?:[íi]n|[áa]x)\p{L}{0,4}\.?\s?:?\s$/iu;
/** A set of tennis. */
const SET = '(?:6/[0-4]|7/[56]|[0-4]/6|[56]/7)';
const JOINT = '(?:\\s?\\(\\d{1,2}\\))?(?:,?\\s(?:(?:e|y|et)\\s)?)';
const SETS = new RegExp(`${SET}${JOINT}${SET}(?![\\d/])`, 'y');
const SET_BEFORE = new RegExp(`(?<![\\d/])${SET}${JOINT}$`);
/** A list of days. */
const DAYS_BEFORE = /(?<!\p{L})(?:d[ií]as|fechas?|datas?|dates?|jours|giorni)\s?:?\s$/iu;
const SETS_BEFORE = new RegExp(`(?:(?<![\\d/])${SET}${JOINT}){1,5}$`);
const LAST_SET = new RegExp(`${SET}(?![\\d/])`, 'y');
/** The number of a house or a document. */
const LABEL_BEFORE = /(?:नं\.|नंबर|सं\.|संख्या|मकान|गली|खसरा|प्लॉट|ब्लॉक|वार्ड|धारा)\s?$/u;
const SAME_BEFORE = /(?<!\d)(\d{1,2})\s?(?:h|j|jours?|heures?|ore|giorni|horas?|d[ií]as?)$/u;
const SAME_AFTER = /^\/(\d{1,2})(?!\d)/;
const TIME = '\\d{1,2}(?:\\s?h(?:\\d\\d)?|:\\d\\d)';
const TIMES_BEFORE = new RegExp(`[-–]\\s?(?:${TIME}|\\d{1,2})\\s?$`, 'u');
const TIMES_AFTER = new RegExp(`/\\s?(?:${TIME}|\\d{1,2})\\s?[-–]\\s?\\d{1,2}(?!\\d)`, 'uy');

/** Spans of time; a part of one has a preposition before it. Behind a date is an hour: `5/6 ore 18`. */
const TIME_NEXT =
  /\s(?:segundos|minutos|horas|d[ií]as|semanas|meses|a[nñ]os|secondes|minutes|heures|jours|semaines|mois|ans|années|secondi|minuti|ore|giorni|settimane|mesi|anni)(?!\p{L}|\s\d)/uy;

/** `2/3 giorni`: two or three. */
function numberOfTimes(context: Context, above: string, below: string, end: number): Match | undefined {
  const { text, language } = context;
  const { eitherGender, genderOf } = language.rules;
  const isRising = Number(above) > 1 && Number(above) < Number(below) && Number(below) <= 60;
  if (!eitherGender || !isRising || !matchAt(TIME_NEXT, text, end)) return undefined;
  const noun = nextWord(context, end);
  const [first, second] = [above, below].map((digits) => cardinal(language, digits, genderOf(noun), noun));
  return { end, words: `${first} ${eitherGender} ${second}` };
}

/** `8,5/10`, `8/8h`, `120/80 mmHg`, `6/4, 7/5`, `24/7`, `paso 1/3`: two numbers that are not a fraction. */
export function matchRatio(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\d.,/-]/u.test(text[index - 1] ?? '')) return undefined;
  const [interval = '', hours = ''] = (language.rules.every && matchAt(INTERVAL, text, index)) || [];
  if (hours) {
    const count = cardinal(language, hours, 'feminine', 'horas');
    return {
      end: index + interval.length,
      words: `${count} ${language.rules.every} ${count} ${hours === '1' ? 'hora' : 'horas'}`,
    };
  }
  const match = matchAt(PAIR, text, index);
  if (!match) return undefined;
  if (EXTREMES_BEFORE.test(textBefore(context, 30))) {
    const words = `${decimal(language, numberAt(context, index)!)} ${language.rules.and} `;
    return { end: index + match[1]!.length + 1, words };
  }
  const [all, above, below] = match as unknown as [string, string, string];
  const pairEnd = index + all.length;
  const times = numberOfTimes(context, above, below, pairEnd);
  if (times) return times;
  const between = wordBetween(context, above, below, pairEnd);
  if (between === undefined) return undefined;
  const first = decimal(language, numberAt(context, index)!);
  const unit = matchAt(PRESSURE_AFTER, text, pairEnd) ? unitNounAt(context, pairEnd) : undefined;
  const words = [first, between, cardinal(language, below), unit?.many ?? ''].filter(Boolean).join(' ');
  return { end: unit?.end ?? pairEnd, words };
}

/** The words between the two numbers; undefined if they are not a ratio, but a fraction or a date. */
function wordBetween(context: Context, above: string, below: string, end: number): string | undefined {
  const { text, language } = context;
  const { cricket, outOf, outOfSmaller, over, range, steps } = language.rules;
  const before = textBefore(context, 30);
  if (/^(?:24\/7|50\/50)$/.test(`${above}/${below}`)) return '';
  if (cricket?.sentence.test(text) && isRunsAndWickets(context, above, below)) return cricket.wickets;
  if (steps?.before.test(before) && Number(above) <= Number(below)) return steps.of;
  // Saison 94/95
  const areYears = /^[5-9]\d$/.test(above) && Number(below) === Number(above) + 1;
  if (areYears || isSet(context)) return range;
  if (over && isPressure(context, above, below, end)) return over;
  if (outOf && outOfSmaller && isImproper(context, above, below)) return outOf;
  if (outOf && isPraise(context, end)) return outOf;
  // El 10/10 is a day.
  if (outOf && above === below && Number(below) > 2 && !matchDayAndMonth(context)) return outOf;
  if (!outOf || !BEST.test(below) || Number.parseFloat(above.replace(',', '.')) > Number(below)) return undefined;
  const isMark =
    /[.,]/.test(above) ||
    BEST_ALONE.test(below) ||
    MARK_BEFORE.test(before) ||
    matchAt(STARS_AFTER, text, end) !== undefined;
  return isMark ? outOf : undefined;
}

/** `¡10/10!`, `10/10, lo recomiendo` */
function isPraise(context: Context, end: number): boolean {
  const { text, index } = context;
  return (
    text.slice(index, end) === '10/10' &&
    /^$|[¡“"]$/.test(textBefore(context, 1)) &&
    /^(?:[!.,)”"]|$)/.test(text.slice(end, end + 1))
  );
}

/** Whether the numbers are no house, day or fraction, but may be runs and wickets: `250/7`. */
function isRunsAndWickets(context: Context, above: string, below: string): boolean {
  const isPair = /^\d+$/.test(above) && Number(above) > Number(below) && Number(below) <= 10;
  return isPair && !LABEL_BEFORE.test(textBefore(context, 12)) && !matchDayAndMonth(context);
}

/** The runs of a batter who stayed in: `82*` */
export function matchNotOut(context: Context): Match | undefined {
  const { text, index, language } = context;
  const isMarked =
    text[index] === '*' &&
    /(?<![\d.,])\d{1,3}$/.test(textBefore(context, 4)) &&
    !/^\s?\d/.test(text.slice(index + 1, index + 3));
  const { cricket } = language.rules;
  return isMarked && cricket?.sentence.test(text) ? { end: index + 1, words: ` ${cricket.notOut}` } : undefined;
}

/** Whether the numbers are no fraction since the first one is not less: `12/8`, `7/7`. */
function isImproper(context: Context, above: string, below: string): boolean {
  const isLarge = Number.parseFloat(above.replace(',', '.')) >= Number(below) && below.length < 3;
  return isLarge && !matchDayAndMonth(context);
}

/** Whether the numbers are a set in a list of sets, and the list is not one of days. */
function isSet(context: Context): boolean {
  const { text, index, language } = context;
  const before = textBefore(context, 60);
  const isListed = matchAt(SETS, text, index) ?? (SET_BEFORE.test(before) ? matchAt(LAST_SET, text, index) : undefined);
  const beforeList = before.slice(0, SETS_BEFORE.exec(before)?.index);
  return isListed !== undefined && !DAYS_BEFORE.test(beforeList) && !language.rules.dateBefore?.test(beforeList);
}

/** Whether the numbers are a blood pressure, in millimetres or centimetres. */
function isPressure(context: Context, above: string, below: string, end: number): boolean {
  const { text } = context;
  if (matchAt(PRESSURE_AFTER, text, end)) return true;
  const isUsual = Number.parseFloat(above) >= 8 && Number.parseFloat(above) > Number(below);
  return isUsual && PRESSURE_BEFORE.test(textBefore(context, 30)) && !matchAt(UNIT_AFTER, text, end);
}

/** The slash in `24h/24`, `7j/7`, and between two spans of hours: `9h-12h/14h-18h`. */
export function matchAround(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (text[index] !== '/') return undefined;
  if (TIMES_BEFORE.test(textBefore(context, 12)) && matchAt(TIMES_AFTER, text, index)) {
    return { end: index + 1, words: ` ${language.rules.and} ` };
  }
  const number = SAME_BEFORE.exec(textBefore(context, 12))?.[1];
  const isSame = number !== undefined && SAME_AFTER.exec(text.slice(index, index + 4))?.[1] === number;
  return isSame && language.rules.outOf ? { end: index + 1, words: ` ${language.rules.outOf} ` } : undefined;
}
