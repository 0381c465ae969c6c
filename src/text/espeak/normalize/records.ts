import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { cardinal, ordinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const RECORD = /\d{1,3}[A-Z](?:[-– ]\d{1,3}[A-Z]){1,2}(?![\p{L}\d]|[-–/]\d)/uy;
/** A time signature, alone or after others, and no part of a whole. */
const METER = /(\d{1,2})\/(2|4|8|16)(?!\d|[\p{L}/]|[.,]\d|\s(?:d[ei]|d['’]))/uy;
const METER_BEFORE =
  /(?<!\p{L})(?:comp[áa]s(?:es)?|compass[oi]|mesures?|tempo|ritmo)\s(?:(?:de|di|em|en|à|a|in|binario|ternario|composto)\s){0,2}(?:\d{1,2}\/(?:2|4|8|16)(?:,\s|\s(?:y|e|et|o|ou)\s)){0,4}$/iu;

/** What a team won and lost: `10V-5D-2N` */
export function matchRecord({ text, index, language }: Context): Match | undefined {
  const all = /[\p{L}\d.,/-]/u.test(text[index - 1] ?? '') ? undefined : matchAt(RECORD, text, index)?.[0];
  const parts = all?.split(/[-– ]/) ?? [];
  const letters = parts.map((part) => part.at(-1)!);
  const names = language.rules.records?.find((each) => letters.every((letter) => lookUp(each, letter)));
  if (!all || !names || new Set(letters).size < letters.length) return undefined;
  const words = parts.map((part) => {
    const digits = part.slice(0, -1);
    const [one, many] = names[part.at(-1)!]!;
    return `${cardinal(language, digits, language.rules.genderOf(one), one)} ${Number(digits) === 1 ? one : many}`;
  });
  return { end: index + all.length, words: words.join(', ') };
}

/** `compás de 6/8, 12/8` */
export function matchMeter({ text, index, language }: Context): Match | undefined {
  const { meter } = language.rules;
  const match = meter ? matchAt(METER, text, index) : undefined;
  if (!meter || !match || !METER_BEFORE.test(textBefore({ text, index }, 60))) return undefined;
  const say = (digits: string) => cardinal(language, digits);
  return {
    end: index + match[0].length,
    words: meter(say(match[1]!), say(match[2]!), () => ordinal(language, Number(match[2]))),
  };
}
