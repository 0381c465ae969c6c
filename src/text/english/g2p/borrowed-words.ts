import { type Phone, parsePhones } from './arpabet.ts';
import { BRANDS } from './borrowed/brands.ts';
import { PEOPLE } from './borrowed/people.ts';
import { PLACES } from './borrowed/places.ts';
import { WORDS } from './borrowed/words.ts';
import { withS } from './morphology.ts';

/** Words with this sound only before a certain word: `Des Moines`. */
const PHRASES = `
bon appetit B OW1 N
coq au K OW1 K
creme brulee K R EH1 M
Des Moines D AH0
Des Plaines D EH0 S
et cetera EH0 T
La Jolla L AH0
mise en M IY1 Z
Sault Ste S UW1
Siem Reap S IY0 EH1 M
tac toe T AE1 K
`;

/** Names that are also words, or parts of abbreviations, in lower case. */
const ALSO_WORDS = new Set(
  'abbas bluey chopin clough degas des dieter lech macron messier moana ng oe pho ravel ste uri xi'.split(' '),
);

interface Entry {
  phones: readonly Phone[];
  needsCapital: boolean;
  /** Told from another word by it: `rosé`. */
  needsAccent: boolean;
}

/**
 * Names, places and words that English borrows and that the dictionary and the lexicons lack, or that letters mislead
 * about. An accent in a key asks for one in the text. In the usual American pronunciation; British English follows by
 * rule and spelling. Compared, stress and unstressed vowels aside, with Wiktionary (as WikiPron collected it in April
 * 2026), the CMU Pronouncing Dictionary and misaki's lexicons: one of them has the word so for 559 of 1328, Wiktionary has
 * 120 otherwise, mostly by a vowel, and the others were transcribed by hand.
 */
const entries = new Map<string, Entry>();
for (const line of [PEOPLE, PLACES, BRANDS, WORDS].flatMap((lines) => lines.trim().split('\n'))) {
  const [key = '', ...symbols] = line.split(' ');
  entries.set(fold(key), {
    phones: parsePhones(symbols),
    needsCapital: ALSO_WORDS.has(fold(key)),
    needsAccent: key !== key.normalize('NFD').replace(/\p{M}/gu, ''),
  });
}
const phrases = new Map(
  PHRASES.trim()
    .split('\n')
    .map((line) => {
      const [word = '', next = '', ...symbols] = line.split(' ');
      return [`${word} ${next}`.toLowerCase(), parsePhones(symbols)] as const;
    }),
);

/**
 * Phones of a borrowed word, with its plural and possessive; undefined for other words.
 * @param written with its accents and capitals
 * @param next the word after it
 */
export function borrowedWord(written: string, next = ''): readonly Phone[] | undefined {
  const word = fold(written.replaceAll('’', "'"));
  const phrase = phrases.get(`${word} ${fold(next)}`);
  if (phrase) return phrase;
  const known = entryOf(written, word);
  if (known) return known;
  const [, stem] = /^(.{2,}?)(?:'s|(?<!s)s)$/.exec(word) ?? [];
  const stemPhones = stem === undefined ? undefined : entryOf(written, stem);
  return stemPhones && withS(stemPhones);
}

function entryOf(written: string, word: string): readonly Phone[] | undefined {
  const entry = entries.get(word);
  const isName = /^\p{Lu}(?:\p{Ll}|.{3})/u.test(written);
  if (!entry || (entry.needsCapital && !isName)) return undefined;
  return entry.needsAccent && !/\p{M}/u.test(written.normalize('NFD')) ? undefined : entry.phones;
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
