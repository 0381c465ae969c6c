import { matchAt, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const elements =
  wordSet(`H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y
  Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi
  Po At Rn Ra Th U Pu`);
/** Symbols that are words too: one alone with a number is not a formula, as in `No5`. */
const words = wordSet('He Be As In At Ho Er La Pa Po Re');
/** Kinds of batteries, and names in camel case, that look like formulas. */
const names = wordSet('HeLa LiPo LiIon CoS PoS InC CoCo HoCo');

/** With a group in brackets: `Ca(OH)2`, `Al₂(SO₄)₃` */
const grouped =
  /(?:[A-Z][a-z]?[\d₀-₉]{0,2}){1,3}\((?:OH|SO[4₄]|NO[3₃]|PO[4₄]|CO[3₃]|HCO[3₃]|NH[4₄]|CN)\)[\d₀-₉]{0,2}(?![\p{L}\d])/uy;

/** The rest of a formula after an index: `CH₃COOH` */
const rest = /[A-Z]{2,6}(?!\p{L})/uy;

/** A formula with a group in brackets, or its rest after an index, letter by letter. */
export function matchGroupedFormula({ text, index }: Context): Match | undefined {
  const last = /[₀-₉]/.test(text[index - 1] ?? '') ? matchAt(rest, text, index)?.[0] : undefined;
  if (last) return { end: index + last.length, words: spell(last) };
  const found = matchAt(grouped, text, index)?.[0];
  const symbols = found?.slice(0, found.indexOf('(')).match(/[A-Z][a-z]?/g) ?? [];
  if (!found || /[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  if (!symbols.every((symbol) => elements.has(symbol))) return undefined;
  const parts = found.normalize('NFKC').match(/[A-Za-z]|\d+/g) ?? [];
  const words = parts.map((part) => (/\d/.test(part) ? cardinal(part) : part.toUpperCase()));
  return { end: index + found.length, words: words.join(' ') };
}

/** Whether a word is made of symbols of elements, at least one of two letters: `NaCl`, `Fe2O3`. */
export function isChemical(word: string): boolean {
  if (!/^(?:[A-Z][a-z]?\d{0,3}){1,8}$/.test(word) || !/[a-z]/.test(word) || names.has(word) || /^[A-Z]+s$/.test(word))
    return false;
  const symbols = word.match(/[A-Z][a-z]?/g)!;
  return symbols.every((symbol) => elements.has(symbol)) && !(symbols.length === 1 && words.has(symbols[0]!));
}
