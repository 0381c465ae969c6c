import { lookUp, wordSet } from '../../patterns.ts';
import { usedAs } from './verb-or-noun.ts';
import { after, before, type Context, isBe, isDeterminer, isModal, PREPOSITIONS, PRONOUNS } from './word-classes.ts';

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

/** Words with one part of speech, as far as pronunciations depend on it. */
const TAGS: Readonly<Record<string, Tag>> = { a: 'DT', the: 'DT', i: 'PRP', "that's": 'DT', by: 'IN' };
/** Adjectives that sound different as nouns: an invalid claim, an invalid. */
const ADJECTIVES = wordSet('invalid upset overweight');
const ADJECTIVES_IN_ED = wordSet('aged blessed crooked dogged jagged naked ragged rugged wicked wretched');
/** Words after an `in` that belongs to the verb: `come in at once`. */
const AFTER_PARTICLE = wordSet(
  'about again and at but by for from here on or out there to under until upon when with without',
);

/** The part of speech of the word at `index`, as far as pronunciations depend on it. */
export function tagOf(context: Context, index: number): Tag {
  const word = context.words[index]!;
  const { word: previous } = before(context, index);
  const next = after(context, index);
  switch (word) {
    case 'that':
      return isPointing(context, index) ? 'DT' : 'IN';
    case 'in':
      return next === undefined || AFTER_PARTICLE.has(next) ? 'RP' : 'IN';
    case 'used':
      return isBe(previous) ? 'VBN' : 'VBD';
  }
  const tag = lookUp(TAGS, word);
  if (tag) return tag;
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
