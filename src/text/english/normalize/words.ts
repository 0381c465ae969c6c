import { clauseAround, isInEquation } from '../../equations.ts';
import { lookUp, matchAt, wordSet } from '../../patterns.ts';
import { interjection, sayCapitals, spell } from './acronyms.ts';
import { isAlgebraicMinus, subtracts } from './dashes.ts';
import { isChemical } from './formulas.ts';
import { cardinal, designation, pluralOfNumber } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** Words that are not pronounced as written. */
const namedWords: Record<string, string> = {
  localhost: 'local host',
  ok: 'okay',
  phd: 'P H D',
  ios: 'I O S',
  ipv: 'I P V',
  macos: 'Mac O S',
  latex: 'latex',
  arxiv: 'archive',
  ctrl: 'control',
  udp: 'U D P',
  omg: 'O M G',
  fyi: 'F Y I',
  aka: 'A K A',
  phds: "P H D's",
  wifi: 'why fie',
  nan: 'nan',
  mig: 'mig',
  cov: 'cov',
  saas: 'sass',
  paas: 'pass',
  idk: 'I D K',
  xyz: 'X Y Z',
  ttyl: 'T T Y L',
  imo: 'I M O',
  imho: 'I M H O',
  hbu: 'H B U',
  wyd: 'W Y D',
  iirc: 'I I R C',
  afaik: 'A F A I K',
  irl: 'I R L',
  idc: 'I D C',
  iykyk: 'I Y K Y K',
  rx: 'R X',
  chk: 'check',
  pka: 'P K A',
  dx: 'D X',
  hx: 'H X',
  tx: 'T X',
  sx: 'S X',
  hgb: 'H G B',
  kd: 'K D',
  pb: 'P B',
  hz: 'hertz',
  mtg: 'meeting',
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  hmu: 'H M U',
  istg: 'I S T G',
  icymi: 'I C Y M I',
  afaict: 'A F A I C T',
  fwiw: 'F W I W',
  ikr: 'I K R',
  hrs: 'hours',
  "gov't": 'government',
  "int'l": 'international',
  "nat'l": 'national',
  "ass'n": 'association',
  "dep't": 'department',
  "comm'n": 'commission',
  "cont'd": 'continued',
  "sec'y": 'secretary',
};
/** Short forms of messages. In capitals most are something else, as MSG and PLS. */
const texted: Record<string, string> = {
  pls: 'please',
  plz: 'please',
  thx: 'thanks',
  msg: 'message',
  msgs: 'messages',
  ppl: 'people',
  ur: 'your',
  gr8: 'great',
  l8r: 'later',
  m8: 'mate',
  w8: 'wait',
  h8: 'hate',
  str8: 'straight',
};
/** Contractions without their apostrophe; not those that are words too, as `its` and `well`. */
const contractions = new Map(
  `they're you're don't can't won't isn't aren't wasn't weren't hasn't haven't hadn't doesn't didn't couldn't wouldn't
  shouldn't mustn't mightn't needn't I'm I've that's what's who's where's there's here's how's she's he's you've we've they've
  you'll they'll it'll that'll there'll y'all ain't would've could've should've might've must've`
    .split(/\s+/)
    .map((word) => [word.toLowerCase().replace("'", ''), word]),
);
const accents: Record<string, string> = { '\u0302': 'hat', '\u0303': 'tilde', '\u0304': 'bar', '\u0305': 'bar' };
const infinitiveNext = /\sto(?!\p{L})/uy;
const possessiveBefore = /(?:his|her|their|my|your|our|its|is|as)$/;
const vowelless = /^[bcdfghjklmnpqrstvwxz]{2,}$/;
const invisible = /\u00AD|[\u200B-\u200F]|\u2060|\uFE0F|\uFEFF/g;

/** A single A after these is the letter, not the article. */
const letterNouns =
  wordSet(`plan vitamin grade group type class hepatitis section appendix option point team model exhibit side
  part letter a an the straight influenza studio gate terminal building block row platform schedule`);
