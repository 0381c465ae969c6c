import { firstMatch } from '../../first-match.ts';
import { lookUp, matchAt, textBefore, wordSet } from '../../patterns.ts';
import {
  afterOrdinal,
  beforeNumber,
  clauseWords,
  firstNames,
  limits,
  lives,
  lowerLabels,
  maybeFinal,
  measures,
  midSentence,
  plainCapitals,
  roads,
  states,
  stopless,
  stoplessBeforeNumber,
  titles,
} from './abbreviation-names.ts';
import { bookBeforeChapter } from './bible.ts';
import { monthInFull, weekdayInFull } from './calendar-abbreviations.ts';
import { type Context, finalStop, type Match, nameNext, numberNext } from './rule.ts';
import { starters } from './sentence-end.ts';

/** One word that may be an abbreviation. */
interface ShortWord extends Context {
  /** As written, without its full stop. */
  word: string;
  /** The word in lower case. */
  key: string;
  hasStop: boolean;
  isCapitalized: boolean;
  /** Index after it. */
  end: number;
}

/** The words of an abbreviation in lower case; undefined if the rule does not know it, null if it is none. */
type Reading = string | undefined | null;

/** In this order: the first that knows the word wins. */
const readings: readonly ((short: ShortWord) => Reading)[] = [
  capitalLetters,
  ({ word, text, end, previous }) => bookBeforeChapter(word, text, end, previous),
  dateOfLife,
  scene,
  label,
  partOfNumbered,
  partOfReference,
  featuring,
  ({ word, hasStop }) => (hasStop ? lookUp(firstNames, word) : undefined),
  versus,
  state,
  adjective,
  secretary,
  (short) => monthInFull(short, short) ?? weekdayInFull(short, short),
  streetName,
  ({ key, text, end }) => (key === 'attn' && text[end] === ':' ? 'attention' : undefined),
  withoutStop,
  streetOrTitle,
  nameOrUnit,
  streets,
  title,
  withinPhrase,
  ({ key }) => lookUp(midSentence, key) ?? lookUp(maybeFinal, key),
];

const pattern = /([A-Za-z]{1,8})(\.?)(?!\p{L}|(?<!\.)['’]|['’](?!s(?!\p{L}))|(?<!\.)\d|\.\p{L})/uy;

/** An abbreviation of one word: `Mr.`, `No. 5`, `etc.`, `Nov.` */
export function matchShortWord(context: Context): Match | undefined {
  const { text, index } = context;
  const [written, word = '', stop] = matchAt(pattern, text, index) ?? [];
  if (written === undefined) return undefined;
  const key = word.toLowerCase();
  const end = index + written.length;
  const short: ShortWord = { ...context, word, key, hasStop: stop === '.', isCapitalized: word !== key, end };
  const words = firstMatch(readings, short) ?? undefined;
  return words === undefined ? undefined : { end, words: withCaseOf(words, word) + finalStop(text, end) };
}

/** Capitalizes the words if the abbreviation is capitalized. */
function withCaseOf(words: string, written: string): string {
  const isCapitalized = /^\p{Lu}/u.test(written);
  return isCapitalized ? words[0]!.toUpperCase() + words.slice(1) : words;
}

/** `MR imaging`, `an MS in law` */
const capitals = /^(?:MR|MS|DR|JR|SR|EA)$/;

/** Letters that only look like an abbreviation: `9 am PT`, `MR imaging`, `an Sr-22` */
function capitalLetters({ text, word, key, hasStop, end, allCaps }: ShortWord): Reading {
  if (!hasStop && /^(?:[jsmd]r|ms|st)$/.test(key) && /^-[\dA-Z]/.test(text.slice(end, end + 2))) return null;
  if (allCaps) return undefined;
  if (plainCapitals.test(word)) return null;
  return capitals.test(word) && !(hasStop && matchAt(nameNext, text, end)) ? null : undefined;
}

/** A year, maybe with its month and day: `(b. March 2009)` */
const yearAfter =
  /\s(?:\d{1,2}\s)?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s)?(?:\d{1,2},?\s)?(?:1\d{3}|20\d\d)(?!\d)/y;

