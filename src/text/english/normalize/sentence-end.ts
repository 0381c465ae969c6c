import { firstMatch } from '../../first-match.ts';
import { lookUp, wordSet } from '../../patterns.ts';
import { sentenceEndRule } from '../../segments.ts';
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
  states,
  titles,
} from './abbreviation-names.ts';
import { isChapterNext } from './bible.ts';
import { ambiguousDates, days, months } from './calendar-names.ts';
import { isMoveNext } from './chess.ts';
import { isCitationNext } from './citations.ts';
import { isReference } from './printed-books.ts';

/** Words that seldom begin a name: an abbreviation before one of them ends its sentence. */
export const starters =
  wordSet(`The He She It They We You But And In On At This That These Those There Then When What Where Who
  Why How If Is Are Was Were Do Did Does So My His Her Our Their Its For From With After Before As However Yes Not Please
  An A Let Although Because While Since Once Now Here Some Many Most All Both Each Every One Two To By Or Can Could Would
  Will Should Have Has Had Also Still Even Only I I'm I've I'd I'll It's That's There's Don't`);

/** A word with a full stop, and the words beside it, as written. */
interface Stop {
  /** Without its last full stop. */
  word: string;
  next: string;
  before: string;
  /** The word in lower case, without full stops. */
  key: string;
  isNumberNext: boolean;
  /** Whether `next` seldom goes on after an abbreviation. */
  isStarterNext: boolean;
}

/** In this order: the first that knows whether the sentence may end decides. */
const rules: readonly ((stop: Stop) => boolean | undefined)[] = [
  afterNumber,
  betweenNames,
  afterDocument,
  beforeLetter,
  inAddress,
  inScene,
  inFluidOunces,
  inDates,
  inReference,
  inOldMoney,
  beforeNumbers,
  beforeLabelled,
  beforeAmount,
  inCapitals,
  beforeNoun,
  afterPlace,
  ofNames,
  midSentenceWords,
  ofCalendar,
  ofTimes,
  ofUnits,
  ofLetters,
];

/** Whether a sentence may end at the full stop after a word, as `StopMayEnd`. */
function stopMayEnd(word: string, next: string, before: string): boolean {
  const key = word.toLowerCase().replaceAll('.', '');
  const isNumberNext =
    /^#?[-−]?\d|^(?:[IVXL]{2,}|[ivxl]{2,})$/.test(next) || (key !== 'no' && /^[A-Z]{1,4}\d{1,6}$/.test(next));
  const stop = { word, next, before, key, isNumberNext, isStarterNext: starters.has(next) };
  return firstMatch(rules, stop) ?? true;
}

/** Where English sentences end, as `SentenceRules.sentenceEnd`. */
export const sentenceEnd = sentenceEndRule(stopMayEnd);

/** `2nd ed.`, `12 pp.`, `12 ff.` */
function afterNumber({ word, next, before, key, isStarterNext }: Stop): boolean | undefined {
  if (/\d(?:st|nd|rd|th)$|^[23]d$/.test(before) && Object.hasOwn(afterOrdinal, key)) return isStarterNext;
  if (!/^\d+$/.test(before)) return undefined;
  if (word === 'pp') return /^\p{Lu}/u.test(next);
  return word === 'ff' ? isStarterNext : undefined;
}

/** `Alcaraz d. Djokovic`, `(Song feat. Ann)`, `Roe v. Wade` */
function betweenNames({ word, next, before, isStarterNext }: Stop): boolean | undefined {
  if (word === 'v' && before !== '' && /^\p{Lu}/u.test(next)) return false;
  const isBetweenNames = /^$|^\p{Lu}/u.test(before) && /^\p{Lu}\p{L}/u.test(next) && !isStarterNext;
  const isVerb = (word === 'd' && before !== '') || word === 'def' || word === 'feat' || word === 'ft';
  return isBetweenNames && isVerb ? false : undefined;
}

/** `invoice no. INV-00345`, `No. of pages` */
function afterDocument({ word, next, before, key, isStarterNext }: Stop): boolean | undefined {
  if (word === 'No' && next === 'of') return false;
  const isNumbered = /^(?:order|invoice|account|part|model|serial|case|ticket|doc|document)$/i.test(before);
  return key === 'no' && isNumbered ? isStarterNext : undefined;
}

