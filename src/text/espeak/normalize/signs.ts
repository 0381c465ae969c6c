import { emoticonEnd } from '../../emoticons.ts';
import { operatorSigns } from '../../operator-signs.ts';
import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { isMinus } from './calculations.ts';
import { isAmount } from './money.ts';
import { type Context, type Match, nextWord } from './rule.ts';
import { isBetweenNumbers } from './times-sign.ts';

const MARKS = /[;:,.!?¡¿…"«»“”(){}[\]।॥]/;
const DASHES = /-{2,6}|[–—―]/y;
const REPEATED = /([^\p{L}\p{N}\s])\1{2,}/uy;
const FLOURISH = /\/[-–]\/?(?![\p{L}\d])/uy;
const MINUTES_BEFORE = /\d['’′]$/;
const NEGATIVE_BEFORE = /^$|(?<!\d)[\s(;:,]$/;
const ROMAN_BEFORE = /(?<![\p{L}\d])[IVXL]{1,5}(?:er|e|ème)$/u;
const ROMAN_NEXT = /[IVXL]{1,5}(?:er|e|ème)(?![\p{L}\d])/uy;
const ZONE_BEFORE = /(?<!\p{L})(?:UTC|GMT)\s?$/u;
const HIDDEN_FILE =
  /\.(?:git\w{0,10}|env|ssh|config|cache|local|vscode|docker\w{0,8}|\w{1,15}rc|\w{1,15}\/)(?!\p{L})/uy;
/** The extension of a file name. */
const EXTENSION =
  /\.(?:html?|css|[jt]sx?|py|md|pdf|png|jpe?g|gif|svg|webp|txt|csv|json|ya?ml|xml|zip|exe|docx?|xlsx?|pptx?|mp[34]|php|sql)(?![\p{L}\d])/uy;
const YEAR_BEFORE = /(?<!\d)((?:1[6-9]|20)\d\d)$/;
const YEAR_NEXT = /\/(\d{4}|\d\d)(?![\d/])/y;
const CONJUNCTION_BEFORE = /(?<!\p{L})(?:y|e|et)\s$/u;
const OR_NEXT = /\/\s(?:o|ou|u)(?!\p{L})/uy;
const UNIT_BEFORE = /\d\s?([\p{L}%‰°²³/]{1,6})$/u;

/** `>=` and the like, and the single sign for each. */
const OPERATOR = /\+\/[-−–]|<={1,2}>|[<>]=(?!=)|!={1,2}|={2,3}(?!=)|-{0,2}[=-]>|&&/y;
const OPERATOR_SIGNS: Readonly<Record<string, string>> = {
  ...operatorSigns,
  '+/-': '±',
  '+/−': '±',
  '+/–': '±',
  '=>': '→',
  '--->': '→',
  '&&': '&',
};

/** An operator of a program: `x >= 5`, `a != b`. */
export function matchOperator({ text, index, language, options }: Context): Match | undefined {
  const operator = options.replace_remaining_symbols ? matchAt(OPERATOR, text, index)?.[0] : undefined;
  const words = operator && lookUp(language.rules.symbols, OPERATOR_SIGNS[operator]!);
  return words ? { end: index + operator!.length, words: ` ${words} ` } : undefined;
}

/** A mark that makes a pause, or a full stop within a name, which does not. */
export function matchMark({ text, index, language }: Context): Match | undefined {
  const mark = text[index]!;
  if (!MARKS.test(mark)) return undefined;
  const end = index + 1;
  const before = text[index - 1] ?? ' ';
  const after = text[end] ?? ' ';
  if (mark === '.' && /[\p{L}\d_]/u.test(before) && matchAt(EXTENSION, text, index)) {
    return { end, words: ` ${language.rules.address['.']} ` };
  }
  if (mark === '.' && /[\p{Ll}\d]/u.test(before) && /[\p{Ll}\d]/u.test(after)) {
    return { end, words: /\d/.test(after) ? language.rules.points['.'] : '' };
  }
  // H.264
  if (mark === '.' && /\p{Lu}/u.test(before) && /\d/.test(after)) return { end, words: ' ' };
  // .5
  if (mark === '.' && /\d/.test(after) && !/[\p{L}\d.)\]]/u.test(before)) {
    return { end, words: `${language.rules.points['.']} ` };
  }
  // .github, ~/.bashrc
  if (mark === '.' && !/[\p{L}\d]/u.test(before) && matchAt(HIDDEN_FILE, text, index)) {
    return { end, words: `${language.rules.address['.']} ` };
  }
  // ./run.sh
  if (mark === '.' && after === '/' && !/[\p{L}\d]/u.test(before)) return { end: end + 1, words: '' };
  return { end, words: mark };
}

const AGE = /([+−-])(\s?de\s)?(?=\d\d\s(\p{L}{3,4})(?!\p{L}))/uy;
const PLURAL_ARTICLE_BEFORE = /(?<!\p{L})(?:les|des|aux|los|gli|dei|degli|os|dos|aos)\s$/iu;
const OPERAND_SIDE = /[\d\p{L})]$|\d\s$/u;

