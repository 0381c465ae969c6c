import { firstMatch } from '../../first-match.ts';
import { lookUp, matchAt, textBefore, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { contractions, texted } from './known-words.ts';
import type { LatinWord } from './latin-word.ts';
import type { Context, Match, Rule } from './rule.ts';
import { sayMixed, sayWord } from './say-word.ts';
import { matchTimes } from './times-sign.ts';
import { matchLetterA, matchMarkedVariable, matchOrdinalOfUnknown, matchProductOfUnknowns } from './variables.ts';

/** In this order: the first that matches wins. */
const rules: readonly Rule[] = [
  matchDegree,
  matchTimes,
  matchWorkdays,
  matchCensored,
  matchNamed,
  matchMixed,
  matchLatin,
];

/** A word in Latin letters, with or without digits: `H2O`. */
export function matchWord(context: Context): Match | undefined {
  return firstMatch(rules, context);
}

/** What is typed for the sign of a degree: the sign of an ordinal in other languages, `20º`, `20 ºC`, or a letter, `20oC` */
const degree = /º|o(?=[CF](?![\p{L}\d]))/uy;
const spacedDegree = /º(?=[CF](?![\p{L}\d]))/uy;

function matchDegree({ text, index }: Context): Match | undefined {
  const before = textBefore({ text, index }, 2);
  const isDegree =
    (/\d$/.test(before) && matchAt(degree, text, index)) ||
    (/\d\s$/.test(before) && matchAt(spacedDegree, text, index));
  return isDegree ? { end: index + 1, words: 'degrees' } : undefined;
}

const workdays = /M[-–](F|Th)(?=[,:]?\s\d|[,:]?\s(?:from|at|only)(?!\p{L}))/uy;

/** `M–F 8–5`, `M-F, 9am` */
function matchWorkdays({ text, index }: Context): Match | undefined {
  if (/[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  const [days, lastDay] = matchAt(workdays, text, index) ?? [];
  return days ? { end: index + days.length, words: `Monday to ${lastDay === 'F' ? 'Friday' : 'Thursday'}` } : undefined;
}

const censored = /(?:[A-Za-z]{1,2}\*{1,3}[a-z]{2,4}|[Ss]h\*t|[FfSs]\*{2}[kt])(?![\w(*^])/y;

/** `f*ck` */
function matchCensored({ text, index }: Context): Match | undefined {
  const hidden = matchAt(censored, text, index)?.[0];
  return hidden ? { end: index + hidden.length, words: spell(hidden.replaceAll('*', '')) } : undefined;
}

const tooLong = /TL[;:]\s?DR(?![\p{L}\d])/iuy;
const wifi = /wi-fi(?!\p{L})/iuy;
const mash = /M\*A\*S\*H(?![\p{L}*])/uy;

/** `TL;DR`, `Wi-Fi`, `M*A*S*H` */
function matchNamed({ text, index }: Context): Match | undefined {
  const summary = matchAt(tooLong, text, index);
  if (summary) return { end: index + summary[0].length, words: 'T L D R' };
  if (matchAt(mash, text, index)) return { end: index + 7, words: 'mash' };
  const wireless = matchAt(wifi, text, index);
  return wireless && { end: index + wireless[0].length, words: 'why fie' };
}

const codeBeforeAmount = /[A-Z]{2,4}(?=\d{1,3}(?:,\d{3}){1,6}(?!\d))/y;
/** Not a square of a board or a cell. */
const beforeNext =
  /[Bb]4(?=\s(?:I|i|we|you|u|he|she|it|they|the|my|your|ur|this|that|noon|midnight|bed|dinner|lunch|school|work|going)(?!\p{L}))/uy;
const mixed = /[A-Za-z]{1,30}[\d₀-₉]{1,30}(?:[A-Za-z]{1,30}|[\d₀-₉]{1,30}){0,12}/y;

/** `IRR200,000`, `c u b4 noon`, `H2O` */
function matchMixed({ text, index }: Context): Match | undefined {
  const code = matchAt(codeBeforeAmount, text, index)?.[0];
  if (code) return { end: index + code.length, words: spell(code) };
  if (matchAt(beforeNext, text, index)) return { end: index + 2, words: 'before' };
  const found = matchAt(mixed, text, index)?.[0];
  return found ? { end: index + found.length, words: lookUp(texted, found) ?? sayMixed(found) } : undefined;
}

/** The small n is an exponent. */
const latin =
  /(?:(?!ⁿ)[\p{Script=Latin}\p{M}\u00AD\u200B-\u200D\u2060])+(?:['’ʼ＇ʻ][\p{Script=Latin}\p{M}\u00AD\u200B-\u200D\u2060]+)*/uy;

/** A word in Latin letters alone. */
function matchLatin(context: Context): Match | undefined {
  const { text, index } = context;
  const word = matchAt(latin, text, index)?.[0];
  if (!word) return undefined;
  const end = index + word.length;
  return firstMatch(wordRules, { ...context, word, end, before: text[index - 1] ?? '', after: text[end] ?? '' });
}

/** In this order: the first that matches wins, and the last always does. */
const wordRules: readonly ((latin: LatinWord) => Match | undefined)[] = [
  matchMarkedVariable,
  matchOrdinalOfUnknown,
  matchMark,
  matchSeat,
  matchLetterA,
  matchProductOfUnknowns,
  matchRockAndRoll,
  matchContraction,
  matchStock,
  matchIon,
  matchPrescription,
  matchCapitals,
  matchForecast,
  matchPlainWord,
];

/** A combining mark without a letter, as in keycaps and emoji. */
function matchMark({ word, end }: LatinWord): Match | undefined {
  return /\p{L}/u.test(word) ? undefined : { end, words: '' };
}

/** `seat 4A` */
function matchSeat({ word, before, end }: LatinWord): Match | undefined {
  return word.length === 1 && /\d/.test(before) ? { end, words: word.toUpperCase() } : undefined;
}

/** `rock 'n' roll` */
function matchRockAndRoll({ word, before, after, end }: LatinWord): Match | undefined {
  return /^n$/i.test(word) && /['’‘]/.test(before) && /['’]/.test(after) ? { end, words: 'and' } : undefined;
}

const infinitiveNext = /\sto(?!\p{L})/uy;
const possessiveBefore = /(?:his|her|their|my|your|our|its|is|as)$/;

/** `dont`; not `Jony Ive`, `'im` for him, `as is his wont` */
function matchContraction({ text, word, previous, before, end }: LatinWord): Match | undefined {
  const contraction = contractions.get(word.toLowerCase());
  if (!contraction || /['’‘]/.test(before) || !/^(?:\p{L}?\p{Ll}+|\p{Lu}{4,})$/u.test(word)) return undefined;
  const isCapitalized = /^\p{Lu}\p{Ll}/u.test(word);
  const isName = isCapitalized && previous !== '' && word !== 'Im';
  const isHabit = /^wont$/i.test(word) && (possessiveBefore.test(previous) || matchAt(infinitiveNext, text, end));
  if (isName || isHabit) return undefined;
  return { end, words: isCapitalized ? contraction[0]!.toUpperCase() + contraction.slice(1) : contraction };
}

/** Variables of a shell, no stocks: `$HOME` */
const variables = wordSet('HOME PATH USER SHELL LANG TERM TMP OUT');
const exchangeBefore = /\b(?:NASDAQ|NYSE|AMEX|LSE|TSX|ASX|OTC):\s?$/i;

/** `$AAPL`, `NASDAQ: AAPL` */
function matchStock(latin: LatinWord): Match | undefined {
  const { word, before, end } = latin;
  if (!/^[A-Z]{1,5}$/.test(word)) return undefined;
  const isStock = before === '$' ? !variables.has(word) : exchangeBefore.test(textBefore(latin, 10));
  return isStock ? { end, words: spell(word) } : undefined;
}

const negative = /-(?=[\s,;.)]|$)/y;
const charge = /(?:[²³]?[⁺⁻]|\^\d?[+-])(?![⁰¹²³⁴⁵⁶⁷⁸⁹\w(])/y;

/** `Na⁺`, `2OH⁻` */
function matchIon({ text, word, before, after, end }: LatinWord): Match | undefined {
  if (/^[A-Z][a-z]$/.test(word) && matchAt(charge, text, end)) return { end, words: spell(word) };
  // `Cl-`
  const isAnion =
    /^(?:Cl|Br|OH|CN)$/.test(word) && matchAt(negative, text, end) && /[A-Z][a-z]?\d?\+|[→⇌]|\bions?\b/.test(text);
  if (isAnion) return { end: end + 1, words: `${spell(word)} minus` };
  return word === 'OH' && (/\d/.test(before) || /[⁻-]/.test(after)) ? { end, words: 'O H' } : undefined;
}

const doseBefore = /\d\s?(?:m?c?g|m[lL]|units?|tabs?|tablets?|caps?|capsules?|puffs?|drops?)\s(?:PO\s|po\s)?$/;

/** How often: `500 mg bid`, `1 tab qAM` */
function matchPrescription(latin: LatinWord): Match | undefined {
  const { word, end } = latin;
  const isTimes = /^(?:bid|tid|qid)$/.test(word) && doseBefore.test(textBefore(latin, 16));
  return isTimes || /^q(?:AM|PM|HS)$/.test(word) ? { end, words: spell(word) } : undefined;
}

const ratioNext = /(?:\s|,\s|\s?=\s?)\d{1,2}\.\d/y;

/** Capitals that are letters here and a word elsewhere, or the other way around. */
function matchCapitals(latin: LatinWord): Match | undefined {
  const { text, word, before, after, end, allCaps } = latin;
  if (!/^[A-Z]{2,3}$/.test(word)) return undefined;
  // `ACT III`, not the test
  if (word === 'ACT' && /^ (?:[IVX]{1,5}|\d)\b/.test(text.slice(end, end + 8))) return { end, words: 'act' };
  // The odds ratio in `(OR 2.1)`
  const isRatio = word === 'OR' && /[(;,]\s?$/.test(textBefore(latin, 2)) && matchAt(ratioNext, text, end);
  // `AH-64`
  const isModel = word.length === 2 && /^-\d/.test(text.slice(end, end + 2)) && !allCaps;
  // `AT&T`
  const isJoined = before === '&' || after === '&';
  const isSpelled = isRatio || isModel || isJoined || isCountry(latin) || isOrganization(latin) || isNumbered(latin);
  return isSpelled ? { end, words: spell(word) } : undefined;
}

/** `US TO VETO`, not `JOIN US` */
function isCountry(latin: LatinWord): boolean {
  if (latin.word !== 'US' || !latin.allCaps) return false;
  return /^(?:|THE)$/.test(latin.previous) || /, $/.test(textBefore(latin, 2));
}

/** `the WHO` */
function isOrganization({ word, previous, before, after, allCaps }: LatinWord): boolean {
  return word === 'WHO' && !allCaps && (/^the$/i.test(previous) || (before === '(' && after === ')'));
}

/** The station `1010 AM`, the `2.89 ERA` of a pitcher */
function isNumbered(latin: LatinWord): boolean {
  const { text, word, end } = latin;
  if (word !== 'AM' && word !== 'ERA') return false;
  return /\d\s$/.test(textBefore(latin, 2)) || (word === 'ERA' && /^\s?\d/.test(text.slice(end, end + 2)));
}

const heatNext = /:?\s[-−]?\d{1,3}\s?°/y;

/** `hi 72°, lo 55°` */
function matchForecast({ text, word, end }: LatinWord): Match | undefined {
  if (!/^(?:hi|lo)$/i.test(word) || !matchAt(heatNext, text, end)) return undefined;
  return { end, words: /^h/i.test(word) ? 'high' : 'low' };
}

function matchPlainWord({ word, end, allCaps }: LatinWord): Match {
  return { end, words: sayWord(word, allCaps) };
}
