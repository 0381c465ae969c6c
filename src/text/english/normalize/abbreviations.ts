import { firstMatch } from '../../first-match.ts';
import { lookUp, matchAt, partBefore, textBefore, wordSet } from '../../patterns.ts';
import { maybeFinal, midSentence, stateCodes } from './abbreviation-names.ts';
import { spell } from './acronyms.ts';
import { matchDirection } from './directions.ts';
import { type Context, finalStop, type Match, type Rule } from './rule.ts';
import { isStarter, matchShortWord, placeBefore, wordAt } from './short-words.ts';
import { isStateOfTown } from './us-towns.ts';

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [
  matchDirection,
  matchState,
  matchMailPrefix,
  matchExhibit,
  matchNumero,
  matchInitial,
  matchShortWord,
  matchPluralInitials,
  matchDotted,
];

/** `Mr.`, `No. 5`, `etc.`, `Nov.`, `e.g.`, `U.S.`, `J. K.` */
export function matchAbbreviation(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

const stateCode = /[A-Z]{2}(?![\p{L}\d'’&-]|\.\p{L})/uy;
const partyBefore = /[(\s][RDI]-$/;
const zipNext = /,?\s\d{5}(?!\d)/y;

/** `(D-CA)`, `Salem, MA 01970`, `Portland, OR`; elsewhere the letters may be a degree or a word. */
function matchState({ text, index, allCaps }: Context): Match | undefined {
  const code = allCaps ? undefined : matchAt(stateCode, text, index)?.[0];
  const words = code && lookUp(stateCodes, code);
  if (!words) return undefined;
  const before = textBefore({ text, index }, 24);
  const end = index + 2;
  const isState = partyBefore.test(before) || (placeBefore.test(before) && matchAt(zipNext, text, end));
  return isState || isStateOfTown(before, code) ? { end, words } : undefined;
}

const mailPrefix = /(?:RE|Re|FWD?|Fwd?)(?=: )/y;

/** Of the subject of a mail: `RE: FW: Hi` */
function matchMailPrefix(context: Context): Match | undefined {
  const { text, index } = context;
  const prefix = /^\s*$|:\s$/.test(textBefore(context, 4)) ? matchAt(mailPrefix, text, index)?.[0] : undefined;
  return prefix ? { end: index + prefix.length, words: /^r/i.test(prefix) ? 're' : 'forward' } : undefined;
}

const exhibit = /(Exh?|App)\.(?=\s[A-Z](?![\p{L}\d.'’]))/uy;

/** `see Ex. A` of a brief */
function matchExhibit({ text, index }: Context): Match | undefined {
  const [written, label] = matchAt(exhibit, text, index) ?? [];
  return written ? { end: index + written.length, words: label === 'App' ? 'Appendix' : 'Exhibit' } : undefined;
}

const numberOf = /No\.(?=\sof\s)/y;
const numero = /N[º°]\.?(?=\s?\d)/iy;

/** `No. of pages`, `Nº 5` */
function matchNumero({ text, index }: Context): Match | undefined {
  const label = matchAt(numberOf, text, index)?.[0];
  if (label) return { end: index + label.length, words: 'Number' };
  const sign = matchAt(numero, text, index)?.[0];
  return sign ? { end: index + sign.length, words: 'number' } : undefined;
}

const initial = /(\p{Lu})\.(?=\s?\p{Lu})/uy;

/** `J. K. Rowling`; not of `20 °C. The`, `SB 12-A. The` */
function matchInitial(context: Context): Match | undefined {
  const { text, index } = context;
  const [written, letter] = matchAt(initial, text, index) ?? [];
  if (!written || !letter || partBefore.test(textBefore(context, 3))) return undefined;
  const end = index + written.length;
  const isBeforeName = wordAt(text, end) !== undefined && !isStarter(text, end);
  return isBeforeName ? { end, words: letter } : undefined;
}

const pluralInitials = /((?:[A-Z][a-z]?\.){2,5})['’]?s(?!\p{L})/uy;

/** `Ph.D.s` */
function matchPluralInitials({ text, index }: Context): Match | undefined {
  const [written, letters] = matchAt(pluralInitials, text, index) ?? [];
  if (!written || !letters) return undefined;
  return { end: index + written.length, words: `${spell(letters.replaceAll('.', ''))}'s` };
}

const dotted = /[A-Za-z]{1,3}(?:\.[A-Za-z]{1,3}){1,6}(?:\.(?![A-Za-z])|(?![A-Za-z\d.]))/y;
/** Abbreviations of Latin by single letters. */
const latin = wordSet('eg ie cf');

/** `e.g.`, `U.S.` */
function matchDotted({ text, index }: Context): Match | undefined {
  const written = matchAt(dotted, text, index)?.[0];
  if (!written) return undefined;
  const end = index + written.length;
  const letters = written.replaceAll('.', '');
  const key = letters.toLowerCase();
  const isInitials = written.split('.').every((part) => part.length <= 1);
  // J.R. Smith is no junior.
  const mayBeKnown = !isInitials || latin.has(key);
  const known = mayBeKnown
    ? (lookUp(midSentence, key) ?? (written.endsWith('.') ? lookUp(maybeFinal, key) : undefined))
    : undefined;
  if (known === undefined && !isInitials) return undefined;
  return { end, words: (known ?? spell(letters)) + finalStop(text, end) };
}
