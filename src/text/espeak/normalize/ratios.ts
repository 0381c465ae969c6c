import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal, decimal } from './numbers.ts';
import type { Context, Match } from './rule.ts';
import { unitNounAt } from './unit-names.ts';
import { numberAt } from './written-numbers.ts';

const PAIR = /(\d{1,3}(?:[.,]\d{1,2})?)\/(\d{1,3})(?![\d/]|[.,]\d)/y;
/** The best marks of usual scales. */
const BEST = /^(?:5|6|10|20|30|50|100|110)$/;
const MARK_BEFORE =
  /(?<!\p{L})(?:nota|notas|note|voto|voti|puntuaci[oó]n|valoraci[oó]n|calificaci[oó]n|pontuação|avaliação|valutazione|punteggio|média|media|moyenne|rating|score)(?:\s\p{L}{1,5}){0,2}\s?:?\s$/iu;
const STARS_AFTER = /\s(?:estrellas|estrelas|étoiles|stelle|puntos|pontos|points|punti)(?!\p{L})/uy;
const PRESSURE_BEFORE =
  /(?<!\p{L})(?:(?:PA|TA|BP|tensi[oó]n|tension|presi[oó]n|pression|pressão|pressione)(?:\sarterial|\sartérielle|\sarteriosa)?(?:\s(?:de|di|era|é|es|est|è|a|à))?\s?:?\s)$/u;
const PRESSURE_AFTER = /\s?mm\s?Hg/y;
/** A set of tennis. */
const SET = '(?:[67]/[0-7]|[0-5]/[67])';
const JOINT = '(?:\\s?\\(\\d{1,2}\\))?(?:,?\\s(?:(?:e|y|et)\\s)?)';
const SETS = new RegExp(`${SET}${JOINT}${SET}(?![\\d/])`, 'y');
const SET_BEFORE = new RegExp(`(?<![\\d/])${SET}${JOINT}$`);
const LAST_SET = new RegExp(`${SET}(?![\\d/])`, 'y');
const SAME_BEFORE = /(?<!\d)(\d{1,2})\s?(?:h|j|jours?|heures?|ore|giorni|horas?|d[ií]as?)$/u;
const SAME_AFTER = /^\/(\d{1,2})(?!\d)/;

/** `8,5/10`, `120/80 mmHg`, `6/4, 7/5`, `24/7`: two numbers that are no fraction. */
export function matchRatio(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\d.,/-]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(PAIR, text, index);
  if (!match) return undefined;
  const [all, above, below] = match as unknown as [string, string, string];
  const pairEnd = index + all.length;
  const between = wordBetween(context, above, below, pairEnd);
  if (between === undefined) return undefined;
  const first = decimal(language, numberAt(context, index)!);
  const unit = matchAt(PRESSURE_AFTER, text, pairEnd) ? unitNounAt(context, pairEnd) : undefined;
  const words = [first, between, cardinal(language, below), unit?.many ?? ''].filter(Boolean).join(' ');
  return { end: unit?.end ?? pairEnd, words };
}

/** What is said for the slash; undefined if another rule has it. */
function wordBetween(context: Context, above: string, below: string, end: number): string | undefined {
  const { text, index, language } = context;
  const { outOf, over, range } = language.rules;
  const before = textBefore(context, 30);
  if (`${above}/${below}` === '24/7') return '';
  if (matchAt(SETS, text, index) || (SET_BEFORE.test(before) && matchAt(LAST_SET, text, index))) return range;
  if (over && (PRESSURE_BEFORE.test(before) || matchAt(PRESSURE_AFTER, text, end))) return over;
  if (!outOf || !BEST.test(below) || Number.parseFloat(above.replace(',', '.')) > Number(below)) return undefined;
  const isMark =
    /[.,]/.test(above) || above === below || MARK_BEFORE.test(before) || matchAt(STARS_AFTER, text, end) !== undefined;
  return isMark ? outOf : undefined;
}

/** The slash in `24h/24`, `7j/7`. */
export function matchAround(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (text[index] !== '/') return undefined;
  const number = SAME_BEFORE.exec(textBefore(context, 12))?.[1];
  const isSame = number !== undefined && SAME_AFTER.exec(text.slice(index, index + 4))?.[1] === number;
  return isSame && language.rules.outOf ? { end: index + 1, words: ` ${language.rules.outOf} ` } : undefined;
}
