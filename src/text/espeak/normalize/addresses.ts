import { lookUp, matchAt } from '../../patterns.ts';
import { digitByDigit } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"«»]{2,200}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,5}|[a-z\d-]{2,64}(?:\.[a-z\d-]{2,24}){0,4}\.(?:com|org|net|gov|edu|gob|gouv|es|fr|it|br|pt|mx|ar|cl|uk|in|eu|io|info|dev|tv)(?![\p{L}\d])(?:\/[^\s<>"«»]{0,200})?/iuy;
/** A sign, digits, or what is dropped. */
const PART = /[./@_:-]|\d+|[^\p{L}\d./@_:-]/gu;

/** `a@b.es`, `www.exemple.fr` */
export function matchAddress({ text, index, language, options }: Context): Match | undefined {
  if (/[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(ADDRESS, text, index)?.[0].replace(/[.,;:!?)\]]+$/, '');
  if (!match) return undefined;
  const namesHyphen = match.includes('@') || !options.url_normalization;
  const words = match.replace(/^https?:\/\//, '').replace(PART, (part) => {
    if (/\d/.test(part)) return ` ${digitByDigit(language, part)} `;
    return part === '-' && !namesHyphen ? ' ' : ` ${lookUp(language.rules.address, part) ?? ''} `;
  });
  return { end: index + match.length, words: words.replace(/\s+/g, ' ').trim() };
}
