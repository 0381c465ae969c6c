import { matchAt } from '../../patterns.ts';
import { cardinal, digitByDigit } from './numbers.ts';
import { type Context, type Match, nextWord, textBefore } from './rule.ts';

const INTERNATIONAL = /\+\d{1,15}(?:(?:[ .-]\(?|\(|(?<=\)))\d{1,12}\)?){0,6}(?!\d)/y;
/** Without separators; a round number rather counts something. */
const LONG_NUMBER = /\d{9,15}(?<!000)(?![\d.,]*\d|\s?[%‰€$£₹])/y;
/** Articles in the singular, and words before a telephone number. */
const NUMBER_NAMED_BEFORE = /(?:(?<!\p{L})(?:al|el|au|le|il|ao|o|t[eé]l[.]?|t[eé]l[eéè]fono?e?|número|numero)|:)\s$/iu;
/** In a number without separators: https://www.itu.int/pub/T-SP-E.164D */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d{6})/;

/** Telephone numbers and numbers like them, by group. */
export function matchPhone(context: Context): Match | undefined {
  const { text, index, language, options } = context;
  if (!options.phone_normalization || /[\p{L}\d.,]/u.test(text[index - 1] ?? '')) return undefined;
  const { phone, phonePairs, plus } = language.rules;
  const match = matchAt(INTERNATIONAL, text, index) ?? matchAt(phone, text, index) ?? longNumber(context);
  if (!match || match[0].replace(/\D/g, '').length < 8) return undefined;
  const [written] = match;
  const groups = groupsOf(written, phonePairs);
  const isPaired = phonePairs && groups.every((group) => group.length <= 2 || written.startsWith(`+${group}`));
  const words = groups.map((group) => (isPaired ? cardinal : digitByDigit)(language, group)).join(', ');
  return { end: index + written.length, words: written.startsWith('+') ? `${plus} ${words}` : words };
}

/** A long number, unless it counts what follows. */
function longNumber(context: Context): RegExpExecArray | undefined {
  const { text, index, language } = context;
  const match = matchAt(LONG_NUMBER, text, index);
  const next = match ? nextWord(context, index + match[0].length) : '';
  const { countable, genderOf } = language.rules;
  if (NUMBER_NAMED_BEFORE.test(textBefore(context, 10))) return match;
  return genderOf(next) !== undefined && /^\p{Ll}{4}/u.test(next) && countable?.test(next) ? undefined : match;
}

function groupsOf(phone: string, inPairs = false): string[] {
  const groups = phone.match(/\d+/g)!;
  if (groups.length > 1) return groups;
  const [digits] = groups as [string];
  const [country = ''] = phone.startsWith('+') ? (COUNTRY_CODE.exec(digits) ?? []) : [];
  const rest = digits.slice(country.length);
  const parts = inPairs ? rest.match(/^\d(?=(?:\d{2})+$)|\d{2}|\d/g)! : [rest];
  return [country, ...parts].filter(Boolean);
}
