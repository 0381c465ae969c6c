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

/** Part of speech as in the Penn Treebank; XX if unknown. */
export type Tag =
  | 'CC'
  | 'CD'
  | 'DT'
  | 'IN'
  | 'JJ'
  | 'MD'
  | 'NN'
  | 'NNP'
  | 'PRP'
  | 'RB'
  | 'RP'
  | 'VB'
  | 'VBD'
  | 'VBN'
  | 'VBZ'
  | 'XX';

const DETERMINERS = wordSet(
  'a an the this that these those my your his her its our their no any some each every another either neither whose what which such',
);
const PREPOSITIONS = wordSet(
  'of in on for with at from by into about through during after before without within under over between against as per than like near via out off up down',
);
export const PRONOUNS = wordSet('i you he she it we they who one everyone everybody someone somebody people');
const OBJECTS = wordSet('me him them us it you myself yourself himself herself itself ourselves yourselves themselves');
/** Words in s that are not plural, and plurals that are part of a name, as in `the sales record`: not subjects of a verb. */
const NO_SUBJECTS = wordSet(
  'sports sales news arms goods customs savings earnings operations systems communications securities services politics rights athletics electronics credits always perhaps besides sometimes nowadays afterwards towards james charles christmas gas',
);
const MODALS = wordSet(
  "to will would can could should shall may might must cannot can't won't wouldn't couldn't shouldn't mustn't do did don't didn't does doesn't let's please help let gonna wanna i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd we'd they'd",
);
const BE = wordSet(
  "am is are was were be been being isn't aren't wasn't weren't i'm you're he's she's it's we're they're that's",
);
const ADVERBS = wordSet(
  'not never always also just often ever then usually still now again only even really soon already seldom rarely',
);
const QUANTITIES = wordSet(
  'one two three four five six seven eight nine ten many few several more most all both hundred thousand million billion other new first second last next old',
);

