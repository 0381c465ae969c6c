import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import type { LatinWord } from './latin-word.ts';
import { isAlgebraicMinus, subtracts } from './minus.ts';
import type { Match } from './rule.ts';

/** Unknowns that people count with */
const ordinalOfUnknown = /([ijkmn])-th(?![\p{L}\d])/iuy;

/** `j-th` */
export function matchOrdinalOfUnknown({ text, index }: LatinWord): Match | undefined {
  const [all, letter = ''] = matchAt(ordinalOfUnknown, text, index) ?? [];
  return all === undefined ? undefined : { end: index + all.length, words: `${letter.toLowerCase()}th` };
}

const accents: Record<string, string> = { '\u0302': 'hat', '\u0303': 'tilde', '\u0304': 'bar', '\u0305': 'bar' };

/** A variable with an accent, an exponent or an index: `x̄`, `eˣ`, `xᵢ` */
export function matchMarkedVariable({ word, index, end }: LatinWord): Match | undefined {
  const [, variable = '', accent = ''] = /^([A-Za-z])([\u0302-\u0305])$/.exec(word) ?? [];
  if (accent) return { end, words: `${variable.toUpperCase()} ${accents[accent]}` };
  if (/^[A-Za-z][ʸˣᵏᵐᵗⁱ]$/.test(word)) return { end: index + 1, words: word[0]!.toUpperCase() };
  return /^[A-Za-z][ᵢⱼₖₙₘₐₓₜ]{1,2}$/.test(word) ? { end, words: spell(word.normalize('NFKC')) } : undefined;
}

/** A single A after these is the letter, not the article. */
const letterNouns =
  wordSet(`plan vitamin grade group type class hepatitis section appendix option point team model exhibit side
  part letter a an the straight influenza studio gate terminal building block row platform schedule`);
const verbNext = /\s(?:is|was|be|then|denotes?|implies|and|or|to|has|through|minus|plus|vs|means|equals)\b/y;
const articleNext = /\s{1,3}["“‘(]?[\p{L}\d$£€]/uy;
/** Also `a[i]`; not of `a −2 modifier` */
const operatorNext =
  /\[(?:[ijkx]|\d{1,3})[\]+-]|\s?(?:[=+*^<>|÷×≤≥≠≈±∈²³]|&&|[&%/]\s[a-z\d](?![\p{L}\d]))|[−-]\s?[\d=>]|\s[−-](?:[=>]|\s[\d=>])/uy;
const operatorBefore = /(?:[=+*^<>÷×≤≥≠≈&|/%]|[\s=][−-])\s?$/;
/** `a-b`, `[a-zA-Z]`, `a, b and c` */
const singleLetterNext = /(?:,\s?b(?!\p{L})|-(?:\p{L}(?!\p{L})|zA-Z))/uy;
/** The next of several letters: `(A B)`, `angle A B C`; not of `A C major scale` */
const letterNext = /\s[A-HJ-Z](?:[)\].,;:!?]|\s[A-Z](?!\p{L})|\s?[=+÷×−]|$)/uy;
/** The item `a. First` */
const stopNext = /\.\s+\p{Lu}/uy;
const spacedHyphen = /\s-\s/y;

/** `Plan A`, `A is`, `Q&A session`, the variable of `a + b`, the item `(a)`; not the article */
export function matchLetterA(latin: LatinWord): Match | undefined {
  const { text, index, word, end, before, after, allCaps } = latin;
  if (word === 'A' && !allCaps) return { end, words: isArticle(latin) ? 'a' : 'A' };
  if (word !== 'a') return undefined;
  const isLetter = matchAt(operatorNext, text, end) ?? matchAt(singleLetterNext, text, end);
  const isOperand =
    (/[=+*^÷×/%]$/.test(before) || !matchAt(articleNext, text, end)) && operatorBefore.test(textBefore(latin, 3));
  const isItem = (after === ')' && /[(]|^\s?$/.test(before)) || (index === 0 && matchAt(stopNext, text, end));
  return isItem || isLetter || isOperand || isSubtracted(latin) ? { end, words: 'A' } : undefined;
}

function isArticle({ text, end, before, previous }: LatinWord): boolean {
  return (
    !/[&_]/.test(before) &&
    !matchAt(letterNext, text, end) &&
    matchAt(articleNext, text, end) !== undefined &&
    !matchAt(verbNext, text, end) &&
    !(previous && letterNouns.has(previous.toLowerCase()))
  );
}

/** Whether a variable has a minus next to it: `a-x`, `return a - b`. */
function isSubtracted({ text, index, end }: LatinWord): boolean {
  if (text[end] === '-') return isAlgebraicMinus(text, end, end + 1);
  if (matchAt(spacedHyphen, text, end)) return subtracts(text, end + 1);
  return index > 3 && matchAt(spacedHyphen, text, index - 3) !== undefined && subtracts(text, index - 2);
}

const shortWords = wordSet('am an as at be by do go he if in is it me my no of ok on or so to up us we');
const productBefore = /(?<![=<>!:])=\s?[-−]?(?:\d{1,4})?$/;
const productEnd = /(?:[,;.)]|\s?(?:[=+*/×÷]|[−-]\s)|\s?$|\s(?:is|are|and|or|where|for|with|then|so|if)(?!\p{L}))/uy;

/** `F = ma`, `2xy`, not `lang = en, no` */
export function matchProductOfUnknowns(latin: LatinWord): Match | undefined {
  return isProductOfUnknowns(latin) ? { end: latin.end, words: spell(latin.word) } : undefined;
}

/** Whether letters are unknowns that are multiplied: `F = ma`, `∂f/∂x = 2xy`, `b² - 4ac`. */
function isProductOfUnknowns(latin: LatinWord): boolean {
  const { text, word, end, before } = latin;
  if (/\d/.test(before)) return /^[abcxyz]{2,3}$/.test(word) && /[=²³√^]/.test(text);
  return (
    /^[a-z]{2}$/.test(word) &&
    !shortWords.has(word) &&
    /(?<![\p{L}\d])[A-Za-z] =\s?$/u.test(textBefore(latin, 5)) &&
    productBefore.test(textBefore(latin, 8)) &&
    matchAt(productEnd, text, end) !== undefined
  );
}
