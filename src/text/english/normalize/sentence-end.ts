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
const unitsWithStop = wordSet(
  'ft in lb lbs oz sec min mins hr hrs yr yrs mo mos wk wks mi yd gal qt tsp tbsp deg Tsp Tbsp',
);
/** Abbreviations that are words too, unless a comma or bracket is before them: `my ex. 5 years later` */
const wordsToo = wordSet('Max ex pop tab cat long amend');
/** Before the number of a work of Mozart. */
const workBefore =
  /^(?:s|Mozart|major|minor|flat|sharp|Sonata|Symphony|Concerto|Requiem|Mass|Quartet|Quintet|Serenade)$/;
const zones = wordSet(
  'Eastern Central Mountain Pacific Greenwich Standard EST EDT CST CDT MST MDT PST PDT ET CT MT PT GMT UTC BST CET CEST IST JST',
);

/**
 * Whether a sentence may end at the full stop after a word, as `StopMayEnd`.
 * @param word as written, without its last full stop
 * @param next the word that follows, as written
 * @param before the word before it, as written
 */
function stopMayEnd(word: string, next: string, before: string): boolean {
  const key = word.toLowerCase().replaceAll('.', '');
  const has = (table: Record<string, string>) => Object.hasOwn(table, key);
  const isBeforeNumber =
    /^#?[-−]?\d|^(?:[IVXL]{2,}|[ivxl]{2,})$/.test(next) || (key !== 'no' && /^[A-Z]{1,4}\d{1,6}$/.test(next));
  // An initial or `U.S.`; longer words between dots are names of files and hosts.
  const isInitials = /^\p{L}(?:\.\p{L})*$/u.test(word);
  if (/\d(?:st|nd|rd|th)$|^[23]d$/.test(before) && has(afterOrdinal)) return starters.has(next);
  // `Alcaraz d. Djokovic`, `(Song feat. Ann)`
  const isBetweenNames = /^$|^\p{Lu}/u.test(before) && /^\p{Lu}\p{L}/u.test(next) && !starters.has(next);
  if (isBetweenNames && ((word === 'd' && before !== '') || word === 'def' || word === 'feat' || word === 'ft'))
    return false;
  // `see Ex. A`, `3 pp. long`
  if (word === 'No' && next === 'of') return false;
  // `invoice no. INV-00345`
  if (key === 'no' && /^(?:order|invoice|account|part|model|serial|case|ticket|doc|document)$/i.test(before))
    return starters.has(next);
  if (/^(?:Exh?|App)$/.test(word) && /^[A-Z]$/.test(next)) return false;
  if (word === 'pp' && /^\d+$/.test(before)) return /^\p{Lu}/u.test(next);
  // `123 N. 4th St.`
  if (/^[NSEW]$/.test(word) && /^\d{1,5}[A-Z]?$/.test(before) && /^\d{1,3}(?:st|nd|rd|th)$/.test(next)) return false;
  if (/^fl$/i.test(word) && /^oz\b/i.test(next)) return false;
  // Directly after a word it is a letter that ends the sentence, as in `plan b.`; after a mark it may be `(b. 1950)`.
  if (Object.hasOwn(lives, word))
    return before !== '' || !(/^1\d{3}$|^20\d\d$|^\d{1,2}$/.test(next) || months.has(next.toLowerCase()));
  if (isChapterNext(word, next) || isCitationNext(word, next) || isReference(word, next) || isMoveNext(word, next))
    return false;
  // `Gen. i. 1`
  if (before === '' && /^[ivx]$/.test(word) && /^\d/.test(next)) return false;
  // `£1 4s. 6d. each`; not `the 90s.`
  if (/^\d{0,2}[1-9][sd]$/.test(word) && /^(?:\d{1,2}d(?!\p{L})|\p{Ll})/u.test(next)) return false;
  // `I met Max. 3 days later`, `my ex. 5 years later`
  const isInitial = lowerLabels.has(key) && (word !== key || (word === 'l' && /^\d/.test(before)));
  const isWord = (before !== '' && wordsToo.has(word)) || word === 'C' || isInitial;
  // `op. cit.`
  if (word === 'op' && next === 'cit') return false;
  if ((has(beforeNumber) || has(midSentence)) && isBeforeNumber && !isWord) return false;
  // `VOL. I.`
  // `Ste. Anne`
  if (word === 'Ste' && /^\p{Lu}\p{Ll}/u.test(next)) return starters.has(next);
  if (/^(?:vol|chap|bk|pt)$/.test(key) && /^[IVX]$/.test(next)) return false;
  // `missed est. by 2 %`, `id. at 7`
  if ((word === 'est' && /^\p{Ll}/u.test(next)) || (word === 'id' && next === 'at')) return false;
  // `min. $35`
  if (measures.has(key) && /^[$£€]/.test(next)) return false;
  if (plainCapitals.test(word)) return starters.has(next);
  if (Object.hasOwn(limits, word) && /^\p{Ll}/u.test(next) && !clauseWords.has(next)) return false;
  if (word === 'Sec' && /^\p{Lu}\p{Ll}/u.test(next)) return starters.has(next);
  if (word === 'v' && before !== '' && /^\p{Lu}/u.test(next)) return false;
  if (word === 'ff' && /^\d+$/.test(before)) return starters.has(next);
  // `before` is empty after a comma or a hyphen: `Austin, Tex.`, `D-Calif.`
  if (before === '' && Object.hasOwn(states, word)) return starters.has(next);
  // After a name `St.` and `Dr.` are a street and a drive, which may end the sentence.
  const isTitle = has(titles) && (word !== key || key === 'mr' || key === 'mrs' || key === 'dr');
  if (isTitle && !((key === 'st' || key === 'dr') && /^\p{Lu}|\d/u.test(before))) return false;
  if (Object.hasOwn(firstNames, word)) return starters.has(next);
  if (has(midSentence) && !(word === 'ca' || word === 'resp')) return false;
  const date = months.get(key)?.toLowerCase() ?? lookUp(days, key);
  if (date && date !== key && /^\p{Lu}/u.test(word)) {
    return !isBeforeNumber && !/^[\p{Ll}&]/u.test(next) && (ambiguousDates.has(key) || starters.has(next));
  }
  if (key === 'am' || key === 'pm' || key === 'etc') {
    const isBeforeDate = months.has(next.toLowerCase()) || /day$/.test(next);
    return /^\p{Lu}/u.test(next) && !isBeforeDate && !zones.has(next);
  }
  if (
    /^(?:sq|cu)$/.test(word) &&
    /^(?:ft|in|mi|km|cm|mm|m|yd|yds|miles?|feet|inches|met(?:er|re)s?|yards?)$/.test(next)
  )
    return false;
  // `the 10-yr. Treasury`
  if (unitsWithStop.has(word)) return before === '' ? starters.has(next) : !/^[\p{Ll}\d]/u.test(next);
  if (word === 'I') return !/^\p{Ll}/u.test(next);
  // `Mozart's K. 525`
  if (word === 'K' && /^\d{1,3}[a-z]?$/.test(next) && workBefore.test(before)) return false;
  // `in C major, K. 467`
  if (word.length === 1 && /^[\d$£€]/.test(next)) return before !== '' || !/^[DKLS]$/.test(word);
  if (isInitials || has(maybeFinal) || isTitle) return starters.has(next);
  return true;
}

/** Where English sentences end, as `SentenceRules.sentenceEnd`. */
export const sentenceEnd = sentenceEndRule(stopMayEnd);
