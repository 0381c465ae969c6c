import { firstMatch } from '../../first-match.ts';
import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { romanToDigits } from '../../roman-numerals.ts';
import { cardinal, ordinal, year } from './numbers.ts';
import type { Context, Match, Rule } from './rule.ts';

const regnalNames =
  wordSet(`Henry Louis Charles George Edward Richard James William Elizabeth Mary John Paul Pius Benedict
  Francis Philip Frederick Catherine Napoleon Nicholas Alexander Ivan Leo Gregory Innocent Urban Clement Ferdinand Wilhelm Otto
  Leopold Victor Umberto Haakon Olav Gustav Christian Carl Peter Ramesses Rameses Ptolemy Cleopatra Xerxes Darius Alfonso Pedro
  Margaret Isabella Albert Constantine Malcolm Robert David Harald Sixtus Boniface Martin Stephen Kenneth Edgar Adrian Alfred
  Anne Julius Justinian Theodosius Selim Mehmed Murad Suleiman Mohammed Hassan Abdullah Hussein Felipe Juan Carlos Mithridates`);
const numberedNouns =
  wordSet(`chapter part parts wars act scene volume book section article war type phase appendix figure table class title
  level stage bowl rocky episode canto lesson unit verse vol ch no grade group category tier step round game apollo saturn
  chap bk pt sect sc amend sched mark vatican division corps symphony sonata concerto opus psalm factor schedule exhibit`);
