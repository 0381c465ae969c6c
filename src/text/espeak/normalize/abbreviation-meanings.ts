import { firstMatch } from '../../first-match.ts';
import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import type { Abbreviation, Meaning } from './abbreviation-rule.ts';
import { numberedMeaning } from './numbered-abbreviations.ts';
import { type Context, isAfterNumber, nextWord } from './rule.ts';

/** In this order: the first that knows the words wins. */
const meanings: readonly Meaning[] = [
  afterLetteredNoun,
  inName,
  ofStreet,
  ofTitle,
  ofBirth,
  ofCounted,
  ofEra,
  afterAnd,
  ofAnswer,
  numberedMeaning,
  ofTables,
];

/** The words for an abbreviation; empty or undefined if the text next to it shows that it is not one. */
export function meaningOf(context: Context, key: string, end: number): string | undefined {
  const { abbreviations, numberedAbbreviations } = context.language.rules;
  const lower = key.toLowerCase();
  return firstMatch(meanings, {
    ...context,
    key,
    lower,
    end,
    isNumbered: numberedAbbreviations.has(lower),
    isCounted: isAfterNumber(context) || context.text[context.index - 1] === '/',
    common: lookUp(abbreviations, lower),
  });
}

/** Words that a letter follows as a name. */
const LETTERED_BEFORE =
  /(?<!\p{L})(?:vitaminas?|vitamine|hepatitis|hepatite|epatite|grupo|gruppo|opci[oó]n|opção|opzione|respuesta|resposta|risposta|letra|lettera|plan|plano|bloque|bloco|nivel|nível|livello|apartado|talla|taglia|misura|tamanho|tipo|serie|série|categor[ií]a)\s$/iu;

/** The D. of `vitamina D.` ends a sentence, and is not a title. */
function afterLetteredNoun(abbreviation: Abbreviation): string | undefined {
  return /^\p{Lu}\.$/u.test(abbreviation.key) && LETTERED_BEFORE.test(textBefore(abbreviation, 14)) ? '' : undefined;
}

/** `H.264` */
function inName({ text, lower, end }: Abbreviation): string | undefined {
  return lower === 'h.' && /^\d{3}/.test(text.slice(end, end + 3)) ? '' : undefined;
}

const HOUSE_NEXT = /\s(?:d[aeo]s?\s)?\p{Lu}\p{L}[\p{L} ]{0,40}, (?:n\.?º\s?)?\d/uy;

/** `R. Augusta, 100` */
function ofStreet({ text, language, key, end }: Abbreviation): string | undefined {
  const { streets } = language.rules;
  return streets && matchAt(HOUSE_NEXT, text, end) ? lookUp(streets, key) : undefined;
}

/** `S. Giovanni`, `D. Pedro` */
function ofTitle(abbreviation: Abbreviation): string | undefined {
  const { language, key, end } = abbreviation;
  const title = language.rules.nameTitle?.(key, nextWord(abbreviation, end), textBefore(abbreviation, 30));
  return title && isInitial(abbreviation) ? '' : title;
}

const YEAR_NEXT = /\s(?:1[5-9]|20)\d\d(?!\d)/y;
const DAY_NEXT = /\s\d{1,2}[º°]?\s(?:de\s)?\p{Ll}{3,10}\s(?:de\s)?(?:1[5-9]|20)\d\d(?!\d)/uy;

/** `(n. 1950)`, `(n. 5 marzo 1950)` */
function ofBirth({ text, index, language, lower, end }: Abbreviation): string | undefined {
  const { born } = language.rules;
  if (!born || lower !== 'n.' || text[index - 1] !== '(') return undefined;
  return matchAt(YEAR_NEXT, text, end) ? born.in : matchAt(DAY_NEXT, text, end) && born.on;
}

const ORDINAL_BEFORE = /(?:\d|[IVX])(?:er|e|ème|\.?[ªº°])\s$/u;

/** `5 uds.`, `5e arr.`, `IIe arr.`, `2.ª ud.` */
function ofCounted(abbreviation: Abbreviation): string | undefined {
  const { language, key, isCounted } = abbreviation;
  const { counted } = language.rules;
  const isAfterAny = isCounted || ORDINAL_BEFORE.test(textBefore(abbreviation, 8));
  return counted && isAfterAny ? lookUp(counted, key) : undefined;
}

/** `50 A.C.`, `siglo V D.C.`; not `Washington D.C.`, `A.C. Milan` */
function ofEra(abbreviation: Abbreviation): string | undefined {
  const isAfterYear = abbreviation.isCounted || /[IVXLC]\s$/.test(textBefore(abbreviation, 4));
  return /^[AD]\.C\.$/.test(abbreviation.key) && !isAfterYear ? '' : undefined;
}

const AND_BEFORE = /(?<!\p{L})(?:y|e|ed|et)\s$/iu;

/** `arts. 14 y ss.` */
function afterAnd(abbreviation: Abbreviation): string | undefined {
  const { joined } = abbreviation.language.rules;
  return joined && AND_BEFORE.test(textBefore(abbreviation, 4)) ? lookUp(joined, abbreviation.key) : undefined;
}

/** `No. 5` may be an answer and a number. */
function ofAnswer({ index, language, lower }: Abbreviation): string | undefined {
  return index === 0 && language.rules.answers?.has(lower) ? '' : undefined;
}

/** `Lic. Ruiz`, `50 av. J.-C.`; `S.`, where `s.` needs a number */
function ofTables(abbreviation: Abbreviation): string | undefined {
  const { language, key, isNumbered, common } = abbreviation;
  const words = lookUp(language.rules.abbreviations, key) ?? common;
  const needsNumber = isNumbered && words === common;
  return needsNumber || isInitial(abbreviation) ? undefined : words;
}

/** A name or an initial after a title. */
const TITLED_NEXT = /\s\p{Lu}(?:[\p{L}'’]|\.\s\p{Lu}\p{Ll})/uy;
/** A name or an initial, but not Le, La or L’. */
const NAME_NEXT = /\s{1,3}\p{Lu}(?:[\p{L}\p{M}]{2}|\.)/uy;

/** Whether a possible title is an initial, or two: `S. M. Dupont` is not a majesty. */
function isInitial(abbreviation: Abbreviation): boolean {
  const { text, language, key, end } = abbreviation;
  const { abbreviations, openers, titledNext = TITLED_NEXT } = language.rules;
  if (/^\p{Lu}\.$/u.test(key)) {
    return !matchAt(titledNext, text, end) || /\p{Lu}\.\s$/u.test(textBefore(abbreviation, 8));
  }
  // D.C. may stand for d.C., an era.
  const isTitle = /^\p{Lu}\.\p{Lu}\.$/u.test(key) && Object.hasOwn(abbreviations, key);
  if (!isTitle || !matchAt(NAME_NEXT, text, end)) return false;
  return !openers.has(nextWord(abbreviation, end).toLowerCase());
}
