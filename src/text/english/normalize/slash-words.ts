import { matchAt } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import type { Context, Match } from './rule.ts';

const slashWords =
  /(?:(w\/o(?:ut)?)|(w\/in)|(w\/)|(b\/c)|(c\/o)|(n\/a)|(a\/c)|(y\/o)|(h\/o)|(s\/p)|(y\/y)|(q\/q)|(m\/m)|(f\/u)|(s\/n)|(p\/n)|(o\/u)|(w\/w)|(w\/v)|(v\/v)|(h\/t))(?![\p{L}\d])|(w\/)(?=\d|\p{Ll}{3}|my\s)/iuy;
const slashMeanings = [
  'without',
  'within',
  'with',
  'because',
  'care of',
  'not applicable',
  'A C',
  'year old',
  'history of',
  'status post',
  'year over year',
  'quarter over quarter',
  'month over month',
  'follow up',
  'serial number',
  'part number',
  'over under',
  'weight by weight',
  'weight by volume',
  'volume by volume',
  'hat tip',
  'with',
];

/** `dy/dx` */
const quotient = /d([a-z])\/d([a-z])(?!\p{L})/uy;

/** `a/k/a`, `M/W/F` */
const initials = /[A-Za-z](?:\/[A-Za-z]){2,5}(?![\p{L}\d/])/uy;

/** Abbreviations that are read as words elsewhere: `AM/FM`, `MM/DD/YYYY` */
const letterPairs = /(?:AM\/FM|FM\/AM|(?:DD|MM|YY(?:YY)?)(?:\/(?:DD|MM|YY(?:YY)?)){1,2})(?![\p{L}\d/])/uy;

/** `w/o`, `c/o` and the like. */
export function matchSlashWord({ text, index }: Context): Match | undefined {
  const [derivative, above = '', below = ''] = matchAt(quotient, text, index) ?? [];
  if (derivative) return { end: index + derivative.length, words: `D ${above} D ${below}`.toUpperCase() };
  const isInside = /[\p{L}\d/]/u.test(text[index - 1] ?? '');
  const letters = isInside ? undefined : (matchAt(initials, text, index) ?? matchAt(letterPairs, text, index))?.[0];
  if (letters) return { end: index + letters.length, words: spell(letters.replaceAll('/', '')) };
  const match = matchAt(slashWords, text, index);
  // `67y/o`
  const isAge = /^y\/o$/i.test(match?.[0] ?? '') && /\d/.test(text[index - 1] ?? '');
  if (!match || (/[\p{L}\d]/u.test(text[index - 1] ?? '') && !isAge)) return undefined;
  // `W/kg`, `5 W/(m²·K)`
  const isWatt = text[index] === 'W' && (match.at(-1) || text[index + 2] === '(');
  if (isWatt) return undefined;
  return {
    end: index + match[0].length,
    words: slashMeanings[match.slice(1).findIndex((group) => group !== undefined)]!,
  };
}