const verbNext = /\s(?:is|was|be|then|denotes?|implies|and|or|to|has|through|minus|plus|vs|means|equals)\b/y;
const articleNext = /\s{1,3}["“‘(]?[\p{L}\d$£€]/uy;
/** The small n is an exponent. */
const word =
  /(?:(?!ⁿ)[\p{Script=Latin}\p{M}\u00AD\u200B-\u200D\u2060])+(?:['’ʼ＇][\p{Script=Latin}\p{M}\u00AD\u200B-\u200D\u2060]+)*/uy;
const mixed = /[A-Za-z]{1,30}[\d₀-₉]{1,30}(?:[A-Za-z]{1,30}|[\d₀-₉]{1,30}){0,12}/y;
const codeBeforeAmount = /[A-Z]{2,4}(?=\d{1,3}(?:,\d{3}){1,6}(?!\d))/y;
const censored = /(?:[A-Za-z]{1,2}\*{1,3}[a-z]{2,4}|[Ss]h\*t|[FfSs]\*{2}[kt])(?![\w(*^])/y;
/** `c u b4 noon`, not a square of a board or a cell */
const beforeNext =
  /[Bb]4(?=\s(?:I|i|we|you|u|he|she|it|they|the|my|your|ur|this|that|noon|midnight|bed|dinner|lunch|school|work|going)(?!\p{L}))/uy;
/** Variables of a shell, no stocks: `$HOME` */
const variables = wordSet('HOME PATH USER SHELL LANG TERM TMP OUT');
const tooLong = /TL[;:]\s?DR(?![\p{L}\d])/iuy;
/** Not of `a −2 modifier` */
const operatorNext =
  /\s?(?:[=+*^<>|÷×≤≥≠≈±∈²³]|&&|[&%/]\s[a-z\d](?![\p{L}\d]))|[−-]\s?[\d=>]|\s[−-](?:[=>]|\s[\d=>])/uy;
const operatorBefore = /(?:[=+*^<>÷×≤≥≠≈&|/%]|[\s=][−-])\s?$/;
const singleLetterNext = /-\p{L}(?!\p{L})/uy;
const wifi = /wi-fi(?!\p{L})/iuy;
/** `NASDAQ: AAPL` */
const exchangeBefore = /\b(?:NASDAQ|NYSE|AMEX|LSE|TSX|ASX|OTC):\s?$/i;
const charge = /(?:[²³]?[⁺⁻]|\^\d?[+-])(?![⁰¹²³⁴⁵⁶⁷⁸⁹\w(])/y;
const spacedHyphen = /\s-\s/y;
const timesNext = /\s?\d/y;
/** `7.8 x10^9` */
const powerNext = /\s?10(?:\^|[⁰¹²³⁴-⁹⁻])/y;
/** Another term of an equation: `3x + 2` */
const termNext = /\s?[=+*^×÷]|\s[−-]\s/y;
/** `M–F 8–5`, `M-F, 9am` */
const workdays = /M[-–](F|Th)(?=[,:]?\s\d|[,:]?\s(?:from|at|only)(?!\p{L}))/uy;
/** `x 2 days` of a prescription or a complaint */
const durationNext = /\s?\d{1,3}\s?(?:days?|d|weeks?|wks?|months?|hours?|hrs?|h|years?|yrs?|doses?)(?!\p{L})/uy;

/** `500 mg bid`: how often */
const doseBefore = /\d\s?(?:m?c?g|m[lL]|units?|tabs?|tablets?|caps?|capsules?|puffs?|drops?)\s(?:PO\s|po\s)?$/;
const heatNext = /:?\s[-−]?\d{1,3}\s?°/y;
const ratioNext = /(?:\s|,\s|\s?=\s?)\d{1,2}\.\d/y;

/** A word in Latin letters, with or without digits: `H2O`. */
export function matchWord(context: Context): Match | undefined {
  const { text, index } = context;
  const before = text[index - 1] ?? '';
  // The sign of an ordinal in other languages is typed for that of a degree.
  if (text[index] === 'º' && /\d/.test(before)) return { end: index + 1, words: 'degrees' };
  if (text[index] === 'x') {
    const match = matchTimes(context);
    if (match) return match;
  }
  const [days = '', lastDay = ''] = /[\p{L}\d]/u.test(before) ? [] : (matchAt(workdays, text, index) ?? []);
  if (days) return { end: index + days.length, words: `Monday to ${lastDay === 'F' ? 'Friday' : 'Thursday'}` };
  // `f*ck`
  const hidden = matchAt(censored, text, index)?.[0];
  if (hidden) return { end: index + hidden.length, words: spell(hidden.replaceAll('*', '')) };
  const semicolon = matchAt(tooLong, text, index);
  if (semicolon) return { end: index + semicolon[0].length, words: 'T L D R' };
  const wireless = matchAt(wifi, text, index);
  if (wireless) return { end: index + wireless[0].length, words: 'why fie' };
  // `IRR200,000`
  const code = matchAt(codeBeforeAmount, text, index)?.[0];
  if (code) return { end: index + code.length, words: spell(code) };
  const mixedFound = matchAt(mixed, text, index)?.[0];
  if (matchAt(beforeNext, text, index)) return { end: index + 2, words: 'before' };
  if (mixedFound) return { end: index + mixedFound.length, words: lookUp(texted, mixedFound) ?? sayMixed(mixedFound) };
  const match = matchAt(word, text, index)?.[0];
  if (!match) return undefined;
  const end = index + match.length;
  // `x̄`, `p̂`
  const [, variable = '', accent = ''] = /^([A-Za-z])([\u0302-\u0305])$/.exec(match) ?? [];
  if (accent) return { end, words: `${variable.toUpperCase()} ${accents[accent]}` };
  // A combining mark without a letter, as in keycaps and emoji.
  if (!/\p{L}/u.test(match)) return { end, words: '' };
  // `seat 4A`
  if (match.length === 1 && /\d/.test(before)) return { end, words: match.toUpperCase() };
  if (match === 'A' && !context.allCaps) return { end, words: isArticle(context, end) ? 'a' : 'A' };
  // The variable of `a + b`.
  const isLetter = matchAt(operatorNext, text, end) ?? matchAt(singleLetterNext, text, end);
  const isOperand =
    (/[=+*^÷×/%]$/.test(before) || !matchAt(articleNext, text, end)) &&
    operatorBefore.test(text.slice(Math.max(0, index - 3), index));
  // `(a)` of a list
  const isItem = text[end] === ')' && /[(]|^\s?$/.test(before);
  if (match === 'a' && (isItem || isLetter || isOperand || isSubtracted(text, index, end))) return { end, words: 'A' };
  // `eˣ`, `xᵢ`
  if (/^[A-Za-z][ʸˣᵏᵐᵗⁱ]$/.test(match)) return { end: index + 1, words: match[0]!.toUpperCase() };
  if (/^[A-Za-z][ᵢⱼₖₙₘₐₓₜ]{1,2}$/.test(match)) return { end, words: spell(match.normalize('NFKC')) };
  // `F = ma`, `2xy`, not `lang = en, no`
  if (isProductOfUnknowns(text, index, match)) return { end, words: spell(match) };
  // `rock 'n' roll`
  if (/^n$/i.test(match) && /['’‘]/.test(before) && /['’]/.test(text[end] ?? '')) return { end, words: 'and' };
  // `AT&T`
  const contraction = contractions.get(match.toLowerCase());
  // `Jony Ive`
  const isName = /^\p{Lu}\p{Ll}/u.test(match) && context.previous !== '' && match !== 'Im';
  if (
    contraction &&
    !isName &&
    // `'im` is him.
    !/['’‘]/.test(before) &&
    /^(?:\p{L}?\p{Ll}+|\p{Lu}{4,})$/u.test(match) &&
    !(/^wont$/i.test(match) && (possessiveBefore.test(context.previous) || matchAt(infinitiveNext, text, end)))
  ) {
    return {
      end,
      words: /^\p{Lu}\p{Ll}/u.test(match) ? contraction[0]!.toUpperCase() + contraction.slice(1) : contraction,
    };
  }
  const isStock =
    before === '$' ? !variables.has(match) : exchangeBefore.test(text.slice(Math.max(0, index - 10), index));
  if (/^[A-Z]{1,5}$/.test(match) && isStock) {
    return { end, words: spell(match) };
  }
  // `Na⁺`
  if (/^[A-Z][a-z]$/.test(match) && matchAt(charge, text, end)) return { end, words: spell(match) };
  // `2OH⁻`
  if (match === 'OH' && (/\d/.test(before) || /[⁻-]/.test(text[end] ?? ''))) return { end, words: 'O H' };
  if (/^(?:bid|tid|qid)$/.test(match) && doseBefore.test(text.slice(Math.max(0, index - 16), index)))
    return { end, words: spell(match) };
  // `1 tab qAM`
  if (/^q(?:AM|PM|HS)$/.test(match)) return { end, words: spell(match) };
  // `US TO VETO`, not `JOIN US`
  const isCountry =
    context.allCaps &&
    match === 'US' &&
    (/^(?:|THE)$/.test(context.previous) || /, $/.test(text.slice(Math.max(0, index - 2), index)));
  // `the WHO`
  const isOrganization =
    !context.allCaps && match === 'WHO' && (/^the$/i.test(context.previous) || (before === '(' && text[end] === ')'));
  if (isCountry || isOrganization) return { end, words: spell(match) };
  // `ACT III`, not the test
  if (match === 'ACT' && /^ (?:[IVX]{1,5}|\d)\b/.test(text.slice(end, end + 8))) return { end, words: 'act' };
  // `1010 AM`, a station, and `2.89 ERA` of a pitcher
  if (
    /^(?:AM|ERA)$/.test(match) &&
    (/\d\s$/.test(text.slice(Math.max(0, index - 2), index)) || (match === 'ERA' && matchAt(timesNext, text, end)))
  )
    return { end, words: spell(match) };
  // `hi 72°, lo 55°`
  if (/^(?:hi|lo)$/i.test(match) && matchAt(heatNext, text, end))
    return { end, words: /^h/i.test(match) ? 'high' : 'low' };
  // The odds ratio in `(OR 2.1)`
  if (match === 'OR' && /[(;,]\s?$/.test(text.slice(Math.max(0, index - 2), index)) && matchAt(ratioNext, text, end))
    return { end, words: 'O R' };
  // `AH-64`
  if (/^[A-Z]{2}$/.test(match) && /^-\d/.test(text.slice(end, end + 2)) && !context.allCaps)
    return { end, words: spell(match) };
  const joined = /^[A-Z]{2,3}$/.test(match) && (before === '&' || text[end] === '&');
  return { end, words: joined ? spell(match) : sayWord(match, context.allCaps) };
}

const shortWords = wordSet('am an as at be by do go he if in is it me my no of ok on or so to up us we');
const productBefore = /(?<![=<>!:])=\s?[-−]?(?:\d{1,4})?$/;
const productEnd = /(?:[,;.)]|\s?(?:[=+*/×÷]|[−-]\s)|\s?$|\s(?:is|are|and|or|where|for|with|then|so|if)(?!\p{L}))/uy;

/** Whether letters are unknowns that are multiplied: `F = ma`, `∂f/∂x = 2xy`, `b² - 4ac`. */
function isProductOfUnknowns(text: string, index: number, letters: string): boolean {
  const before = text.slice(Math.max(0, index - 8), index);
  if (/\d$/.test(before)) return /^[abcxyz]{2,3}$/.test(letters) && /[=²³√^]/.test(text);
  return (
    /^[a-z]{2}$/.test(letters) &&
    !shortWords.has(letters) &&
    /(?<![\p{L}\d])[A-Za-z] =\s?$/u.test(text.slice(Math.max(0, index - 5), index)) &&
    productBefore.test(before) &&
    matchAt(productEnd, text, index + letters.length) !== undefined
  );
}

function isArticle({ text, previous }: Context, end: number): boolean {
  return (
    matchAt(articleNext, text, end) !== undefined &&
    !matchAt(verbNext, text, end) &&
    !(previous && letterNouns.has(previous.toLowerCase()))
  );
}

/** Whether a variable has a minus next to it: `a-x`, `return a - b`. */
function isSubtracted(text: string, index: number, end: number): boolean {
  if (text[end] === '-') return isAlgebraicMinus(text, end, end + 1);
  if (matchAt(spacedHyphen, text, end)) return subtracts(text, end + 1);
  return index > 3 && matchAt(spacedHyphen, text, index - 3) !== undefined && subtracts(text, index - 2);
}

/** The side of a box: `9" x 13"`, `30cm x 20cm`, `8" W x 5" D`. */
const measureBefore = /(?:\d(?:["″”'’′](?: ?[WDHL])?|\s?(?:mm|cm|m|in|ft|px)\.?)|[½¼¾⅛⅜⅝⅞]) ?$/;

const countNext = /(?:[2-9]|[1-9]\d|\s[2-9])(?=[,;:)]|\.(?!\d)|$)/y;
const countBefore = /(?:\p{Ll}{4}|\p{Ll}\))\s\(?$|\p{L}\s\($/u;

/** `4x4`, `1920 x 1080`, `10x`. */
function matchTimes({ text, index, previous }: Context): Match | undefined {
  const end = index + 1;
  if (measureBefore.test(text.slice(Math.max(0, index - 8), index)) && matchAt(timesNext, text, end)) {
    return { end, words: 'by' };
  }
  // `oriented x3`, `(x2)`; not of an equation
  const isCount = matchAt(countNext, text, end) && countBefore.test(text.slice(Math.max(0, index - 24), index));
  if (isCount && !/=|\bx1\b|\by\d/i.test(text)) return { end, words: 'times' };
  if (/\p{L}\s$/u.test(text.slice(Math.max(0, index - 2), index)) && matchAt(durationNext, text, end))
    return { end, words: 'times' };
  const digitBefore = /\d/.test(text[index - 1] === ' ' ? (text[index - 2] ?? '') : (text[index - 1] ?? ''));
  if (!digitBefore || !/^[\d.,]+$/.test(previous)) return undefined;
  if (matchAt(powerNext, text, end)) return { end, words: 'times' };
  if (matchAt(timesNext, text, end)) return { end, words: isInEquation(...clauseAround(text, index)) ? 'times' : 'by' };
  // `3x-5` is algebra, `2x-3x` a range.
  const isVariable = /^[-−]\s?(?!\d{1,4}x(?![\p{L}\d]))[\p{L}\d(]/u.test(text.slice(end, end + 8));
  const alone = /\d/.test(text[index - 1]!) && !/[\p{L}\d]/u.test(text[end] ?? '') && !isVariable;
  const isTerm =
    /[=+*^×÷]\s?[\d.,]+$/.test(text.slice(Math.max(0, index - 16), index)) ||
    matchAt(termNext, text, end) !== undefined;
  return alone && !isTerm ? { end, words: 'times' } : undefined;
}

/** A move of chess: `Rxe8` */
const capture = /^[KQRBN]x[a-h]$/;

/** `H2O` → `H two O`, `iPhone15` → `I Phone fifteen`. */
function sayMixed(text: string): string {
  const plain = text.normalize('NFKC');
  const isFormula = isChemical(plain);
  // `A320s`
  const [, kind, digits] = /^([A-Z]+)(\d+)s$/.exec(plain) ?? [];
  if (kind && digits) return `${spell(kind)} ${pluralOfNumber(designation(digits))}`;
  // `log₂ 8`
  const [, base, of = ''] = /^log([₀-₉]{1,3})(\d{0,12})$/.exec(text) ?? [];
  if (base) return `log base ${cardinal(base.normalize('NFKC'))} of ${of && cardinal(of)}`.trim();
  // `FY04`
  if (/^FY0\d$/.test(plain)) return `F Y oh ${cardinal(plain.slice(3))}`;
  const parts = plain.match(/\d+|\D+/g) ?? [];
  return parts
    .map((part) => {
      if (/\d/.test(part)) return designation(part);
      if (/^[A-Z]{3}$/.test(part) && !isFormula) return sayCapitals(part, false);
      const short = part.length <= 3 && (part === part.toUpperCase() || part.length === 1);
      return isFormula || short || capture.test(part) || vowelless.test(part.toLowerCase())
        ? spell(part)
        : sayWord(part, false);
    })
    .join(' ');
}

/** The spoken form of a word: acronyms spelled, camel case split. */
export function sayWord(written: string, allCaps: boolean): string {
  const text = written
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[’ʼ＇]/g, "'");
  if (!/^[A-Za-z']+$/.test(text)) return allCaps ? text.toLowerCase() : text;
  const possessive = /^(.+)'s$/i.exec(text);
  if (possessive) return `${sayWord(possessive[1]!, allCaps)}'s`;
  if (text.length === 1) return text === 'a' || (text === 'A' && allCaps) ? 'a' : text.toUpperCase();
  if (text === 'TeX') return 'tech';
  const lower = text.toLowerCase();
  // Ur is a city.
  const isTexted = text.slice(1) === lower.slice(1) && text !== 'Ur';
  const named = lookUp(namedWords, lower) ?? (isTexted ? lookUp(texted, lower) : undefined);
  if (named) return named;
  if (/[a-z].*[A-Z]|[A-Z].*[A-Z][a-z]/.test(text) && isChemical(text)) return spell(text);
  if (/^[A-Z']+$/.test(text)) return sayCapitals(text, allCaps);
  // `IoT`, `YoY`, `kWh`
  if (/^(?:[A-Z][a-z][A-Z]|[kMGT]Wh)$/.test(text)) return spell(text);
  const plural = /^([A-Z]{2,6})s$/.exec(text);
  if (plural) {
    const singular = sayCapitals(plural[1]!, false);
    return / [A-Z]$/.test(singular) ? `${singular}'s` : `${singular}s`;
  }
  // `PCIe`, `DJing`, `RESTful`
  const [, capitals = '', ending = ''] = /^([A-Z]{2,5})(e|ing|ed|er|ers|ful)$/.exec(text) ?? [];
  if (ending === 'e') return spell(text);
  if (ending)
    return `${sayCapitals(capitals, false)}${/[AEIOU]/.test(capitals) && capitals.length > 3 ? '' : ' '}${ending}`;
  const parts = text.match(/TeX|[A-Z]+(?![a-z'])|[A-Z]?[a-z']+/g) ?? [text];
  if (parts.length > 1 && !text.includes("'") && !/^(?:Mc|Mac|O'|Fitz)[A-Z][a-z]+$/.test(text)) {
    return parts.map((part) => sayWord(part, false)).join(' ');
  }
  return vowelless.test(text) && !interjection.test(text) ? spell(text) : text;
}
