import { lookUp, matchAt, partBefore, wordSet } from '../../patterns.ts';
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
  stateCodes,
  states,
  stopless,
  stoplessBeforeNumber,
  titles,
} from './abbreviation-names.ts';
import { spell } from './acronyms.ts';
import { bookBeforeChapter } from './bible.ts';
import { monthInFull, weekdayInFull } from './calendar-abbreviations.ts';
import { matchDirection } from './directions.ts';
import { type Context, finalStop, type Match, nameNext, numberNext } from './rule.ts';
import { starters } from './sentence-end.ts';
import { isStateOfTown } from './us-towns.ts';

const abbreviation = /([A-Za-z]{1,8})(\.?)(?!\p{L}|(?<!\.)['’]|['’](?!s(?!\p{L}))|(?<!\.)\d|\.\p{L})/uy;
/** `MR imaging`, `an MS in law` */
const capitals = /^(?:MR|MS|DR|JR|SR|EA)$/;
const dotted = /[A-Za-z]{1,3}(?:\.[A-Za-z]{1,3}){1,6}(?:\.(?![A-Za-z])|(?![A-Za-z\d.]))/y;
/** Abbreviations of Latin by single letters. */
const latin = wordSet('eg ie cf');
const nounAfter = /\s\p{Ll}{3,}/uy;
const nameAfter = /\s\p{Lu}\p{Ll}/uy;
const numero = /N[º°]\.?(?=\s?\d)/iy;
/** `Ph.D.s` */
const pluralInitials = /((?:[A-Z][a-z]?\.){2,5})['’]?s(?!\p{L})/uy;
const initialBeforeName = /\p{Lu}\.(?=\s?\p{Lu})/uy;
const ordinalBefore = /\d(?:st|nd|rd|th)$|^[23]d$/;
/** Where the abbreviation of a state follows: after a town and a comma, or the letter of a party. */
const placeBefore = /\p{Lu}[\p{L}.'’-]+,\s$|[(\s][RDI]-$/u;
/** A year, maybe with its month and day: `(b. March 2009)` */
const yearAfter =
  /\s(?:\d{1,2}\s)?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s)?(?:\d{1,2},?\s)?(?:1\d{3}|20\d\d)(?!\d)/y;
const partyBefore = /[(\s][RDI]-$/;
const stateCode = /[A-Z]{2}(?![\p{L}\d'’&-]|\.\p{L})/uy;
const zipNext = /,?\s\d{5}(?!\d)/y;
const streets = wordSet('ave blvd rd ln pkwy hwy');
const houseBefore = /(?:^|[\s(])\d{1,5}[A-Z]? (?:[NSEW]\.? )?(?:\p{Lu}[\p{L}'’]{1,20} ){1,3}$/u;
const amountNext = /\s[$£€]\d/y;
const vitaminNext = /\s?[A-K]\d{0,2}(?![\p{L}\d])/uy;
const wordNext = /\s{1,2}["“(]?(\p{L}[\p{L}'’]{0,20})/uy;

/** `Mr.`, `No. 5`, `etc.`, `Nov.`, `e.g.`, `U.S.`, `J. K.` */
export function matchAbbreviation(context: Context): Match | undefined {
  const { text, index } = context;
  const direction = matchDirection(context);
  if (direction) return direction;
  const initial = matchAt(initialBeforeName, text, index);
  const state = stateAt(context);
  if (state) return state;
  const subject = /^\s*$|:\s$/.test(text.slice(Math.max(0, index - 4), index))
    ? matchAt(mailPrefix, text, index)
    : null;
  if (subject) return { end: index + subject[0].length, words: /^r/i.test(subject[0]) ? 're' : 'forward' };
  const labelled = matchAt(exhibit, text, index)?.[0];
  if (labelled) return { end: text.indexOf('.', index) + 1, words: labelled.startsWith('A') ? 'Appendix' : 'Exhibit' };
  // `No. of pages`
  if (matchAt(numberOf, text, index)) return { end: index + 3, words: 'Number' };
  const number = matchAt(numero, text, index)?.[0];
  if (number) return { end: index + number.length, words: 'number' };
  // `20 °C. The`, `SB 12-A. The`
  const isPart = partBefore.test(text.slice(Math.max(0, index - 3), index));
  if (initial && !isPart && matchAt(wordNext, text, index + 2)?.[1] !== undefined && !isStarter(text, index + 2)) {
    return { end: index + 2, words: initial[0][0]! };
  }
  return matchSingle(context) ?? matchDotted(context);
}

/** `(D-CA)`, `Salem, MA 01970`, `Portland, OR`; elsewhere the letters may be a degree or a word. */
function stateAt({ text, index, allCaps }: Context): Match | undefined {
  const code = allCaps ? undefined : matchAt(stateCode, text, index)?.[0];
  const words = code && lookUp(stateCodes, code);
  if (!words) return undefined;
  const before = text.slice(Math.max(0, index - 24), index);
  const end = index + 2;
  const isState = partyBefore.test(before) || (placeBefore.test(before) && matchAt(zipNext, text, end));
  return isState || isStateOfTown(before, code) ? { end, words } : undefined;
}

/** Of the subject of a mail: `RE: FW: Hi` */
const mailPrefix = /(?:RE|Re|FWD?|Fwd?)(?=: )/y;
const numberOf = /No\.(?=\sof\s)/y;
/** `see Ex. A` of a brief */
const exhibit = /(?:Exh?|App)\.\s(?=[A-Z](?![\p{L}\d.'’]))/uy;

/** `Alcaraz d. Djokovic`, `(Song feat. Ann)` */
function isBetweenNames(previous: string, text: string, end: number): boolean {
  return /^$|^\p{Lu}/u.test(previous) && matchAt(nameNext, text, end) !== undefined && !isStarter(text, end);
}

function isStarter(text: string, index: number): boolean {
  return starters.has(matchAt(wordNext, text, index)?.[1] ?? '');
}

function matchDotted({ text, index }: Context): Match | undefined {
  const plural = matchAt(pluralInitials, text, index);
  if (plural) return { end: index + plural[0].length, words: `${spell(plural[1]!.replaceAll('.', ''))}'s` };
  const match = matchAt(dotted, text, index);
  if (!match) return undefined;
  const end = index + match[0].length;
  const letters = match[0].replaceAll('.', '');
  const key = letters.toLowerCase();
  const isInitials = match[0].split('.').every((part) => part.length <= 1);
  // J.R. Smith is no junior.
  const mayBeKnown = !isInitials || latin.has(key);
  const known = mayBeKnown
    ? (lookUp(midSentence, key) ?? (match[0].endsWith('.') ? lookUp(maybeFinal, key) : undefined))
    : undefined;
  if (known === undefined && !isInitials) return undefined;
  return { end, words: (known ?? spell(letters)) + finalStop(text, end) };
}

function matchSingle(context: Context): Match | undefined {
  const { text, index, previous } = context;
  const match = matchAt(abbreviation, text, index);
  if (!match?.[1]) return undefined;
  const hasStop = match[2] === '.';
  const key = match[1].toLowerCase();
  const end = index + match[0].length;
  // `an SR-22`, written `Sr-22`
  if (!hasStop && /^(?:[jsmd]r|ms|st)$/.test(key) && /^-[\dA-Z]/.test(text.slice(end, end + 2))) return undefined;
  if (plainCapitals.test(match[1]) && !context.allCaps) return undefined;
  if (capitals.test(match[1]) && !context.allCaps && !(hasStop && matchAt(nameNext, text, end))) return undefined;
  const isCapitalized = match[1] !== key;
  const written = { word: match[1], hasStop, end };
  const matched = (words: string | undefined) =>
    words === undefined ? undefined : { end, words: withCaseOf(words, match[1]!) + finalStop(text, end) };
  const book = bookBeforeChapter(match[1], text, end, previous);
  if (book) return matched(book);
  const isAside = /(?:[([]|[,;]\s)$/.test(text.slice(Math.max(0, index - 2), index));
  if (hasStop && isAside && matchAt(yearAfter, text, end) && lookUp(lives, match[1])) return matched(lives[key]);
  // `Option C. 5 people`
  const isNumber = match[1] === 'No' && /[\p{Ll},]\s$/u.test(text.slice(Math.max(0, index - 2), index));
  const mayBeNumbered =
    (hasStop && match[1] !== 'C') || (isCapitalized && stoplessBeforeNumber.has(key)) || (isNumber && !hasStop);
  // `John N. 5`, `2 l. 3 g`
  const isInitial = lowerLabels.has(key) && isCapitalized;
  const isLiter = key === 'l' && /\d\s$/.test(text.slice(Math.max(0, index - 2), index));
  const isLabel = mayBeNumbered && Object.hasOwn(beforeNumber, key) && !isInitial && !isLiter;
  if (isLabel && (matchAt(numberNext, text, end) ?? (measures.has(key) && matchAt(amountNext, text, end)))) {
    const isYear = matchAt(yearAfter, text, end) !== undefined;
    if (key === 'est') return matched(isYear ? 'established' : 'estimated');
    if (key === 'rev' && matchAt(amountNext, text, end)) return matched('revenue');
    return matched(key === 'rev' && isYear ? 'revised' : beforeNumber[key]);
  }
  const isFloor = isCapitalized && (key === 'fl' || key === 'flr');
  if ((hasStop || isFloor) && ordinalBefore.test(previous) && lookUp(afterOrdinal, key))
    return matched(afterOrdinal[key]);
  if (hasStop && match[1] === 'est') return matched('estimate');
  if (hasStop && key === 'pp' && /^\d+$/.test(previous)) return matched('pages');
  if (hasStop && key === 'ff' && /^\d+$/.test(previous)) return matched('and following');
  if (hasStop && /^(?:d|def|feat|ft)$/.test(match[1]) && isBetweenNames(previous, text, end)) {
    if (!match[1].startsWith('d')) return matched('featuring');
    if (previous !== '') return matched('defeated');
  }
  const given = hasStop ? lookUp(firstNames, match[1]) : undefined;
  if (given) return matched(given);
  if (hasStop && match[1] === 'v' && previous !== '' && matchAt(nameNext, text, end)) return matched('versus');
  if (hasStop && placeBefore.test(text.slice(Math.max(0, index - 20), index)) && lookUp(states, match[1])) {
    return matched(states[match[1]]);
  }
  // `the approx. cost`
  if (
    hasStop &&
    key === 'approx' &&
    /^(?:the|an|its|their|our|your|my)$/i.test(previous) &&
    matchAt(nounAfter, text, end)
  ) {
    return matched('approximate');
  }
  if (hasStop && match[1] === 'Sec' && matchAt(nameAfter, text, end)) return matched('secretary');
  const noun = matchAt(wordNext, text, end)?.[1] ?? '';
  if (hasStop && lookUp(limits, match[1]) && /^\p{Ll}/u.test(noun) && !clauseWords.has(noun))
    return matched(limits[key]);
  const calendarName = monthInFull(context, written) ?? weekdayInFull(context, written);
  if (calendarName) return matched(calendarName);
  // `5th Ave`, not `Ave Maria`
  const isStreet = isCapitalized && streets.has(key) && /^\p{Lu}|\d(?:st|nd|rd|th)$/u.test(previous);
  if (!hasStop && isStreet && !/^ Maria\b/.test(text.slice(end, end + 7))) return matched(maybeFinal[key]);
  const suffix = isCapitalized && houseBefore.test(text.slice(Math.max(0, index - 50), index)) && lookUp(roads, key);
  if (suffix && !matchAt(nameNext, text, end)) return matched(suffix);
  if (key === 'attn' && text[end] === ':') return matched('attention');
  if (!hasStop && !stopless.has(key) && !(key === 'st' && isCapitalized)) return undefined;
  if ((key === 'dr' || key === 'st') && isCapitalized) return matched(streetOrTitle(key, match, previous, text, end));
  if (key === 'ft' || key === 'mt' || key === 'pt' || key === 'co') {
    if (key === 'co') return hasStop && isCapitalized ? matched('company') : undefined;
    return isCapitalized && matchAt(nameNext, text, end) ? matched(titles[key]) : undefined;
  }
  // `10th & Federal Sts.`
  if (key === 'sts' && isCapitalized && /^\p{Lu}|\d(?:st|nd|rd|th)$/u.test(previous) && !matchAt(nameNext, text, end))
    return matched('streets');
  // `sen.` in lower case is not a title, and `fr` not a father.
  // `Ste. Anne`
  if (match[1] === 'Ste' && hasStop && matchAt(nameAfter, text, end)) return matched('Saint');
  const title = lookUp(titles, key);
  if (title && (isCapitalized || key === 'mr' || key === 'mrs')) return matched(title);
  if (key === 'al' && previous.toLowerCase() !== 'et') return undefined;
  // `adj. EBITDA`, not the word of grammar
  if (key === 'adj' && !matchAt(nameNext, text, end)) return undefined;
  if (key === 'vit' && !matchAt(vitaminNext, text, end)) return undefined;
  return matched(lookUp(midSentence, key) ?? lookUp(maybeFinal, key));
}

/** `Dr. Smith` and `St. Paul`, but `Elm Dr.` and `Main St.` */
function streetOrTitle(key: 'dr' | 'st', match: RegExpExecArray, previous: string, text: string, end: number) {
  const afterName = /^\p{Lu}|^\d+(?:st|nd|rd|th)$/u.test(previous);
  const beforeName = matchAt(nameNext, text, end) && !(afterName && isStarter(text, end));
  if (beforeName) return titles[key];
  if (afterName) return key === 'dr' ? 'drive' : 'street';
  if (key === 'st' && !match[2]) return undefined;
  return key === 'dr' ? 'doctor' : 'street';
}

/** Capitalizes the words if the abbreviation is capitalized. */
function withCaseOf(words: string, written: string): string {
  const isCapitalized = /^\p{Lu}/u.test(written);
  return isCapitalized ? words[0]!.toUpperCase() + words.slice(1) : words;
}
