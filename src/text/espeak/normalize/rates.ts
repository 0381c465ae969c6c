import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';
import { PERIOD, perPeriod, SIMPLE, unitName } from './unit-names.ts';

/** A slash, and what precedes it. */
interface Slash extends Context {
  /** Index after it. */
  end: number;
  before: string;
}

type SlashRule = (slash: Slash) => Match | undefined;

/** In this order: the first that matches wins. */
const RULES: readonly SlashRule[] = [matchDose, matchPack, matchBeforeLetter];

/** The unit after the slash of an amount: `5 €/kg`; the slash alone in `80 mg/100 ml`. */
export function matchPerUnit(context: Context): Match | undefined {
  if (context.text[context.index] !== '/') return undefined;
  return firstMatch(RULES, { ...context, end: context.index + 1, before: textBefore(context, 30) });
}

const DOSE_BEFORE = /\d\s?(?:[mkµ]?g|mcg|m?l|L|mmol|kcal|kWh|km)$/u;
const DOSE_NEXT = /\d{1,5}\s?(?:[mk]?g|[mcd]?l|km|m|h)(?![\p{L}\d])/uy;
const HOURS_NEXT = /\d{1,2}\s?h(?!\p{L})/uy;

/** `80 mg/100 ml`, `500 mg/8 h` */
function matchDose({ text, end, before, language }: Slash): Match | undefined {
  if (!DOSE_BEFORE.test(before) || !matchAt(DOSE_NEXT, text, end)) return undefined;
  const { each, per } = language.rules;
  return { end, words: ` ${each && matchAt(HOURS_NEXT, text, end) ? each : per} ` };
}

const AMOUNT_BEFORE = /[€$£¥₹](?:\s?\d[\d.,]{0,15}(?:[-–]\d[\d.,]{0,15})?(?:\s?\p{L}{1,3})?)?$/u;
const PACK_NEXT = /\d{1,4}\s?[\p{L}\p{M}]/uy;

/** `₹62,000/10 g` */
function matchPack({ text, end, before, language }: Slash): Match | undefined {
  const isPack = AMOUNT_BEFORE.test(before) && matchAt(PACK_NEXT, text, end);
  return isPack ? { end, words: ` ${language.rules.per} ` } : undefined;
}

/** In this order: the first that matches wins. */
const RULES_BEFORE_LETTER: readonly SlashRule[] = [matchRate, matchPeriod, matchHour, matchUnit, matchPrice];

/** `15 mg/kg`, `6/día` */
function matchBeforeLetter(slash: Slash): Match | undefined {
  return /\p{L}/u.test(slash.text[slash.end] ?? '') ? firstMatch(RULES_BEFORE_LETTER, slash) : undefined;
}

/** A unit that may follow the slash of a rate whose letters stay letters: `15 mg/kg` */
const RATE_BEFORE = new RegExp(
  `(?:\\d\\s?|(?<!\\p{L})(?:mil|mille|mila)\\s)(?:${SIMPLE}|lpm|UI|mcg)(?:/(?:${SIMPLE}))?$`,
  'u',
);
const RATE_NEXT = new RegExp(`(?:${SIMPLE})(?![\\p{L}\\d])`, 'uy');

/** Two units: `15 mg/kg` */
function matchRate({ text, end, before, language }: Slash): Match | undefined {
  const isRate = RATE_BEFORE.test(before) && matchAt(RATE_NEXT, text, end);
  return isRate ? { end, words: ` ${language.rules.per} ` } : undefined;
}

/** How many times, without a noun. */
const RATE_ALONE_BEFORE = /(?:^|[\s(])\d{1,4}$/;
const COUNTED_BEFORE = /\d\s?[\p{L}\p{M}.]{1,20}$/u;
/** `2.500 € netos/mes` */
const PRICED_BEFORE = /(?:[€$£]|euros?|reais|d[oó]lare?s)\s\p{L}{3,8}$/u;
/** What happens or costs so much in a period. */
const BEFORE_PERIOD = [RATE_ALONE_BEFORE, COUNTED_BEFORE, PRICED_BEFORE, RATE_BEFORE];

/** `6/día`, `5 €/mes` */
function matchPeriod({ text, end, before, language }: Slash): Match | undefined {
  const isRate = BEFORE_PERIOD.some((each) => each.test(before));
  const period = isRate ? matchAt(PERIOD, text, end)?.[0] : undefined;
  return period ? { end: end + period.length, words: ` ${perPeriod(language, period)}` } : undefined;
}

const HOUR_NEXT = /h(?![\p{L}\p{M}\d/])/uy;

/** `5 €/h` */
function matchHour({ text, end, before, language }: Slash): Match | undefined {
  const isHour = AMOUNT_BEFORE.test(before) && matchAt(HOUR_NEXT, text, end);
  const hour = isHour ? unitName(language, 'h', 1) : undefined;
  return hour ? { end: end + 1, words: ` ${language.rules.per} ${hour}` } : undefined;
}

/** `5 €/kg`, `20 hab./km²` */
function matchUnit(slash: Slash): Match | undefined {
  const { text, end, before, language, options } = slash;
  if (!AMOUNT_BEFORE.test(before) && !isCounted(slash)) return undefined;
  const match = options.unit_normalization ? matchAt(language.unit, text, end) : undefined;
  const noun = match && unitName(language, match[1]!, 1);
  return noun ? { end: end + match[0].length, words: ` ${language.rules.per} ${noun}` } : undefined;
}

/** `5 €/persona` */
function matchPrice(slash: Slash): Match | undefined {
  const { end, before, language } = slash;
  return AMOUNT_BEFORE.test(before) && !isCounted(slash) ? { end, words: language.rules.per } : undefined;
}

/** Whether the amount is of an abbreviated noun: `20 hab.` */
function isCounted({ before, language }: Slash): boolean {
  return language.rules.countedNouns !== undefined && COUNTED_BEFORE.test(before);
}
