import { matchAt, textBefore } from '../../patterns.ts';
import type { Gender } from '../rules.ts';
import { namedCurrency } from './money.ts';
import { cardinal } from './numbers.ts';
import { type Context, isSentenceEnd, type Language, type Match } from './rule.ts';
import { endsWithShortDay } from './timetables.ts';
import { endsWithWeekday } from './weekdays.ts';
import { rangeDash } from './written-numbers.ts';

const DOTTED_TIME = /(?<h>[01]?\d|2[0-4])[.,](?<m>[0-5]\d)(?!(?!h(?:s|rs)?(?!\p{L}))\p{L}|\d|[.,:]\d|\s?[€$£%])/uy;
const CAPITAL_HOUR = /(?:[01]?\d|2[0-4])H[0-5]\d(?![\p{L}\d])/uy;
/** `9h-12h/` */
const AFTER_TIME = /(?:\d\s?h(?:\d\d)?|:\d\d)\/$/;
const RANGE_END = /(?:\s?[-–]|\s(?:a|às|से))\s?(?:[01]?\d|2[0-4])[.:][0-5]\d/y;
/** `6.30-10 बजे` */
const RANGE_HOUR = /\s?[-–]\s?(?:[01]?\d|2[0-4])(?=\s(?:बजे|horas|h)(?![\p{L}\p{M}]))/uy;
const RANGE_START_BEFORE = /(?:[01]?\d|2[0-4])\.[0-5]\d\s?[-–]\s?$/;
/** The first hours of a day with a break: `9.00-13.00 e 15.00-19.00` */
const HOURS_BEFORE = /(?:[01]?\d|2[0-4])\.[0-5]\d\s?[-–]\s?(?:[01]?\d|2[0-4])\.[0-5]\d(?:\s?[,/]\s?|\s(?:y|e|et)\s)$/;
/** *Sharp*, which does not fit the start of a range, a unit or a part of the day. */
const SHARP = / (?:en|in) punto$/;
const AMOUNT_RANGE = /\s(?:alle|a las?|às|à)\s\d{1,3}[.,]\d{1,2}/y;
/** The scale of a map. */
const SCALE_AFTER = /^(?:\d{1,2}:\d{2}\.\d|1:\d{1,2}[ \u00A0\u202F]\d{3}(?!\d))/;
/** `7.30 del mattino` */
const DAY_PART_NEXT =
  /\s(?:de(?:l mediod[ií]a| la (?:mañana|tarde|noche|madrugada))|du (?:matin|soir)|de l['’]après-midi|d(?:el|i) (?:mattino|mattina|pomeriggio|sera|notte)|del(?:la (?:mattina|sera|notte)|l['’]alba)|da (?:manhã|tarde|noite|madrugada))(?!\p{L})/uy;
/** `partenza 8.15` */
const TRAVEL_BEFORE =
  /(?<!\p{L})(?:salida|llegada|départ|arrivée|partenza|arrivo|inizio|partida|chegada|início)\s?:?\s$/iu;