/** `see Ex. A` */
function beforeLetter({ word, next }: Stop): boolean | undefined {
  return /^(?:Exh?|App)$/.test(word) && /^[A-Z]$/.test(next) ? false : undefined;
}

/** `123 N. 4th St.`, `on S. 10th` */
function inAddress({ word, next, before }: Stop): boolean | undefined {
  const isDirection = /^[NSEW]$/.test(word) && /^(?:\d{1,5}[A-Z]?|on|at|of|to|and|near|from)$/.test(before);
  return isDirection && /^\d{1,3}(?:st|nd|rd|th)$/.test(next) ? false : undefined;
}

/** `INT. KITCHEN - DAY` */
function inScene({ word, next, before }: Stop): boolean | undefined {
  return before === '' && /^(?:INT|EXT)$/.test(word) && /^\p{Lu}{2}/u.test(next) ? false : undefined;
}

/** `8 fl. oz` */
function inFluidOunces({ word, next }: Stop): boolean | undefined {
  return /^fl$/i.test(word) && /^oz\b/i.test(next) ? false : undefined;
}

/** After a mark `(b. 1950)`; directly after a word it is a letter that ends the sentence, as in `plan b.` */
function inDates({ word, next, before }: Stop): boolean | undefined {
  if (!Object.hasOwn(lives, word)) return undefined;
  return before !== '' || !(/^1\d{3}$|^20\d\d$|^\d{1,2}$/.test(next) || months.has(next.toLowerCase()));
}

/** `Gen. i. 1`, `op. cit.` */
function inReference({ word, next, before }: Stop): boolean | undefined {
  if (isChapterNext(word, next) || isCitationNext(word, next) || isReference(word, next) || isMoveNext(word, next))
    return false;
  const isChapter = before === '' && /^[ivx]$/.test(word) && /^\d/.test(next);
  return isChapter || (word === 'op' && next === 'cit') ? false : undefined;
}

/** `£1 4s. 6d. each`; not `the 90s.` */
function inOldMoney({ word, next }: Stop): boolean | undefined {
  return /^\d{0,2}[1-9][sd]$/.test(word) && /^(?:\d{1,2}d(?!\p{L})|\p{Ll})/u.test(next) ? false : undefined;
}

/** Abbreviations that are words too, unless a comma or bracket is before them: `my ex. 5 years later` */
const wordsToo = wordSet('Max ex pop tab cat long amend');

/** `No. 5`, `VOL. I.`; not `I met Max. 3 days later` */
function beforeNumbers({ word, next, before, key, isNumberNext }: Stop): boolean | undefined {
  const isInitial = lowerLabels.has(key) && (word !== key || (word === 'l' && /^\d/.test(before)));
  const isWord = (before !== '' && wordsToo.has(word)) || word === 'C' || isInitial;
  const isLabel = Object.hasOwn(beforeNumber, key) || Object.hasOwn(midSentence, key);
  if (isLabel && isNumberNext && !isWord) return false;
  return /^(?:vol|chap|bk|pt)$/.test(key) && /^[IVX]$/.test(next) ? false : undefined;
}

/** `missed est. by 2 %`, `id. at 7` */
function beforeLabelled({ word, next }: Stop): boolean | undefined {
  return (word === 'est' && /^\p{Ll}/u.test(next)) || (word === 'id' && next === 'at') ? false : undefined;
}

/** `min. $35` */
function beforeAmount({ next, key }: Stop): boolean | undefined {
  return measures.has(key) && /^[$£€]/.test(next) ? false : undefined;
}

/** `9 am PT.` */
function inCapitals({ word, isStarterNext }: Stop): boolean | undefined {
  return plainCapitals.test(word) ? isStarterNext : undefined;
}

/** `max. speed` */
function beforeNoun({ word, next }: Stop): boolean | undefined {
  return Object.hasOwn(limits, word) && /^\p{Ll}/u.test(next) && !clauseWords.has(next) ? false : undefined;
}

/** `Austin, Tex.`, `D-Calif.`: no word is directly before it. */
function afterPlace({ word, before, isStarterNext }: Stop): boolean | undefined {
  return before === '' && Object.hasOwn(states, word) ? isStarterNext : undefined;
}

