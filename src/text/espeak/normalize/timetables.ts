import { anyOf, matchAt, textBefore } from '../../patterns.ts';
import type { LanguageRules } from '../rules.ts';
import type { Context, Language, Match } from './rule.ts';

const TIME = '\\d{1,2}(?:[:.]\\d\\d|\\s?h(?![\\p{L}\\p{M}])|h\\d\\d|\\s?[-–]\\s?\\d{1,2}|\\s(?:a|à|alle)\\s\\d{1,2})';
/** Opening hours. */
const HOURS_NEXT = `\\s?[:,)]?\\s(?:(?:de|du|da|dalle|das|à|a las|de las|ore)\\s)?${TIME}|\\s?:?\\s(?:cerrad|chius|fermé)`;
const OPEN_BEFORE =
  /(?<!\p{L})(?:horari[oa]s?|horaires?|orari[oe]?|abiert[oa]s?|atención|ouvert(?:e|ure)?s?|apert[oaie]|apertura)\s?[:(]?\s?[(]?$/iu;
/** Only days are so abbreviated. */
const WORKDAYS = /^L[-–]V$/;

/** The short days of a language and their patterns. */
export interface OpeningDays {
  /** Index from Monday by short name. */
  days: ReadonlyMap<string, number>;
  range: RegExp;
  rangeBefore: RegExp;
  day: RegExp;
  dayBefore: RegExp;
}

const hoursNext = new RegExp(HOURS_NEXT, 'iuy');

/** Makes the patterns of a language's short days, if it has any. */
export function openingDaysOf({ openingDays }: LanguageRules): OpeningDays | undefined {
  if (!openingDays) return undefined;
  const names = anyOf(openingDays.flat());
  const range = `(${names})(\\s?[-–]\\s?|\\s[aà]\\s)(${names})(?![\\p{L}\\p{M}\\d'’]|[-–.][\\p{L}\\d])`;
  const joined = `(?:,\\s|\\s(?:y|e|et)\\s)(?:${names})(?![\\p{L}\\p{M}\\d'’-])`;
  return {
    days: new Map(openingDays.flatMap((each, index) => each.map((name) => [name, index] as const))),
    range: new RegExp(range, 'uy'),
    rangeBefore: new RegExp(`(?<![\\p{L}\\p{M}\\d'’.-])${range}`, 'u'),
    day: new RegExp(`(${names})(?=${joined}|${HOURS_NEXT})`, 'uy'),
    dayBefore: new RegExp(`(?<![\\p{L}\\p{M}\\d'’.])(?:${names})(?:\\s?[:,])?\\s$`, 'u'),
  };
}

/** Days of opening hours by their first letters: `L-V 9-18 h`, `Lu-Ve`, and `S` and `D` after such a range. */
export function matchShortDays(context: Context): Match | undefined {
  const { text, index, language } = context;
  const { openingDays } = language;
  if (!openingDays || /[\p{L}\p{M}\d'’.-]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, from = '', , to = ''] = matchAt(openingDays.range, text, index) ?? [];
  if (all !== undefined && isOpening(context, all, openingDays.days.get(from)! < openingDays.days.get(to)!)) {
    const words = `${dayName(language, from)} ${language.rules.range} ${dayName(language, to)}`;
    return { end: index + all.length, words };
  }
  const day = matchAt(openingDays.day, text, index)?.[1];
  if (day === undefined || !openingDays.rangeBefore.test(textBefore(context, 120))) return undefined;
  return { end: index + day.length, words: dayName(language, day) };
}

function isOpening(context: Context, range: string, isForward: boolean): boolean {
  const hours = matchAt(hoursNext, context.text, context.index + range.length);
  return hours !== undefined || (isForward && (WORKDAYS.test(range) || OPEN_BEFORE.test(textBefore(context, 30))));
}

/** Whether a short day ends the text, with a colon or comma perhaps. */
export function endsWithShortDay({ openingDays }: Language, text: string): boolean {
  return openingDays?.dayBefore.test(text) ?? false;
}

function dayName({ weekdayList, openingDays }: Language, short: string): string {
  return weekdayList[openingDays!.days.get(short)!]!;
}
