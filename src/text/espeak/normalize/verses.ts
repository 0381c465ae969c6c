import { lookUp, matchAt } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** A psalm alone: `Ps 23` */
const PSALM = /(Ps|Sl|Sal)\.?\s(\d{1,3})(?=[\s;)]*$|[;)]|[.,]\s)/uy;
/** A chapter and its verses, with a comma, a full stop or a colon between them: `Mt 5, 3-12`. */
const VERSES =
  /(?:([123])\s?)?([A-Z]\p{Ll}{1,2})\.?\s(\d{1,3})(?:,\s?|[.:])(\d{1,3})(?:\s?[-–]\s?(\d{1,3}))?(?![\d\p{L}]|[.,:]\d|\s?[%€$°]|\s?\p{L}{1,4}\/)/uy;

/** `Mt 5,3-12`, `1 Co 13,4`: a book of the Bible with its chapter and verses. */
export function matchVerse({ text, index, language }: Context): Match | undefined {
  const books = language.rules.bibleBooks;
  if (!books || /[\p{L}\p{M}\d.]/u.test(text[index - 1] ?? '')) return undefined;
  const [psalm, name = '', number = ''] = matchAt(PSALM, text, index) ?? [];
  const psalmName = psalm === undefined ? undefined : lookUp(books, name);
  if (psalmName) return { end: index + psalm!.length, words: `${psalmName} ${cardinal(language, number)}` };
  const [all, part, key = '', chapter = '', verse = '', last] = matchAt(VERSES, text, index) ?? [];
  const book = lookUp(books, key);
  if (all === undefined || !book) return undefined;
  const say = (digits: string) => cardinal(language, digits);
  const range = last ? ` ${language.rules.range} ${say(last)}` : '';
  const { sets } = language.rules;
  const which = part ? `${language.spellOut.say(Number(part), sets.ordinal.feminine) ?? say(part)} ` : '';
  return { end: index + all.length, words: `${which}${book} ${say(chapter)}, ${say(verse)}${range}` };
}