/** `+65 ans`, `les - de 25 ans`: over or under an age. */
export function matchAge({ text, index, language }: Context): Match | undefined {
  const [all = '', sign, of, noun] = matchAt(AGE, text, index) ?? [];
  const { ages } = language.rules;
  const before = textBefore({ text, index }, 8);
  if (!ages || noun !== ages.years || OPERAND_SIDE.test(before)) return undefined;
  // A dash may stand before *de*.
  if (of && !PLURAL_ARTICLE_BEFORE.test(before)) return undefined;
  return { end: index + all.length, words: `${sign === '+' ? ages.over : ages.under} ` };
}

/** A dash, a minus, the sign of a range, or a hyphen. */
export function matchDash(context: Context): Match | undefined {
  const { text, index, language } = context;
  const dash = text[index]!;
  if (!/[-–—―−]/.test(dash)) return undefined;
  const { minus, range } = language.rules;
  const end = index + 1;
  if (/[-–]/.test(dash)) {
    if (isMinusSign(context)) return { end, words: minus };
    if (isRangeSign(context)) return { end, words: range };
  }
  // नं.-3
  const isBehindWord = /[\p{L}\p{M}\d]\.?$/u.test(textBefore(context, 2));
  const isNegative = !isBehindWord && (/\d/.test(text[end] ?? '') || isAmount(context, end));
  if (isNegative && !/[–—―]/.test(dash)) return { end, words: minus };
  const dashes = matchAt(DASHES, text, index)?.[0];
  if (dashes) return { end: index + dashes.length, words: '—' };
  const before = text[index - 1] ?? ' ';
  const after = text[end] ?? ' ';
  if (dash !== '-') return undefined;
  return { end, words: /\s/.test(before) && /\s/.test(after) && index > 0 ? '—' : '' };
}

/** `J-3`, `UTC-5`, `–5`; not `10 –20` */
function isMinusSign(context: Context): boolean {
  const { text, index, language } = context;
  const after = text.slice(index + 1, index + 5);
  const isCountdown =
    language.rules.countdown?.test(textBefore(context, 2)) === true && /^\d{1,3}(?![\p{L}\d])/u.test(after);
  const isNegative = text[index] === '–' && /^\d/.test(after) && NEGATIVE_BEFORE.test(textBefore(context, 2));
  return isCountdown || isNegative || isMinus(context, index) || ZONE_BEFORE.test(textBefore(context, 5));
}

/** `IIe-IIIe s.`, `5km-10km`, `10'-15'` */
function isRangeSign(context: Context): boolean {
  const { text, index } = context;
  if (ROMAN_BEFORE.test(textBefore(context, 8)) && matchAt(ROMAN_NEXT, text, index + 1)) return true;
  return isBetweenUnits(context) || MINUTES_BEFORE.test(textBefore(context, 2));
}

/** Whether the dash is between values with the same unit: `5km-10km`. */
function isBetweenUnits(context: Context): boolean {
  const { text, index } = context;
  const unit = UNIT_BEFORE.exec(textBefore(context, 10))?.[1];
  const to = /^\d[\d.,]{0,15}\s?/.exec(text.slice(index + 1, index + 20))?.[0];
  return unit !== undefined && to !== undefined && text.startsWith(unit, index + 1 + to.length);
}

