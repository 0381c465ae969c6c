import { firstMatch } from '../../first-match.ts';
import { wordSet } from '../../patterns.ts';
import {
  after,
  before,
  type Context,
  DETERMINERS,
  isBe,
  isDeterminer,
  isModal,
  PREPOSITIONS,
  PRONOUNS,
  QUANTITIES,
} from './word-classes.ts';

/** Noun stands for adjectives too. */
export type Use = 'verb' | 'noun';

/** A word that may be either, and the words beside it. */
interface Word {
  /** The nearest word before that is not an adverb. */
  previous: string;
  /** The word before `previous`. */
  earlier: string | undefined;
  /** The same, unless a pause comes between. */
  governor: string | undefined;
  isCapitalized: boolean;
  /** Whether it ends as a verb of the third person or a plural does. */
  hasS: boolean;
  /** Whether an object follows. */
  takesObject: boolean;
}

/** Undefined if the rule does not know the use, null if no later rule may decide it. */
type Reading = Use | undefined | null;

/** In this order: the first that knows the use wins. */
const readings: readonly ((word: Word) => Reading)[] = [
  afterTo,
  ({ previous }) => (isModal(previous) ? 'verb' : undefined),
  afterPronoun,
  inRelativeClause,
  ({ previous }) => (isDeterminer(previous) ? 'noun' : undefined),
  ({ previous }) => (isBe(previous) ? null : undefined),
  ({ takesObject }) => (takesObject ? 'verb' : undefined),
  ({ previous }) => (PREPOSITIONS.has(previous) || QUANTITIES.has(previous) ? 'noun' : undefined),
  afterNoLonger,
  afterPlural,
  afterDescription,
  ({ isCapitalized }) => (isCapitalized ? 'noun' : undefined),
];

/**
 * The use of the word at `index`, by its neighbours; undefined if they do not decide it. Only good enough to choose between two
 * pronunciations.
 */
export function usedAs(context: Context, index: number): Use | undefined {
  const { words, written, pauses } = context;
  const { word: previous, index: previousIndex } = before(context, index);
  const hasS = /[^s]s$/.test(words[index]!);
  const takesObject = isObjectStart(after(context, index));
  if (previous === undefined) return takesObject && !hasS ? 'verb' : undefined;
  const earlier = words[previousIndex - 1];
  const governor = pauses[previousIndex - 1] ? undefined : earlier;
  const isCapitalized = /^\p{Lu}\p{Ll}/u.test(written[index]!);
  return firstMatch(readings, { previous, earlier, governor, isCapitalized, hasS, takesObject }) ?? undefined;
}

const OBJECTS = wordSet('me him them us it you myself yourself himself herself itself ourselves yourselves themselves');

/** Whether an object may begin with a word: `record the album`, `record it` */
function isObjectStart(word: string | undefined): boolean {
  if (word === undefined || /^(?:which|that|no|what|such)$/.test(word)) return false;
  return DETERMINERS.has(word) || OBJECTS.has(word);
}

/** `to record`; `due to use` */
function afterTo({ previous, earlier = '' }: Word): Reading {
  if (previous !== 'to') return undefined;
  return /^(?:due|according|thanks|subject|prior|similar|related|access)$/.test(earlier) ? 'noun' : 'verb';
}

/** `they record`, `she records`, `did she record` */
function afterPronoun({ previous, earlier, hasS }: Word): Reading {
  if (!PRONOUNS.has(previous)) return undefined;
  if (isModal(earlier)) return 'verb';
  if (hasS) return /^(?:he|she|it|who|one|everyone|everybody|someone|somebody)$/.test(previous) ? 'verb' : null;
  return /^(?:he|she|it)$/.test(previous) ? null : 'verb';
}

/** `a band that records albums`, `the agencies that use land` */
function inRelativeClause({ previous, governor, hasS, takesObject }: Word): Reading {
  if (previous !== 'which' && previous !== 'that') return undefined;
  if (hasS || takesObject) return 'verb';
  return previous === 'that' && governor !== undefined && isPlural(governor) ? 'verb' : undefined;
}

/** `no longer use` */
function afterNoLonger({ previous, governor }: Word): Reading {
  return previous === 'longer' && governor === 'no' ? 'verb' : undefined;
}

/** A plural is a subject: `the doors close` */
function afterPlural({ previous, hasS }: Word): Reading {
  return !hasS && isPlural(previous) ? 'verb' : undefined;
}

/** A word between a determiner and this one: `a new record`, `the world record` */
function afterDescription({ governor }: Word): Reading {
  if (governor === undefined) return undefined;
  return isDeterminer(governor) || PREPOSITIONS.has(governor) || QUANTITIES.has(governor) ? 'noun' : undefined;
}

/** Words in s that are not plural, and plurals that are part of a name, as in `the sales record`: not subjects of a verb. */
const NO_SUBJECTS = wordSet(
  'sports sales news arms goods customs savings earnings operations systems communications securities services politics rights athletics electronics credits always perhaps besides sometimes nowadays afterwards towards james charles christmas gas',
);

function isPlural(word: string): boolean {
  return /[^su'’i]s$/.test(word) && word.length > 3 && !NO_SUBJECTS.has(word);
}
