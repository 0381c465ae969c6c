import { matchAt, textBefore } from '../../patterns.ts';
import { isDayNext } from '../weekdays.ts';
import { type Context, isSentenceEnd, type Language, type Match } from './rule.ts';

const LETTER = '[\\p{L}\\p{M}]';
const ABBREVIATED = new RegExp(`(${LETTER}{3,6})([.॰]?)(?!${LETTER})`, 'uy');
const RANGE_NEXT = new RegExp(`\\s?[-–]\\s?(${LETTER}{3,8})(?!${LETTER})`, 'uy');
const JOINED_NEXT = new RegExp(
  `\\s${LETTER}{1,2}\\s(?:(?:il|la|el|los|le|les|o|a|os|as)\\s)?(${LETTER}{3,8})(?!${LETTER})`,
  'uy',
);
const OTHER_BEFORE = new RegExp(
  `(?<!${LETTER})(${LETTER}{3,8})[.॰]?(?:\\s?[-–]\\s?|\\s${LETTER}{1,2}\\s(?:(?:il|la|el|los|le|les|o|a|os|as)\\s)?|,\\s)$`,
  'u',
);
/** `seg a sex`: the days of a week by their abbreviations, without a full stop. */
const SPAN_NEXT = new RegExp(`\\s(?:a|à|au|al)\\s(${LETTER}{3})(?!${LETTER})`, 'uy');
const SPAN_BEFORE = new RegExp(`(?<!${LETTER})(${LETTER}{3})\\s(?:a|à|au|al)\\s$`, 'u');
/** Opening hours: `sáb., das 10h`, `sáb. de 10 a 13 h` */
const HOURS_NEXT =
  /:?,?\s(?:(?:de|das|dalle|às|à|alle|desde|a|a las|de las)\s\d{1,2}(?!\d|\s?%)|(?:cerrado|chiuso|fermé|fechado)(?!\p{L})|(?:बंद|अवकाश|छुट्टी|को|से|तक|और|व|या|का|की|के|सुबह|शाम|दोपहर|रात)(?![\p{L}\p{M}]))/uy;
/** Without a full stop: `sab 9-13`, `dom chiuso`, `qua 7/2`. */
const OPENING_NEXT =
  /:?\s(?:\d{1,2}(?:[:.h]\d\d(?!\d)|\s?h(?![\p{L}\p{M}])|\s?[-–]\s?\d{1,2}(?![\d%])|\/(?:0?[1-9]|1[0-2])(?![\d/]))|(?:cerrado|chiuso|fermé|fechado)(?!\p{L}))/uy;
/** `chiuso lun.` */
const CLOSED_BEFORE = /(?<!\p{L})(?:cerrad[oa]|chius[oa]|fermée?|fechad[oa])\s(?:(?:el|il|la|le|aux?|o)\s)?$/iu;
/** `gio 8 mag`, `vie, 31 dic` */
const NAMED_DAY = /^,?\s\d{1,2}\s(?:de\s)?\p{L}[\p{L}\p{M}]{2}/u;
/** `dom, 1/3/2026`, `sáb, 21/11` */
const NUMBERED_DAY =
  /,?\s(?:\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d{2})|(?:0[1-9]|1[3-9]|[23]\d)\/(?:0?[1-9]|1[0-2]))(?![\d/])/uy;
const LAST_WORD = new RegExp(`(?<!${LETTER})(${LETTER}{3,10})(?:-feira)?[.॰]?,?\\s?[(]?$`, 'iu');

/** The name of a day of the week for its abbreviation, before a date or next to another: `lun. 5`, `seg. a sex.`, `lun-ven`. */
export function matchWeekday(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\p{M}\d]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(ABBREVIATED, text, index);
  const name = match && weekday(language, match[1]!);
  if (!name || name === match[1]!.toLowerCase()) return undefined;
  const [all, letters, stop] = match as unknown as [string, string, string];
  const end = index + all.length;
  const range = matchAt(RANGE_NEXT, text, end);
  if (weekday(language, range?.[1])) {
    const nextStart = range![0].search(/[\p{L}]/u);
    return { end: end + nextStart, words: `${name} ${language.rules.range}` };
  }
  const isSpan = letters.length === 3 && (beginsSpan(context, end) || endsSpan(context));
  if (!isSpan && !(stop ? isDay(context, end) : isUnmarkedDay(context, end))) return undefined;
  const endsSentence = stop !== '' && (isClosed(context) ? isSentenceEnd(context, end) : text.length === end);
  return { end, words: endsSentence ? `${name}.` : name };
}

/** Whether an abbreviation with a full stop is a day of the week, by a date, hours or another day beside it. */
function isDay(context: Context, end: number): boolean {
  const { text, language } = context;
  return (
    isDayNext(text.slice(end, end + 20), language.months) ||
    matchAt(HOURS_NEXT, text, end) !== undefined ||
    weekday(language, matchAt(JOINED_NEXT, text, end)?.[1]) !== undefined ||
    isClosed(context) ||
    dayBefore(context) !== undefined
  );
}

/** The same without a full stop, where the abbreviation may be another word. */
function isUnmarkedDay(context: Context, end: number): boolean {
  const { text, language } = context;
  const after = text.slice(end, end + 20);
  return (
    (NAMED_DAY.test(after) && isDayNext(after, language.months)) ||
    matchAt(NUMBERED_DAY, text, end) !== undefined ||
    matchAt(OPENING_NEXT, text, end) !== undefined ||
    /[-–]\s?$/.test(dayBefore(context) ?? '')
  );
}

function isClosed(context: Context): boolean {
  return CLOSED_BEFORE.test(textBefore(context, 16));
}

/** Another day of the week just before, with what joins it to this one. */
function dayBefore(context: Context): string | undefined {
  const [all, day] = OTHER_BEFORE.exec(textBefore(context, 16)) ?? [];
  return weekday(context.language, day) === undefined ? undefined : all;
}

function beginsSpan({ text, language }: Context, end: number): boolean {
  return isShortDay(language, matchAt(SPAN_NEXT, text, end)?.[1]);
}

function endsSpan(context: Context): boolean {
  return isShortDay(context.language, SPAN_BEFORE.exec(textBefore(context, 8))?.[1]);
}

function isShortDay(language: Language, word: string | undefined): boolean {
  const name = weekday(language, word);
  return name !== undefined && name !== word!.toLowerCase();
}

/** Whether a day of the week ends the text, with a comma or bracket perhaps. */
export function endsWithWeekday(language: Language, text: string): boolean {
  return weekday(language, LAST_WORD.exec(text)?.[1]) !== undefined;
}

function weekday({ weekdays }: Language, word: string | undefined): string | undefined {
  return word === undefined ? undefined : weekdays.get(word.toLowerCase());
}