/** `Dr. Smith`, `Wm. Blake`, `Ste. Anne`; after a name, `St.` and `Dr.` are a street and a drive. */
function ofNames({ word, next, before, key, isStarterNext }: Stop): boolean | undefined {
  if ((word === 'Ste' || word === 'Sec') && /^\p{Lu}\p{Ll}/u.test(next)) return isStarterNext;
  const mayBeStreet = (key === 'st' || key === 'dr') && /^\p{Lu}|\d/u.test(before);
  if (isTitle(word, key) && !mayBeStreet) return false;
  return Object.hasOwn(firstNames, word) ? isStarterNext : undefined;
}

function isTitle(word: string, key: string): boolean {
  return Object.hasOwn(titles, key) && (word !== key || key === 'mr' || key === 'mrs' || key === 'dr');
}

/** `e.g.` */
function midSentenceWords({ word, next, key }: Stop): boolean | undefined {
  // `$3.99/ea. Buy two`
  if (key === 'ea') return /^\p{Lu}/u.test(next);
  return Object.hasOwn(midSentence, key) && word !== 'ca' && word !== 'resp' ? false : undefined;
}

/** `Nov. 20`, `Sat.` */
function ofCalendar({ word, next, key, isNumberNext, isStarterNext }: Stop): boolean | undefined {
  const name = months.get(key)?.toLowerCase() ?? lookUp(days, key);
  if (!name || name === key || !/^\p{Lu}/u.test(word)) return undefined;
  // `Sun. Sept. 24`
  if (Object.hasOwn(days, key) && months.has(next.toLowerCase())) return false;
  return !isNumberNext && !/^[\p{Ll}&]/u.test(next) && (ambiguousDates.has(key) || isStarterNext);
}

const zones = wordSet(
  'Eastern Central Mountain Pacific Greenwich Standard EST EDT CST CDT MST MDT PST PDT ET CT MT PT GMT UTC BST CET CEST IST JST',
);

/** `9 a.m. Eastern`, `9 a.m. Tuesday` */
function ofTimes({ next, key }: Stop): boolean | undefined {
  if (key !== 'am' && key !== 'pm' && key !== 'etc') return undefined;
  const isDateNext = months.has(next.toLowerCase()) || /day$/.test(next);
  return /^\p{Lu}/u.test(next) && !isDateNext && !zones.has(next);
}

const unitsWithStop = wordSet(
  'ft in lb lbs oz sec min mins hr hrs yr yrs mo mos wk wks mi yd gal qt tsp tbsp deg Tsp Tbsp',
);
const areaNext = /^(?:ft|in|mi|km|cm|mm|m|yd|yds|miles?|feet|inches|met(?:er|re)s?|yards?)$/;

/** `5 sq. ft`, `5 gal imp. of it`, `5 imp. gal`, `the 10-yr. Treasury` */
function ofUnits({ word, next, before, isStarterNext }: Stop): boolean | undefined {
  if (word === 'imp' && (/^(?:gal|qt|pt)s?$/.test(before) || /^(?:gal|qt|pt)/.test(next))) return isStarterNext;
  if (/^(?:sq|cu)$/.test(word) && areaNext.test(next)) return false;
  if (!unitsWithStop.has(word)) return undefined;
  return before === '' ? isStarterNext : !/^[\p{Ll}\d]/u.test(next);
}

/** Before the number of a work of Mozart. */
const workBefore =
  /^(?:s|Mozart|major|minor|flat|sharp|Sonata|Symphony|Concerto|Requiem|Mass|Quartet|Quintet|Serenade)$/;

/** `J. Smith`, `U.S.`, `Mozart's K. 525`, `etc.` */
function ofLetters({ word, next, before, key, isStarterNext }: Stop): boolean | undefined {
  if (word === 'I') return !/^\p{Ll}/u.test(next);
  if (word === 'K' && /^\d{1,3}[a-z]?$/.test(next) && workBefore.test(before)) return false;
  // `in C major, K. 467`
  if (word.length === 1 && /^[\d$£€]/.test(next)) return before !== '' || !/^[DKLRS]$/.test(word);
  // Longer words between dots are names of files and hosts.
  const isInitials = /^\p{L}(?:\.\p{L})*$/u.test(word);
  return isInitials || Object.hasOwn(maybeFinal, key) || isTitle(word, key) ? isStarterNext : undefined;
}