/** `(b. 1950)` */
function dateOfLife(short: ShortWord): Reading {
  const { text, word, hasStop, end } = short;
  const isAside = /(?:[([]|[,;]\s)$/.test(textBefore(short, 2));
  return hasStop && isAside && matchAt(yearAfter, text, end) ? lookUp(lives, word) : undefined;
}

const amountNext = /\s[$£€]\d/y;

/** A label before a number or an amount: `No. 5`, `Hwy 101`, `min. $35` */
function label(short: ShortWord): Reading {
  const { text, word, key, hasStop, isCapitalized, end } = short;
  const isNumber = word === 'No' && /[\p{Ll},]\s$/u.test(textBefore(short, 2));
  // `Option C. 5 people`
  const mayBeNumbered =
    (hasStop && word !== 'C') || (isCapitalized && stoplessBeforeNumber.has(key)) || (isNumber && !hasStop);
  // `John N. 5`, `2 l. 3 g`
  const isInitial = lowerLabels.has(key) && isCapitalized;
  const isLiter = key === 'l' && /\d\s$/.test(textBefore(short, 2));
  if (!mayBeNumbered || isInitial || isLiter || !Object.hasOwn(beforeNumber, key)) return undefined;
  const isBeforeAmount = matchAt(amountNext, text, end) !== undefined;
  if (!matchAt(numberNext, text, end) && !(measures.has(key) && isBeforeAmount)) return undefined;
  const isYear = matchAt(yearAfter, text, end) !== undefined;
  if (key === 'est') return isYear ? 'established' : 'estimated';
  if (key === 'rev' && isBeforeAmount) return 'revenue';
  return key === 'rev' && isYear ? 'revised' : beforeNumber[key];
}

const placeNext = /[.\s/]{0,2}(?:EXT\.?\s)?\p{Lu}{2}/uy;

/** The place of a scene in a screenplay: `INT. KITCHEN - DAY` */
function scene({ text, word, hasStop, previous, end }: ShortWord): Reading {
  if (!hasStop || !/^(?:INT|EXT)$/.test(word) || !/^(?:|INT)$/.test(previous)) return undefined;
  return matchAt(placeNext, text, end) ? { INT: 'interior', EXT: 'exterior' }[word] : undefined;
}

const ordinalBefore = /\d(?:st|nd|rd|th)$|^[23]d$/;

/** `2nd ed.`, `5th Fl` */
function partOfNumbered({ key, hasStop, isCapitalized, previous }: ShortWord): Reading {
  const isFloor = isCapitalized && (key === 'fl' || key === 'flr');
  return (hasStop || isFloor) && ordinalBefore.test(previous) ? lookUp(afterOrdinal, key) : undefined;
}

/** `12 pp.`, `12 ff.`, `missed est.` */
function partOfReference({ word, key, hasStop, previous }: ShortWord): Reading {
  if (!hasStop) return undefined;
  if (word === 'est') return 'estimate';
  if (!/^\d+$/.test(previous)) return undefined;
  if (key === 'pp') return 'pages';
  return key === 'ff' ? 'and following' : undefined;
}

/** `Alcaraz d. Djokovic`, `(Song feat. Ann)` */
function featuring({ text, word, hasStop, end, previous }: ShortWord): Reading {
  if (!hasStop || !/^(?:d|def|feat|ft)$/.test(word)) return undefined;
  const isBetweenNames = /^$|^\p{Lu}/u.test(previous) && matchAt(nameNext, text, end) && !isStarter(text, end);
  if (!isBetweenNames) return undefined;
  if (!word.startsWith('d')) return 'featuring';
  return previous === '' ? undefined : 'defeated';
}

/** `Roe v. Wade` */
function versus({ text, word, hasStop, end, previous }: ShortWord): Reading {
  return hasStop && word === 'v' && previous !== '' && matchAt(nameNext, text, end) ? 'versus' : undefined;
}

/** Where the abbreviation of a state follows: after a town and a comma, or the letter of a party. */
export const placeBefore = /\p{Lu}[\p{L}.'’-]+,\s$|[(\s][RDI]-$/u;

/** `Austin, Tex.` */
function state(short: ShortWord): Reading {
  return short.hasStop && placeBefore.test(textBefore(short, 20)) ? lookUp(states, short.word) : undefined;
}

const nounAfter = /\s\p{Ll}{3,}/uy;

/** `the approx. cost`, `max. speed` */
function adjective({ text, word, key, hasStop, end, previous }: ShortWord): Reading {
  if (!hasStop) return undefined;
  const isAfterArticle = /^(?:the|an|its|their|our|your|my)$/i.test(previous);
  if (key === 'approx' && isAfterArticle && matchAt(nounAfter, text, end)) return 'approximate';
  const noun = wordAt(text, end) ?? '';
  return /^\p{Ll}/u.test(noun) && !clauseWords.has(noun) ? lookUp(limits, word) : undefined;
}

const nameAfter = /\s\p{Lu}\p{Ll}/uy;

/** `Sec. Yellen` */
function secretary({ text, word, hasStop, end }: ShortWord): Reading {
  return hasStop && word === 'Sec' && matchAt(nameAfter, text, end) ? 'secretary' : undefined;
}

const streetKeys = wordSet('ave blvd rd ln pkwy hwy');
const houseBefore = /(?:^|[\s(])\d{1,5}[A-Z]? (?:[NSEW]\.? )?(?:\p{Lu}[\p{L}'’]{1,20} ){1,3}$/u;
const streetBefore = /^\p{Lu}|\d(?:st|nd|rd|th)$/u;

/** `5th Ave`, not `Ave Maria`; `123 Laguna Ct` */
function streetName(short: ShortWord): Reading {
  const { text, key, hasStop, isCapitalized, end, previous } = short;
  if (!isCapitalized) return undefined;
  const isStreet = streetKeys.has(key) && streetBefore.test(previous);
  if (!hasStop && isStreet && !/^ Maria\b/.test(text.slice(end, end + 7))) return maybeFinal[key];
  return houseBefore.test(textBefore(short, 50)) && !matchAt(nameNext, text, end) ? lookUp(roads, key) : undefined;
}

/** Without a full stop, few words are abbreviations: `Mr`, `St` */
function withoutStop({ key, hasStop, isCapitalized }: ShortWord): Reading {
  return hasStop || stopless.has(key) || (key === 'st' && isCapitalized) ? undefined : null;
}

/** `Dr./Prof.` */
const titleNext = /\/(?:Mrs?|Ms|Mx|Miss|Prof)(?!\p{L})/uy;

/** `Dr. Smith` and `St. Paul`, but `Elm Dr.` and `Main St.` */
function streetOrTitle({ text, key, hasStop, isCapitalized, end, previous }: ShortWord): Reading {
  if ((key !== 'dr' && key !== 'st') || !isCapitalized) return undefined;
  const afterName = /^\p{Lu}|^\d+(?:st|nd|rd|th)$/u.test(previous);
  const beforeName = matchAt(nameNext, text, end) && !(afterName && isStarter(text, end));
  if (beforeName) return titles[key];
  const isTitle = /^(?:Mrs?|Ms|Mx|Miss|Prof|Dr)$/.test(previous) || matchAt(titleNext, text, end);
  if (key === 'dr') return afterName && !isTitle ? 'drive' : 'doctor';
  return afterName || hasStop ? 'street' : null;
}

/** `Ft. Worth`, not `5 ft.`; `the Co.` */
function nameOrUnit({ text, key, hasStop, isCapitalized, end }: ShortWord): Reading {
  if (key === 'co') return hasStop && isCapitalized ? 'company' : null;
  if (!/^(?:ft|mt|pt)$/.test(key)) return undefined;
  return isCapitalized && matchAt(nameNext, text, end) ? titles[key] : null;
}

/** `10th & Federal Sts.` */
function streets({ text, key, isCapitalized, end, previous }: ShortWord): Reading {
  const isAfterName = key === 'sts' && isCapitalized && streetBefore.test(previous);
  return isAfterName && !matchAt(nameNext, text, end) ? 'streets' : undefined;
}

/** `Gen. Lee`, `Ste. Anne`; in lower case `sen.` is no title, and `fr` no father. */
function title({ text, word, key, hasStop, isCapitalized, end }: ShortWord): Reading {
  if (word === 'Ste' && hasStop && matchAt(nameAfter, text, end)) return 'Saint';
  return isCapitalized || key === 'mr' || key === 'mrs' ? lookUp(titles, key) : undefined;
}

const vitaminNext = /\s?[A-K]\d{0,2}(?![\p{L}\d])/uy;

/** `et al.`, `vit. C`, `adj. EBITDA`, not the word of grammar */
function withinPhrase({ text, key, end, previous }: ShortWord): Reading {
  const isOther =
    (key === 'al' && previous.toLowerCase() !== 'et') ||
    (key === 'adj' && !matchAt(nameNext, text, end)) ||
    (key === 'vit' && !matchAt(vitaminNext, text, end));
  return isOther ? null : undefined;
}

const wordNext = /\s{1,2}["“(]?(\p{L}[\p{L}'’]{0,20})/uy;

/** The word after an abbreviation. */
export function wordAt(text: string, index: number): string | undefined {
  return matchAt(wordNext, text, index)?.[1];
}

/** Whether a word follows that seldom begins a name. */
export function isStarter(text: string, index: number): boolean {
  return starters.has(wordAt(text, index) ?? '');
}