/** Words before a page number in lower-case numerals. A capital `I` after them is the pronoun. */
const pages = wordSet('page pages pp p');
/** What follows a single `I` that numbers a lower-case noun: `stage I cancer`, not `the stage I reached`. */
const firstNext =
  /(?:[.,;:!?)\]/–—-]|["”’]?$|\s(?:(?:and|or|to|through|vs\.?|versus)\s(?:[IVX\d]+|stage|phase|type|class|grade|level|group|part|category)|of|in|is|are|has|begins|ended|starts|began|cancers?|carcinomas?|tumou?rs?|disease|diabet(?:es|ics?)|trials?|stud(?:y|ies)|clinical|patients?|errors?|drugs?|substances?|narcotics?|controlled|metals?|elements?|listed|collagen|hypersensitivity|interferons?|restriction|supernovae?|civili[sz]ations?|fib(?:er|re)s?|muscles?|cells?|reactions?|antigens?|molecules?|recalls?|railroads?|felon(?:y|ies)|devices?|bipolar|survey|landfills?|waters?)(?!\p{L}))/uy;
/** Verbs for people, not for a war or a chapter. */
const personalVerbs =
  /\s(?:am|think|thought|know|knew|want(?:ed)?|lov(?:e|ed)|lik(?:e|ed)|see|saw|say|believed?|hoped?|need(?:ed)?|told|feel|felt|guess|suppose|mean|meant|wish|don't|just|really|never|always|read|wrote|bought|made|learn(?:ed|t)|play(?:ed)?|found|use[d]?|heard|watch(?:ed)?|tried|got|get|grew|lived?|work(?:ed)?|joined|took|gave)(?!\p{L})/iuy;

/** Whether a single `I` after a noun is a numeral: `World War I`, `stage I cancer`, not `the book I read` or `No I need`. */
function isFirst(noun: string, { text, allCaps }: Context, end: number): boolean {
  if (/^no$/i.test(noun)) return false;
  if (allCaps || /^\p{Lu}/u.test(noun)) return /^war$/i.test(noun) || !matchAt(personalVerbs, text, end);
  return matchAt(firstNext, text, end) !== undefined;
}

/** Words after a single `I` that make it the pronoun. */
const pronounVerbs =
  /\s(?:am|was|have|had|will|would|could|should|think|thought|know|knew|can|do|did|don't|want|wanted|love|like|see|saw|said|say|must|might|may|shall|never|just|really|believe|hope|need|met|told|feel|felt|guess|suppose|mean|wish|went|go|used)\b/y;
/** Words after a single `I` that make it a numeral despite its verb: `Elizabeth I was crowned`. */
const reigns =
  /\s(?:was|had|did)\s(?:a|an|the|born|crowned|king|queen|succeeded|died|reigned|ruled|executed|emperor|pope)\b/y;

const ordinalNext =
  /[\s-](?:(?:and|or|to)\s[IVXLC]{1,8}\s)?(?:centur(?:y|ies)|cent\.|Olympi(?:c|ad|cs)|Winter Olympic|Summer Olympic|[Dd]ynasty|Legion|International|Congress)(?!\p{L})/uy;
const ordinalNumeral = /([IVXLC]{1,12})(st|nd|rd|th)(?![\p{L}\d])/uy;
const lowerNumeral = /[ivxl]{2,8}(?![\p{L}\d'’&]|\.\p{L})/uy;
const lowerRange = /([ivxl]{1,8})[-–]([ivxl]{1,8})(?![\p{L}\d])/uy;
const romanNumeral = /([IVXLCDM]{1,15})(?![\p{L}\d]|['’](?!s(?!\p{L}))\p{L}|\.\p{L}|&)/uy;

/** `XXI century`, `XIXth` */
function matchOrdinal({ text, index }: Context): Match | undefined {
  if (/[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, ordinalOf] = matchAt(ordinalNumeral, text, index) ?? [];
  const numeral = ordinalOf ?? matchAt(romanNumeral, text, index)?.[1] ?? '';
  const digits = romanToDigits(numeral);
  if (!digits || (numeral === 'I' && !all && !/^I[\s-]centur/.test(text.slice(index, index + 10)))) return undefined;
  const end = index + (all ?? numeral).length;
  return all || matchAt(ordinalNext, text, end) ? { end, words: ordinal(digits) } : undefined;
}

const range = /([IVX]{1,5})[-–]([IVX]{1,5})(?![\p{L}\d])/uy;
const pairNext = /(?:,\s|\s(?:and|or|to|through|&)\s)[IVX]{1,5}(?![\p{L}\d])/uy;

/** `nerves II-XII`, `chapters I-III`; of `Acts I and II` the first. */
function matchSeveral(context: Context): Match | undefined {
  const { text, index, previous } = context;
  if (previous === '' || !numeralAt(context)) return undefined;
  const noun = previous.toLowerCase();
  const isNumbered = numberedNouns.has(noun) || (noun.endsWith('s') && numberedNouns.has(noun.slice(0, -1)));
  const [all = '', first = '', last = ''] = matchAt(range, text, index) ?? [];
  const [from, to] = [romanToDigits(first), romanToDigits(last)];
  if (from && to && Number(from) < Number(to) && (isNumbered || (first.length > 1 && last.length > 1))) {
    return { end: index + all.length, words: `${cardinal(from)} to ${cardinal(to)}` };
  }
  const single = isNumbered ? (matchAt(romanNumeral, text, index)?.[1] ?? '') : '';
  const digits = matchAt(pairNext, text, index + single.length) ? romanToDigits(single) : undefined;
  return digits ? { end: index + single.length, words: cardinal(digits) } : undefined;
}

const romanCharacters = /[\u2160-\u2188]{1,15}/y;

/** `Phase IIb`, `Stage IIIA`, `Section III.A` */
const withLetter = /([IVX]{1,4})(?:([a-dAB])|\.([A-H]))(?![\p{L}\d]|\.\d)/uy;
/** Before a title: `IV. Presto` */
const headed = /[IVX]{2,6}(?=\.(?:\s+\p{Lu}|\s*$))/uy;
/** A letter that may be an initial: `I. Introduction`, `V. The Storm`, not `I. Newton` */
const headedByLetter =
  /[IVX](?=\.\s+(?:(?:The|An?|Of|In|On|From|How|What|Why|When|Where|Who|Our|My)(?=\s\p{Lu})|\p{Lu}(?:\p{Ll}{2,14}|\p{Lu}{2,14})(?<=(?:[st]ions?|ments?|[ae]nces?|ysis|ground|view|thods?|sults?|mary|stract|ferences|work|face|logue|pendix|pendices|ory|ness|IONS?|MENTS?|[AE]NCES?|YSIS|GROUND|VIEW|THODS?|SULTS?|MARY|STRACT|FERENCES|WORK|FACE|LOGUE|PENDIX|ORY|NESS)))(?![\p{L}'’]))/uy;
/** Of a list: `(ii)` */
const enumerator = /(?:ii|iii|iv|vi|vii|viii|ix|xi|xii|xiii|xiv|II|III|VI|VII|VIII|IX|XI|XII)(?=\))/y;

/** Of a list, before its stop: `ii. Next` */
const stoppedEnumerator = /(?:ii|iii|iv|vi|vii|viii|ix|xi|xii|xiii|xiv)(?=\.\s+\S)|[ivx](?=\.\s+\p{Lu}(?!\.))/uy;

/** Characters for Roman numerals: `Chapter Ⅻ`, `Louis ⅩⅣ`. */
export function matchRomanCharacters(context: Context): Match | undefined {
  const { text, index } = context;
  const written = matchAt(romanCharacters, text, index)?.[0];
  const numeral = written?.normalize('NFKC').toUpperCase();
  const digits = numeral && romanToDigits(numeral);
  if (!written || !digits) return undefined;
  const end = index + written.length;
  const inLetters = { ...context, text: text.slice(0, index) + numeral + text.slice(end) };
  return { end, words: matchRomanNumeral(inLetters)?.words ?? cardinal(digits) };
}

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [
  matchHeading,
  matchListItem,
  matchLettered,
  matchLowerRange,
  matchLower,
  matchOrdinal,
  matchYear,
  matchSeveral,
  matchNamed,
];

/** `Henry VIII`, `Chapter IV`, `World War II`, `MMXXVI`. */
export function matchRomanNumeral(context: Context): Match | undefined {
  // Punctuation separates a name from its numeral: `No, I thought so`.
  const isDirectly = /[\p{L}.]\s{1,3}$/u.test(textBefore(context, 4));
  return firstMatch(rules, isDirectly ? context : { ...context, previous: '' });
}

/** `IV. Presto` */
function matchHeading(context: Context): Match | undefined {
  const { text, index } = context;
  if (!/^\s*$|:\s$/.test(textBefore(context, 4))) return undefined;
  const heading = (matchAt(headed, text, index) ?? matchAt(headedByLetter, text, index))?.[0];
  const digits = heading && romanToDigits(heading);
  return digits ? { end: index + heading.length, words: cardinal(digits) } : undefined;
}

/** `(ii)`, `(i) … (ii)`, `ii. Next` */
function matchListItem(context: Context): Match | undefined {
  const { text, index } = context;
  const before = textBefore(context, 4);
  if (before.endsWith('(') && text.startsWith('i)', index) && text.includes('(ii)'))
    return { end: index + 1, words: 'one' };
  const isFirst = /^\s*$/.test(before);
  if (!isFirst && !/\(\s*$/.test(before)) return undefined;
  const [item] = matchAt(enumerator, text, index) ?? (isFirst ? matchAt(stoppedEnumerator, text, index) : null) ?? [];
  return item ? { end: index + item.length, words: cardinal(romanToDigits(item.toUpperCase())!) } : undefined;
}

/** `Phase IIb`, `Section III.A` */
function matchLettered({ text, index, previous }: Context): Match | undefined {
  const [lettered = '', numeral = '', suffix, part] = matchAt(withLetter, text, index) ?? [];
  const letter = suffix ?? part ?? '';
  const digits = numberedNouns.has(previous.toLowerCase()) ? romanToDigits(numeral) : undefined;
  return digits ? { end: index + lettered.length, words: `${cardinal(digits)} ${letter.toUpperCase()}` } : undefined;
}

const numbersLower = (previous: string) =>
  numberedNouns.has(previous.toLowerCase()) || pages.has(previous.toLowerCase());

/** `pp. iv-xii` */
function matchLowerRange({ text, index, previous }: Context): Match | undefined {
  const [all = '', first = '', last = ''] = numbersLower(previous) ? (matchAt(lowerRange, text, index) ?? []) : [];
  const [from, to] = [romanToDigits(first.toUpperCase()), romanToDigits(last.toUpperCase())];
  if (!from || !to || Number(from) >= Number(to)) return undefined;
  return { end: index + all.length, words: `${cardinal(from)} to ${cardinal(to)}` };
}

/** `page iv` */
function matchLower({ text, index, previous }: Context): Match | undefined {
  const numeral = numbersLower(previous) ? matchAt(lowerNumeral, text, index)?.[0] : undefined;
  const digits = numeral && romanToDigits(numeral.toUpperCase());
  return digits ? { end: index + numeral.length, words: cardinal(digits) } : undefined;
}

/** A numeral in capitals by itself. */
function numeralAt({ text, index }: Context): { numeral: string; digits: string; end: number } | undefined {
  const numeral = matchAt(romanNumeral, text, index)?.[1] ?? '';
  const digits = romanToDigits(numeral);
  if (!digits || /[\p{L}\d&.]/u.test(text[index - 1] ?? '')) return undefined;
  return { numeral, digits, end: index + numeral.length };
}

/** `MMXXVI` */
function matchYear(context: Context): Match | undefined {
  const { numeral, digits, end } = numeralAt(context) ?? {};
  return numeral && digits && end && numeral.length >= 4 && Number(digits) >= 1000
    ? { end, words: year(digits) }
    : undefined;
}

/** A numeral after the word or the name that it numbers: `Chapter IV`, `Henry VIII`, `Rocky III` */
function matchNamed(context: Context): Match | undefined {
  const { text, index, previous, allCaps } = context;
  const found = numeralAt(context);
  if (
    !found ||
    (previous === '' && !/§ $/.test(textBefore(context, 2))) ||
    !/^[IVXL]+$/.test(found.numeral) ||
    !/\s/.test(text[index - 1] ?? '')
  )
    return undefined;
  const { numeral, digits, end } = found;
  // `§ VI`
  if (/§ $/.test(textBefore(context, 2))) return { end, words: cardinal(digits) };
  // `no LV gram`
  const isAnswer = previous.toLowerCase() === 'no' && !/\./.test(textBefore(context, 3));
  if (numberedNouns.has(previous.toLowerCase()) && !isAnswer) {
    return numeral !== 'I' || isFirst(previous, context, end) ? { end, words: cardinal(digits) } : undefined;
  }
  const name = allCaps ? previous[0] + previous.slice(1).toLowerCase() : previous;
  if (regnalNames.has(name)) {
    const isPronoun = numeral === 'I' && matchAt(pronounVerbs, text, end) && !matchAt(reigns, text, end);
    // `ROBERT L, SMITH`
    const isInitial = numeral === 'L' || (numeral === 'X' && name === 'Malcolm');
    return isPronoun || isInitial ? undefined : { end, words: `the ${ordinal(digits)}` };
  }
  // Names of films, games and people: only numerals that are not words or acronyms.
  const isSure = /^(?:II|III|VII|VIII|XII|XIII|XIV|XVI)$/.test(numeral);
  const isAfterName = /^(?:VI|IX|XI|XV)$/.test(numeral) && /^\p{Lu}/u.test(previous);
  return isSure || isAfterName ? { end, words: cardinal(digits) } : undefined;
}