/** Books of the Bible, before chapter and verse: `Juan 3:16`. */
export const VERSE_BEFORE = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${[
    'G[ée]n[ée]?sis|Gen[eè]se|Genesi|[ÉE]xodo|Exode|Esodo|Deuteronomio|Deuteronômio|Josu[éè]|Giosu[èé]|J[oóô]b?|Giobbe',
    'Salmos?|Psaumes?|Prov[ée]rb(?:ios|es|i)|Eclesiast[ée]s|Isa[ií]as?|Ésaïe|Jerem[ií]as|Ezequiel|Daniel',
    'Mateo|Mateus|Matthieu|Matteo|Marcos|Marc|Marco|Lucas|Luc|Luca|Juan|João|Jean|Giovanni|Hechos|Atos|Actes|Atti',
    'Romanos|Romains|Romani|Cor[ií]ntios|Corinthiens|Corinzi|G[áa]lat(?:as|es|i)|Ef[ée]sios|Éphésiens|Efesini|Filipenses',
    'Philippiens|Filippesi|Colos(?:enses|sens|sesi)|Hebre[ou]s|Hébreux|Ebrei|Apocalipsis?e?|Apocalypse|Apocalisse',
    'उत्पत्ति|निर्गमन|भजन(?: संहिता)?|नीतिवचन|यशायाह|मत्ती|मरकुस|लूका|यूहन्ना|रोमियों|कुरिन्थियों|गलातियों|प्रकाशितवाक्य|गीता|भगवद्गीता|कुरान|सूरा',
    'Gn|Ex|Dt|Sal|Sl|Ps|Pr|Is|Jr|Ez|Dn|Mt|Mc|Mr|Lc|Jn|Jo|Gv|Hch|At|Ac|Rm?|Co|Gl|Ef|Fl?p|Cl|Hb|Heb|Ap',
  ].join('|')})\\.?\\s$`,
  'u',
);
/** Not a full hour, nor a time by the text after it: Juan may be a person. */
const VERSE = /\d{1,3}:(?!00(?!\d))\d{1,3}(?!\d|:\d|\s?(?:h|hs|hrs|horas?|heures?|ore|[ap]\.?\s?m)(?!\p{L}))/uy;
/** `गीता 2.47` */
const GITA_BEFORE = /(?<![\p{L}\p{M}])(?:भगवद्)?गीता,?\s$/u;
const DOTTED_VERSE = /\d{1,2}\.\d{1,3}(?![\d.]|\s?%)/y;
const HALF_DAY_TIME = /(0?[1-9]|1[0-2])(?:[:.]([0-5]\d)(?::([0-5]\d))?)?\s?([ap])(?:\.\s?m\.|m(?![\p{L}\d]))/iuy;

/** `15:30`, `15h30`, `alle 15.30`, `5:30pm` */
export function matchTime(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\d:.,/]/.test(text[index - 1] ?? '') && !AFTER_TIME.test(textBefore(context, 8))) return undefined;
  const verse = VERSE_BEFORE.test(textBefore(context, 24)) ? matchAt(VERSE, text, index)?.[0] : undefined;
  if (verse) {
    const numbers = verse.split(':').map((digits) => cardinal(language, digits));
    return { end: index + verse.length, words: numbers.join(', ') };
  }
  const dotted = GITA_BEFORE.test(textBefore(context, 14)) ? matchAt(DOTTED_VERSE, text, index)?.[0] : undefined;
  if (dotted)
    return {
      end: index + dotted.length,
      words: dotted
        .split('.')
        .map((digits) => cardinal(language, digits))
        .join(', '),
    };
  const half = halfDayTime(context);
  if (half) return half;
  const match = timeAt(context, index);
  if (!match) return undefined;
  const { h, m, m2, s } = match.groups as { h: string; m?: string; m2?: string; s?: string };
  const timeEnd = index + match[0].length;
  const unit = unitAfter(context, timeEnd);
  const end = timeEnd + unit.length;
  const words = withUnit(timeWords(language, h, m ?? m2, s), unit.trim());
  const dash = rangeDash(context, end);
  const isRange = dash !== undefined && (timeAt(context, dash) ?? matchAt(RANGE_HOUR, text, end));
  const start = words.replace(SHARP, '');
  if (matchAt(DAY_PART_NEXT, text, end)) return { end, words: start };
  if (isRange) return { end: dash, words: `${start} ${language.rules.range}` };
  if (matchAt(RANGE_END, text, end)) return { end, words: start };
  const { atTime } = language.rules;
  const isAt = atTime && Number(m ?? m2 ?? 0) > 0 && unit !== '' && matchAt(atTime.next, text, end) !== undefined;
  if (isAt) return { end, words: `${words} ${atTime.word}` };
  // The stop of `14:30 h.` may be that of the sentence, too.
  const stop = text[end - 1] === '.' && isSentenceEnd(context, end) ? '.' : '';
  return { end, words: words + stop };
}

/** A time, with a full stop between hours and minutes only next to a word that tells: `ore 9.30-12.30`, `9.30 बजे`. */
function timeAt(context: Context, index: number): RegExpExecArray | undefined {
  const { text, language } = context;
  const { time, timeBefore } = language.rules;
  // 12H30
  const hour = matchAt(CAPITAL_HOUR, text, index)?.[0];
  const match = hour ? matchAt(time, hour.toLowerCase(), 0) : matchAt(time, text, index);
  if (match) return SCALE_AFTER.test(text.slice(index, index + 10)) ? undefined : match;
  const dotted = matchAt(DOTTED_TIME, text, index);
  if (!dotted) return undefined;
  const end = index + dotted[0].length;
  if (timeBefore?.test(textBefore({ text, index }, 20))) return isAmount(context, end) ? undefined : dotted;
  if (dotted[0].includes(',')) return undefined;
  if (
    isOpeningTime(context, index, end) ||
    matchAt(DAY_PART_NEXT, text, end) ||
    TRAVEL_BEFORE.test(textBefore({ text, index }, 24))
  )
    return dotted;
  const rangeEnd = end + ((matchAt(RANGE_END, text, end) ?? matchAt(RANGE_HOUR, text, end))?.[0].length ?? 0);
  return unitAfter(context, rangeEnd) === '' ? undefined : dotted;
}

/** Whether a dotted time begins or ends opening hours behind a day: `lun. 8.30-19.00`. */
function isOpeningTime({ text, language }: Context, index: number, end: number): boolean {
  const [from] = RANGE_START_BEFORE.exec(textBefore({ text, index }, 9)) ?? [''];
  const start = index - from.length;
  const [hours] = HOURS_BEFORE.exec(textBefore({ text, index: start }, 18)) ?? [''];
  const before = textBefore({ text, index: start - hours.length }, 24);
  if (from === '' && !matchAt(RANGE_END, text, end)) return false;
  return endsWithShortDay(language, before) || endsWithWeekday(language, before.trimEnd().replace(/:$/, ''));
}

/** Whether a number that ends at `end` is money or has a unit, and is no time: `delle 5,30 kWh`, `dalle 2,50 alle 3,20 euro`. */
function isAmount(context: Context, end: number): boolean {
  const { text, language } = context;
  const rangeEnd = end + (matchAt(AMOUNT_RANGE, text, end)?.[0].length ?? 0);
  if (namedCurrency(context, end) || namedCurrency(context, rangeEnd)) return true;
  const unit = matchAt(language.unit, text, end)?.[1] ?? '';
  return unit.length > 1 || matchAt(language.rules.scale, text, end) !== undefined;
}

/** The word or sign for hours after a time, with the space before it; else empty. */
function unitAfter({ text, language }: Context, end: number): string {
  const { hourUnit } = language.rules;
  return (hourUnit && matchAt(hourUnit, text, end)?.[0]) ?? '';
}

/** A time and the written word for hours, if the words have none: `20:00 horas`. */
function withUnit(words: string, unit: string): string {
  return unit.length > 3 && !words.includes(unit.slice(0, 4)) ? `${words.replace(SHARP, '')} ${unit}` : words;
}

/** `5:30pm`, `10 p. m.` */
function halfDayTime(context: Context): Match | undefined {
  const { text, index, language } = context;
  const { halfDay, halfDayFirst } = language.rules;
  const match = halfDay && matchAt(HALF_DAY_TIME, text, index);
  if (!match) return undefined;
  const [all = '', hour = '', minutes, seconds, half = ''] = match;
  const time = timeWords(language, hour, minutes, seconds).replace(SHARP, '');
  const end = index + all.length;
  const stop = all.endsWith('.') && isSentenceEnd(context, end) ? '.' : '';
  const part = halfDay(Number(hour) % 12, half.toLowerCase() === 'p');
  return { end, words: `${halfDayFirst ? `${part} ${time}` : `${time} ${part}`}${stop}` };
}

function timeWords(language: Language, hours: string, minutes = '0', seconds = '0'): string {
  const say = (number: number, gender?: Gender) => cardinal(language, String(number), gender);
  return language.rules.timeWords(Number(hours), Number(minutes), Number(seconds), say);
}
