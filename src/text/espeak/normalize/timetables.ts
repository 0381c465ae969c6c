import { anyOf, matchAt, textBefore } from '../../patterns.ts';
import type { Context, Language, Match } from './rule.ts';

/** Short names of the days from Monday, by one or two letters. */
const SHORT_DAYS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  es: [
    ['L', 'Lu'],
    ['M', 'Ma'],
    ['X', 'Mi'],
    ['J', 'Ju'],
    ['V', 'Vi'],
    ['S', 'Sá', 'Sa'],
    ['D', 'Do'],
  ],
  fr: [['L', 'Lu'], ['M', 'Ma'], ['Me'], ['J', 'Je'], ['V', 'Ve'], ['S', 'Sa'], ['D', 'Di']],
  it: [['L', 'Lu'], ['M', 'Ma'], ['Me'], ['G', 'Gi'], ['V', 'Ve'], ['S', 'Sa'], ['D', 'Do']],
};
const TIME = '\\d{1,2}(?:[:.]\\d\\d|\\s?h(?![\\p{L}\\p{M}])|h\\d\\d|\\s?[-–]\\s?\\d{1,2}|\\s(?:a|à|alle)\\s\\d{1,2})';
/** Opening hours. */
const HOURS_NEXT = `\\s?[:,)]?\\s(?:(?:de|du|da|dalle|das|à|a las|de las|ore)\\s)?${TIME}|\\s?:?\\s(?:cerrad|chius|fermé)`;
const OPEN_BEFORE =
  /(?<!\p{L})(?:horari[oa]s?|horaires?|orari[oe]?|abiert[oa]s?|atención|ouvert(?:e|ure)?s?|apert[oaie]|apertura)\s?[:(]?\s?[(]?$/iu;
/** Only days are so abbreviated. */
const WORKDAYS = /^L[-–]V$/;

interface Patterns {
  days: ReadonlyMap<string, number>;
  range: RegExp;
  rangeBefore: RegExp;
  day: RegExp;
  dayBefore: RegExp;
}

const patternsByTag = new Map(Object.entries(SHORT_DAYS).map(([tag, days]) => [tag, patternsOf(days)]));
const hoursNext = new RegExp(HOURS_NEXT, 'iuy');

function patternsOf(shortDays: readonly (readonly string[])[]): Patterns {
  const names = anyOf(shortDays.flat());
  const range = `(${names})(\\s?[-–]\\s?|\\s[aà]\\s)(${names})(?![\\p{L}\\p{M}\\d'’]|[-–.][\\p{L}\\d])`;
  const joined = `(?:,\\s|\\s(?:y|e|et)\\s)(?:${names})(?![\\p{L}\\p{M}\\d'’-])`;
  return {
    days: new Map(shortDays.flatMap((each, index) => each.map((name) => [name, index] as const))),
    range: new RegExp(range, 'uy'),
    rangeBefore: new RegExp(`(?<![\\p{L}\\p{M}\\d'’.-])${range}`, 'u'),
    day: new RegExp(`(${names})(?=${joined}|${HOURS_NEXT})`, 'uy'),
    dayBefore: new RegExp(`(?<![\\p{L}\\p{M}\\d'’.])(?:${names})(?:\\s?[:,])?\\s$`, 'u'),
  };
}

/** Days of opening hours by their first letters: `L-V 9-18 h`, `Lu-Ve`, and `S` and `D` after such a range. */
export function matchShortDays(context: Context): Match | undefined {
  const { text, index, language } = context;
  const patterns = patternsByTag.get(language.rules.tag);
  if (!patterns || /[\p{L}\p{M}\d'’.-]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, from = '', , to = ''] = matchAt(patterns.range, text, index) ?? [];
  if (all !== undefined && isOpening(context, all, patterns.days.get(from)! < patterns.days.get(to)!)) {
    const words = `${dayName(language, patterns, from)} ${language.rules.range} ${dayName(language, patterns, to)}`;
    return { end: index + all.length, words };
  }
  const day = matchAt(patterns.day, text, index)?.[1];
  if (day === undefined || !patterns.rangeBefore.test(textBefore(context, 120))) return undefined;
  return { end: index + day.length, words: dayName(language, patterns, day) };
}

function isOpening(context: Context, range: string, isForward: boolean): boolean {
  const hours = matchAt(hoursNext, context.text, context.index + range.length);
  return hours !== undefined || (isForward && (WORKDAYS.test(range) || OPEN_BEFORE.test(textBefore(context, 30))));
}

/** Whether a short day ends the text, with a colon or comma perhaps. */
export function endsWithShortDay({ rules }: Language, text: string): boolean {
  return patternsByTag.get(rules.tag)?.dayBefore.test(text) ?? false;
}

function dayName({ weekdayList }: Language, { days }: Patterns, short: string): string {
  return weekdayList[days.get(short)!]!;
}
