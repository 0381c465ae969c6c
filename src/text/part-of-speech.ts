/** Words of a sentence in lower case without punctuation, and where pauses are. */
export interface Context {
  words: readonly string[];
  /** The words as written, without punctuation. */
  written: readonly string[];
  /** Whether a punctuation mark stands after the word. */
  pauses: readonly boolean[];
}

const set = (words: string) => new Set(words.trim().split(/\s+/));

export const DETERMINERS = set(
  'a an the this that these those my your his her its our their no any some each every another either neither whose what which such',
);
const PREPOSITIONS = set(
  'of in on for with at from by into about through during after before without within under over between against as per than like near via out off up down',
);
export const PRONOUNS = set('i you he she it we they who one everyone everybody someone somebody people');
const OBJECTS = set('me him them us it you');
const MODALS = set(
  "to will would can could should shall may might must cannot can't won't wouldn't couldn't shouldn't mustn't do did don't didn't does doesn't let's please help let gonna wanna i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd we'd they'd",
);
const BE = set(
  "am is are was were be been being isn't aren't wasn't weren't i'm you're he's she's it's we're they're that's",
);
const ADVERBS = set(
  'not never always also just often ever then usually still now again only even really soon already seldom rarely',
);
const QUANTITIES = set(
  'one two three four five six seven eight nine ten many few several more most all both hundred thousand million billion other new first second last next old',
);

export const isBe = (word: string | undefined) => word !== undefined && BE.has(word);
export const isDeterminer = (word: string | undefined) =>
  word !== undefined && (DETERMINERS.has(word) || word.endsWith("'s"));
export const isModal = (word: string | undefined) => word !== undefined && MODALS.has(word);

/** The nearest word before `at` that is no adverb, unless a pause comes first. */
export function before({ words, pauses }: Context, at: number): { word: string | undefined; at: number } {
  let index = at - 1;
  for (let skipped = 0; skipped < 2; skipped++) {
    const word = words[index];
    if (word === undefined || pauses[index] || !(ADVERBS.has(word) || (word.length > 4 && word.endsWith('ly')))) break;
    index -= 1;
  }
  return index < 0 || pauses[index] ? { word: undefined, at: -1 } : { word: words[index], at: index };
}

/** The word after `at`, unless a pause comes first. */
export function after({ words, pauses }: Context, at: number): string | undefined {
  return pauses[at] ? undefined : words[at + 1];
}

/**
 * Whether the word at `at` is used as a verb or as a noun or adjective, by its neighbours; undefined where they do not
 * tell. Good enough to choose between two pronunciations, no more.
 */
export function usedAs(context: Context, at: number): 'verb' | 'noun' | undefined {
  const word = context.words[at]!;
  const next = after(context, at);
  const { word: previous, at: place } = before(context, at);
  const takesObject =
    next !== undefined && (DETERMINERS.has(next) || OBJECTS.has(next)) && !/^(?:which|that|no|what|such)$/.test(next);
  const third = /[^s]s$/.test(word);
  if (previous === undefined) return takesObject && !third ? 'verb' : undefined;
  if (previous === 'to') {
    const governor = context.words[place - 1] ?? '';
    return /^(?:due|according|thanks|subject|prior|similar|related|access)$/.test(governor) ? 'noun' : 'verb';
  }
  if (isModal(previous)) return 'verb';
  if (PRONOUNS.has(previous)) {
    const inverted = isModal(context.words[place - 1]);
    if (!third || inverted) return /^(?:he|she|it)$/.test(previous) && !inverted && !third ? undefined : 'verb';
    return /^(?:he|she|it|who|one|everyone|everybody|someone|somebody)$/.test(previous) ? 'verb' : undefined;
  }
  // The subject of a relative clause: a band that records albums.
  if ((previous === 'which' || previous === 'that') && (third || takesObject)) return 'verb';
  if (isDeterminer(previous)) return 'noun';
  if (takesObject)
    return previous === 'and' || previous === 'or' || previous === 'but' || !isBe(previous) ? 'verb' : undefined;
  if (isBe(previous)) return undefined;
  if (PREPOSITIONS.has(previous) || QUANTITIES.has(previous)) return 'noun';
  // A word between a determiner and this one: a new record, the world record.
  const earlier = context.pauses[place - 1] ? undefined : context.words[place - 1];
  if (earlier !== undefined && (isDeterminer(earlier) || PREPOSITIONS.has(earlier) || QUANTITIES.has(earlier)))
    return 'noun';
  return undefined;
}
