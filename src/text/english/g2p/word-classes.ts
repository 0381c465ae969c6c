import { wordSet } from '../../patterns.ts';

/** A sentence, word by word. */
export interface Context {
  /** In lower case, without punctuation. */
  words: readonly string[];
  /** As written, without punctuation. */
  written: readonly string[];
  /** Whether a pause follows the word. */
  pauses: readonly boolean[];
}

export const DETERMINERS = wordSet(
  'a an the this that these those my your his her its our their no any some each every another either neither whose what which such',
);
export const PREPOSITIONS = wordSet(
  'of in on for with at from by into about through during after before without within under over between against as per than like near via out off up down',
);
export const PRONOUNS = wordSet('i you he she it we they who one everyone everybody someone somebody people');
const MODALS = wordSet(
  "to will would can could should shall may might must cannot can't won't wouldn't couldn't shouldn't mustn't do did don't didn't does doesn't let's please help let gonna wanna i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd we'd they'd",
);
const BE = wordSet(
  "am is are was were be been being isn't aren't wasn't weren't i'm you're he's she's it's we're they're that's",
);
const ADVERBS = wordSet(
  'not never always also just often ever then usually still now again only even really soon already seldom rarely',
);
export const QUANTITIES = wordSet(
  'one two three four five six seven eight nine ten many few several more most all both hundred thousand million billion other new first second last next old',
);

export const isBe = (word: string | undefined) => word !== undefined && BE.has(word);
export const isDeterminer = (word: string | undefined) =>
  word !== undefined && (DETERMINERS.has(word) || word.endsWith("'s"));
export const isModal = (word: string | undefined) => word !== undefined && MODALS.has(word);

/** The nearest word before `from` that is not an adverb, unless a pause comes first. */
export function before({ words, pauses }: Context, from: number): { word: string | undefined; index: number } {
  let index = from - 1;
  for (let skipped = 0; skipped < 2; skipped++) {
    const word = words[index];
    if (word === undefined || pauses[index] || !(ADVERBS.has(word) || (word.length > 4 && word.endsWith('ly')))) break;
    index -= 1;
  }
  return index < 0 || pauses[index] ? { word: undefined, index: -1 } : { word: words[index], index };
}

/** The word after `index`, unless a pause comes first. */
export function after({ words, pauses }: Context, index: number): string | undefined {
  return pauses[index] ? undefined : words[index + 1];
}