/** Adjectives that sound different as nouns: an invalid claim, an invalid. */
const ADJECTIVES = wordSet('invalid upset overweight');
const ADJECTIVES_IN_ED = wordSet('aged blessed crooked dogged jagged naked ragged rugged wicked wretched');
/** Words after an `in` that belongs to the verb: `come in at once`. */
const AFTER_PARTICLE = wordSet(
  'about again and at but by for from here on or out there to under until upon when with without',
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

/** Noun stands for adjectives too. */
export type Use = 'verb' | 'noun';

/**
 * The use of the word at `index`, by its neighbours; undefined if they do not decide it. Only good enough to choose between two
 * pronunciations.
 */
export function usedAs(context: Context, index: number): Use | undefined {
  const word = context.words[index]!;
  const next = after(context, index);
  const { word: previous, index: previousIndex } = before(context, index);
  const takesObject =
    next !== undefined && (DETERMINERS.has(next) || OBJECTS.has(next)) && !/^(?:which|that|no|what|such)$/.test(next);
  const third = /[^s]s$/.test(word);
  if (previous === undefined) return takesObject && !third ? 'verb' : undefined;
  if (previous === 'to') {
    const governor = context.words[previousIndex - 1] ?? '';
    return /^(?:due|according|thanks|subject|prior|similar|related|access)$/.test(governor) ? 'noun' : 'verb';
  }
  if (isModal(previous)) return 'verb';
  if (PRONOUNS.has(previous)) {
    const inverted = isModal(context.words[previousIndex - 1]);
    if (!third || inverted) return /^(?:he|she|it)$/.test(previous) && !inverted && !third ? undefined : 'verb';
    return /^(?:he|she|it|who|one|everyone|everybody|someone|somebody)$/.test(previous) ? 'verb' : undefined;
  }
  // The subject of a relative clause: a band that records albums.
  if ((previous === 'which' || previous === 'that') && (third || takesObject)) return 'verb';
  const governor = context.pauses[previousIndex - 1] ? undefined : context.words[previousIndex - 1];
  // The agencies that use land.
  if (previous === 'that' && !third && governor !== undefined && isPlural(governor)) return 'verb';
  if (isDeterminer(previous)) return 'noun';
  if (takesObject)
    return previous === 'and' || previous === 'or' || previous === 'but' || !isBe(previous) ? 'verb' : undefined;
  if (isBe(previous)) return undefined;
  if (PREPOSITIONS.has(previous) || QUANTITIES.has(previous)) return 'noun';
  if (previous === 'longer' && governor === 'no') return 'verb';
  // A plural is a subject: the doors close.
  if (!third && isPlural(previous)) return 'verb';
  // A word between a determiner and this one: a new record, the world record.
  if (governor !== undefined && (isDeterminer(governor) || PREPOSITIONS.has(governor) || QUANTITIES.has(governor)))
    return 'noun';
  // The Wind Power Project.
  return /^\p{Lu}\p{Ll}/u.test(context.written[index]!) ? 'noun' : undefined;
}

function isPlural(word: string): boolean {
  return /[^su'’i]s$/.test(word) && word.length > 3 && !NO_SUBJECTS.has(word);
}

/** The part of speech of the word at `index`, as far as pronunciations depend on it. */
export function tagOf(context: Context, index: number): Tag {
  const word = context.words[index]!;
  const { word: previous } = before(context, index);
  const next = after(context, index);
  switch (word) {
    case 'a':
    case 'the':
      return 'DT';
    case 'i':
      return 'PRP';
    case 'that':
      return isPointing(context, index) ? 'DT' : 'IN';
    case "that's":
      return 'DT';
    case 'in':
      return next === undefined || AFTER_PARTICLE.has(next) ? 'RP' : 'IN';
    case 'by':
      return 'IN';
    case 'used':
      return isBe(previous) ? 'VBN' : 'VBD';
  }
  if (word.endsWith('ed')) return ADJECTIVES_IN_ED.has(word) ? 'JJ' : 'VBD';
  const used = usedAs(context, index);
  if (used === 'verb') return /[^s]s$/.test(word) ? 'VBZ' : 'VB';
  if (used === 'noun') return ADJECTIVES.has(word) && next !== undefined && !isFunctionWord(next) ? 'JJ' : 'NN';
  return 'XX';
}

function isFunctionWord(word: string): boolean {
  return (
    isDeterminer(word) || isBe(word) || isModal(word) || PREPOSITIONS.has(word) || PRONOUNS.has(word) || word === 'and'
  );
}

const FINITE = wordSet(
  "is was are were has had have does did do will would shall should can could may might must isn't wasn't didn't doesn't won't wouldn't can't couldn't came comes went goes makes made seems seemed looks looked ought",
);
const SUBJECTS = wordSet(
  'it he she we they i you the a an there this these those my your his her its our their no some any every all each nobody nothing none everybody everything mr mrs miss if when though in at by to on thou thy ye such',
);
/** Nouns that `that` points at, after any word. */
const POINTED_AT = wordSet(
  'night day way time moment morning evening afternoon hour week year month sort kind same very man woman boy girl place point subject part matter case word thing house room minute direction fellow lady person old little poor part side',
);
const BEFORE_POINTED = wordSet(
  'and but or if when because than as then for yet even with of in on at to from by about after before upon into through over under against like since till until during beyond near above below between without within behind off down up out around round take took taken have had hear leave make made give gave put keep kept ask want like love hate bear do did done pass forget risk is was what all',
);
const BEFORE_RELATIVE = wordSet('all everything nothing anything something those these one he they any other');
const BEFORE_CLAUSE = wordSet('think suppose guess say said know hope believe reckon fancy imagine fear sure see mean');

/** Whether `that` points at something (that house); otherwise it opens a clause (I know that it is). */
export function isPointing(context: Context, index: number): boolean {
  const next = after(context, index);
  if (next === undefined) return true;
  const previous = context.pauses[index - 1] ? undefined : context.words[index - 1];
  if (POINTED_AT.has(next)) return true;
  if (/^(?:as|than)$/.test(previous ?? '') && /^(?:of|in|which|to|by|at)$/.test(next)) return true;
  if (SUBJECTS.has(next)) return false;
  if (FINITE.has(next)) {
    if (previous === undefined) return index === 0;
    return !BEFORE_RELATIVE.has(previous) && (BEFORE_POINTED.has(previous) || BEFORE_CLAUSE.has(previous));
  }
  if (previous === undefined) return index === 0;
  if (previous === 'and' || previous === 'but') return !/[^s]s$/.test(next);
  return BEFORE_POINTED.has(previous);
}