/** An apostrophe, which only a word has. */
export function matchApostrophe({ text, index }: Context): Match | undefined {
  const mark = text[index]!;
  if (!/['’]/.test(mark)) return undefined;
  return { end: index + 1, words: /\p{L}/u.test(text[index - 1] ?? '') ? mark : '' };
}

const MENU_BEFORE = /[\p{L}\p{M}](?:["”]|\s?»)?\s$/u;
const MENU_NEXT = />\s(?:["“]|«\s?)?\p{Lu}\p{Ll}/uy;

/** Without capitals the first item tells. */
const MENU_NAMED_BEFORE = /(?:सेटिंग|फ़ाइल|फाइल|मेन्?यू|मेनू|विकल्प|टूल्स|होम)[^.।;,]{0,50}$/u;
const LETTERS_NEXT = />\s["“]?\p{Script=Devanagari}{2}/uy;

const BAR_BEFORE = /[^\s|]\s$/u;
const BAR_NEXT = /\|\s(?:\p{Lu}\p{Ll}|\p{Script=Devanagari}{2})/uy;

/** The sign between the items of a menu or a line, a pause: `Wi-Fi > Avanzate`, `Peso: 70 kg | Altura: 1,75 m` */
export function matchMenu({ text, index }: Context): Match | undefined {
  if (text[index] === '|' && BAR_BEFORE.test(textBefore({ text, index }, 2)) && matchAt(BAR_NEXT, text, index)) {
    return { end: index + 1, words: '—' };
  }
  const isBetween = text[index] === '>' && MENU_BEFORE.test(textBefore({ text, index }, 4));
  const isItem =
    matchAt(MENU_NEXT, text, index) ??
    (MENU_NAMED_BEFORE.test(textBefore({ text, index }, 60)) && matchAt(LETTERS_NEXT, text, index));
  return isBetween && isItem ? { end: index + 1, words: '—' } : undefined;
}

/** Silent: `=====`, the flourish in `Rs. 500/-`, the slash in `y/o`, `e / o` and, between years, `2020/21`. */
export function matchOrnament({ text, index }: Context): Match | undefined {
  const before = text[index - 1] ?? '';
  const ornament = matchAt(REPEATED, text, index) ?? (/\d/.test(before) ? matchAt(FLOURISH, text, index) : undefined);
  if (ornament) return { end: index + ornament[0].length, words: '' };
  // y/o, Sr./Sra., 4G/5G
  const isSlash =
    text[index] === '/' &&
    /[\p{L}\p{M}]\.?$/u.test(textBefore({ text, index }, 2)) &&
    /^(?:\p{L}|\d{1,2}\p{Lu})/u.test(text.slice(index + 1, index + 4));
  // 1er/2e, 1º/2º
  const isOrdinal = text[index] === '/' && /\d(?:er|re|e|[ºª°])$/.test(textBefore({ text, index }, 3));
  const isSeason = text[index] === '/' && isNextYear(text, index);
  const isBetweenConjunctions =
    text[index] === '/' && CONJUNCTION_BEFORE.test(textBefore({ text, index }, 4)) && matchAt(OR_NEXT, text, index);
  return isSlash || (isOrdinal && /\d/.test(text[index + 1] ?? '')) || isSeason || isBetweenConjunctions
    ? { end: index + 1, words: ' ' }
    : undefined;
}

/** Whether a slash is between a year and the next one: `2009/2010`, `2011/12`. */
function isNextYear(text: string, index: number): boolean {
  const from = YEAR_BEFORE.exec(textBefore({ text, index }, 5))?.[1];
  const to = matchAt(YEAR_NEXT, text, index)?.[1];
  return from !== undefined && to !== undefined && String(Number(from) + 1).endsWith(to);
}

/** `:-)`, `xD`: silent, and `<3`, a heart. */
export function matchEmoticon(context: Context): Match | undefined {
  const { text, index, language, options } = context;
  const end = emoticonEnd(text, index, index === 0);
  if (end !== undefined) return { end, words: '' };
  if (!/^$|\s/.test(text[index - 1] ?? '') || !/^<3(?:[\s.,!?)]|$)/.test(text.slice(index, index + 3)))
    return undefined;
  if (/[\d=]\s$/.test(textBefore(context, 2))) return undefined;
  // <3 días
  const { countable, genderOf } = language.rules;
  const next = nextWord(context, index + 2);
  if (countable?.test(next) && genderOf(next) !== undefined) return undefined;
  return { end: index + 2, words: options.replace_remaining_symbols ? (language.rules.symbols['♥'] ?? '') : '' };
}

/** The name of any other character; silent if it has none, or only formats. */
export function matchSymbol(context: Context): Match {
  const { text, index, language, options } = context;
  const symbol = text.startsWith('§§', index) ? '§§' : String.fromCodePoint(text.codePointAt(index)!);
  const end = index + symbol.length;
  // ~5, 10~12
  if (symbol === '~' && /^\s?(?:\d|\p{Lu}{0,2}\$|[€£¥₹])/u.test(text.slice(end, end + 4)))
    return {
      end,
      words: /\d/.test(text[index - 1] ?? '') ? language.rules.range : (language.rules.symbols['≈'] ?? ''),
    };
  const isHashtag = symbol === '#' && !/\d/.test(text[end] ?? '');
  const isFormatting = /[*_~^|`]/.test(symbol) && !isBetweenNumbers(context, end);
  const isNamed = options.replace_remaining_symbols && !isHashtag && !isFormatting;
  // $PATH, ${HOME}
  const isVariable = symbol === '$' && /[A-Za-z_{]/.test(text[end] ?? '') && !/[\p{L}\d]/u.test(text[index - 1] ?? '');
  if (isVariable) return { end, words: isNamed ? `${language.rules.currencies.$!.one} ` : '' };
  return { end, words: (isNamed && lookUp(language.rules.symbols, symbol)) || '' };
}
