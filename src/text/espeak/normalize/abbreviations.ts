import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { type Context, isAfterNumber, isSentenceEnd, type Match, nextWord } from './rule.ts';

/** Longer ones first. Those of one part do not end next to an initial. */
const ABBREVIATIONS = [
  ...[4, 3, 2].map((parts) => new RegExp(`(?:[\\p{L}\\p{M}]{1,6}(?:[.॰]-?|-)\\s?){${parts}}(?![\\p{L}\\p{M}])`, 'uy')),
  // s.XX
  /\p{L}{1,3}\.(?=[IVXLC]{1,8}(?![\p{L}\d.]))/uy,
  /[\p{L}\p{M}]{1,8}\.(?:[ªº]|\p{Ll}{1,3}(?![\p{L}\p{M}.]))/uy,
  /[\p{L}\p{M}]{1,8}[.॰](?!\p{Ll}|-?\p{L}\p{M}*[.॰])|n[.]?[°ºᵒ](?:s(?!\p{L}))?|№/iuy,
];
const INITIAL_BEFORE = /(?<![\p{L}\p{M}])\p{L}\p{M}*\.-?$/u;
const INITIALS = /(?:\p{Lu}\.-?){2,6}(?![\p{L}\p{M}])|(?:\p{Script=Latin}\.){3,6}(?![\p{L}\p{M}])/uy;
const INITIAL = /([\p{L}\p{M}]{1,8})\.(?=\s)/uy;
/** A number after an abbreviation. */
const NUMBER_NEXT = /:?\s?(?:(?:de\s)?[-−(]?\d|\p{Lu}{1,3}-?\d|[IVXLC]{1,8}(?![\p{L}\d]))/uy;
const AREA_CODE_NEXT = /\s\(\d{2,3}\)\s\d/y;
/** A letter that numbers: esc. A */
const LETTER_NEXT = /\s\p{Lu}(?![\p{L}\d.])/uy;
const EXTREME = /^(?:m[áa]xim|m[íi]nim|massim|minim)o$/;
const NOUN_BEFORE = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{4,})\.?\s$/u;
const AND_BEFORE = /(?<!\p{L})(?:y|e|ed|et)\s$/iu;
/** A name or an initial, but not Le, La or L’. */
const NAME_NEXT = /\s{1,3}\p{Lu}(?:[\p{L}\p{M}]{2}|\.)/uy;
/** A name or an initial after a title. */
const TITLED_NEXT = /\s\p{Lu}(?:[\p{L}'’]|\.\s\p{Lu}\p{Ll})/uy;
const NUMERAL_NEXT = /\s?[IVXLC]{1,8}(?![\p{L}\d])/uy;
const CENTURY = /^(?:siglos?|siècle|secol[oi]|séculos?)$/;
/** 5e arr., IIe arr., 2.ª ud. */
const ORDINAL_BEFORE = /(?:\d|[IVX])(?:er|e|ème|\.?[ªº°])\s$/u;
const CENTURY_BEFORE = /(?<![\p{L}\d])[IVX]{1,6}(?:er?|ème)?\s$/u;
/** After a name, these do not belong to the next name: Acme S.A. */
const COMPANY = /^S\.(?:[AL]|A\.S|[Pp]\.A|[Rr]\.[Ll])\.$/;
const NAME_BEFORE = /(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}]{1,30}\s$/u;
/** Words that a letter follows as a name: the D. of a vitamin ends a sentence, and is not a title. */
const LETTERED_BEFORE =
  /(?<!\p{L})(?:vitaminas?|vitamine|hepatitis|hepatite|epatite|grupo|gruppo|opci[oó]n|opção|opzione|respuesta|resposta|risposta|letra|lettera|plan|plano|bloque|bloco|nivel|nível|livello|apartado|talla|taglia|misura|tamanho|tipo|serie|série|categor[ií]a)\s$/iu;
const MEASURED_BEFORE = /\d\s?(?:[\p{L}°%²³/]{1,6}|€)\s$/u;
/** `(n. 1950)` */
const YEAR_NEXT = /\s(?:1[5-9]|20)\d\d(?!\d)/y;
/** Longer words that begin a sentence. */
const SENTENCE_OPENER =
  /^(?:Despu[eé]s|Luego|Entonces|Ahora|Tamb(?:ién|ém)|Además|Ayer|Ella|Este|Esta|Puis|Ensuite|Alors|Aujourd|Hier|Elle|Cette|Nous|Vous|Dopo|Quindi|Allora|Oggi|Ieri|Quest[oa]|Depois|Então|Hoje|Ontem|Agora)$/;
const SLASHED = /(\p{Ll}\/|\p{Lu}\/(?=\s?\p{Lu}\p{Ll}))(?=\s?\p{L}{2}|\s\d)(?!\p{L}{1,30}\/)/uy;

/** A name and the number of a house. */
const STREET_NEXT = /\s?(?:de (?:la |los |las )?|del )?\p{Lu}\p{L}[\p{L} ]{0,30}(?:,\s?|\s)(?:n\.?º\s?)?\d/uy;
const HOUSE_NEXT = /\s(?:d[aeo]s?\s)?\p{Lu}\p{L}[\p{L} ]{0,40}, (?:n\.?º\s?)?\d/uy;
const EACH_INTERVAL = /c\/(?=\s?\d{1,2}\s?(?:h|hrs?|horas?|min|minutos?|d[ií]as?|semanas?|mes(?:es)?)(?!\p{L}))/iuy;
/** `3 de c/10` */
const EACH_NUMBER = /c\/(?=\s?\d)/iuy;
const OF_BEFORE = /(?<!\p{L})de\s$/iu;
const SLASHED_WORDS = /\p{Ll}\/\p{Ll}(?![\p{L}\d/])/uy;

/** `Lic. Ruiz`, `p. 5`, `50 av. J.-C.`, `5 uds.` */
export function matchAbbreviation(context: Context): Match | undefined {
  const { text, index, language } = context;
  const before = textBefore(context, 8);
  if (/[\p{L}\p{M}_]$/u.test(before) || INITIAL_BEFORE.test(before)) return undefined;
  for (const pattern of ABBREVIATIONS) {
    const written = matchAt(pattern, text, index)?.[0].trimEnd();
    if (!written) continue;
    // As in the tables.
    const key = written.replace(/\s/g, '').replaceAll('॰', '.').replace('№', 'n°');
    const end = index + written.length;
    // M5S.
    const words = /\d$/.test(before) && /^\p{Lu}\.$/u.test(key) ? undefined : inFull(context, key, end);
    if (!words) continue;
    // Its full stop may also end the sentence.
    const mayEnd = language.rules.finalAbbreviations.has(key) || text.length === end;
    return { end, words: mayEnd && isSentenceEnd(context, end) ? `${words}.` : words };
  }
  return undefined;
}

/** The words for an abbreviation; undefined if the text next to it shows that it is not one. */
function inFull(context: Context, key: string, end: number): string | undefined {
  const { text, language } = context;
  const { abbreviations, born, numberedAbbreviations, counted, labelled, numbered } = language.rules;
  const lower = key.toLowerCase();
  if (/^\p{Lu}\.$/u.test(key) && LETTERED_BEFORE.test(textBefore(context, 14))) return undefined;
  if (lower === 'h.' && /^\d{3}/.test(text.slice(end, end + 3))) return undefined;
  // R. Augusta, 100
  const street = language.rules.streets && lookUp(language.rules.streets, key);
  if (street && matchAt(HOUSE_NEXT, text, end)) return street;
  const title = language.rules.nameTitle?.(key, nextWord(context, end), textBefore(context, 30));
  if (title === '') return undefined;
  if (title) return isInitial(context, key, end) ? undefined : title;
  // € 15/ud.
  const isCounted = isAfterNumber(context) || text[context.index - 1] === '/';
  const isOrdinal = ORDINAL_BEFORE.test(textBefore(context, 8));
  if (born && lower === 'n.' && text[context.index - 1] === '(' && matchAt(YEAR_NEXT, text, end)) return born;
  const unit = counted && (isCounted || isOrdinal) ? lookUp(counted, key) : undefined;
  if (unit) return unit;
  // Washington D.C., A.C. Milan
  if (/^[AD]\.C\.$/.test(key) && !isCounted && !/[IVXLC]\s$/.test(textBefore(context, 4))) return undefined;
  const joined = language.rules.joined && AND_BEFORE.test(textBefore(context, 4)) && lookUp(language.rules.joined, key);
  if (joined) return joined;
  // No. 5 may be an answer and a number.
  if (context.index === 0 && language.rules.answers?.has(lower)) return undefined;
  const common = lookUp(abbreviations, lower);
  const words = lookUp(abbreviations, key) ?? common;
  if (numberedAbbreviations.has(lower)) {
    // XIXe s., IV sec.
    if (common && numbered.has(common) && CENTURY_BEFORE.test(textBefore(context, 10))) return common;
    // 20 s. 5 is not a century.
    // v. 5 may be a verse.
    const isRoman = lower === 'v.' || (common && CENTURY.test(common));
    const numberNext = isRoman ? NUMERAL_NEXT : NUMBER_NEXT;
    // Cel. (21) 98765-4321
    if (matchAt(AREA_CODE_NEXT, text, end)) return common;
    // 555-1234 ext. 12
    if ((!isCounted || lower === 'ext.' || lower === 'ep.') && matchAt(numberNext, text, end))
      return common && inGender(context, common);
    const isLettered = lower.length > 3 || lower === 'sc.';
    if (!isCounted && isLettered && matchAt(LETTER_NEXT, text, end)) return common;
    // n. verde
    if (labelled && matchAt(labelled, text, end)) return common;
    // 5 kg máx., caben
    if (EXTREME.test(common ?? '') && MEASURED_BEFORE.test(textBefore(context, 12))) return common;
    if (words === common) return undefined;
  }
  return isInitial(context, key, end) ? undefined : words;
}

/** *Máximo*, *minimo* with the gender of the noun before: `velocidad máx. 120`. */
export function inGender(context: Context, words: string): string {
  const { rules } = context.language;
  const noun = EXTREME.test(words) ? NOUN_BEFORE.exec(textBefore(context, 30))?.[1] : undefined;
  if (noun === undefined) return words;
  const name = lookUp(rules.abbreviations, `${noun.toLowerCase()}.`) ?? noun;
  return rules.genderOf(name) === 'feminine' ? words.replace(/o$/, 'a') : words;
}

/** Whether a possible title is an initial, or two: `S. M. Dupont` is not a majesty. */
function isInitial(context: Context, key: string, end: number): boolean {
  const { text, language } = context;
  const { abbreviations, openers, titledNext = TITLED_NEXT } = language.rules;
  if (/^\p{Lu}\.$/u.test(key)) {
    return !matchAt(titledNext, text, end) || /\p{Lu}\.\s$/u.test(textBefore(context, 8));
  }
  // D.C. may stand for d.C., an era.
  const isTitle = /^\p{Lu}\.\p{Lu}\.$/u.test(key) && Object.hasOwn(abbreviations, key);
  return isTitle && matchAt(NAME_NEXT, text, end) !== undefined && !openers.has(nextWord(context, end).toLowerCase());
}

/** Letters with full stops: `U.S.A.`, `S.p.A.`, `J.-C.` */
export function matchInitials(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\p{M}.]/u.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(INITIALS, text, index)?.[0];
  if (!match) return undefined;
  const end = index + match.length;
  const letters = match.replace(/[^\p{L}\p{M}]+/gu, ' ').trim();
  // A short capitalized word after it rather begins a sentence than a name.
  const next = nextWord(context, end);
  const { openers } = language.rules;
  const isOpener =
    /^\p{Lu}/u.test(next) && (next.length <= 3 || openers.has(next.toLowerCase()) || SENTENCE_OPENER.test(next));
  const isCompany = COMPANY.test(match) && /^\p{Lu}/u.test(next) && NAME_BEFORE.test(textBefore(context, 34));
  const isStop = isOpener || isCompany || isSentenceEnd(context, end);
  return { end, words: letters.toUpperCase() + (isStop ? '.' : '') };
}

/** Initials by the names of their letters: `बी.जे.पी.`, and each of `ए. पी. जे.` */
export function matchLetterNames(context: Context): Match | undefined {
  const { text, index, language } = context;
  const { letterNameChain, rules } = language;
  if (!letterNameChain || /[\p{L}\p{M}.]/u.test(text[index - 1] ?? '')) return undefined;
  const chain = matchAt(letterNameChain, text, index)?.[0];
  if (chain) {
    const end = index + chain.length;
    return { end, words: chain.replace(/\.(?!$)/g, ' ').replace(/\.$/, isSentenceEnd(context, end) ? '.' : '') };
  }
  const initial = matchAt(INITIAL, text, index)?.[1];
  if (!initial || !rules.letterNames?.has(initial)) return undefined;
  const end = index + initial.length + 1;
  return isSentenceEnd(context, end) ? undefined : { end, words: initial };
}

/** `c/ leite`, `1 c/8 h` */
export function matchSlashed({ text, index, language }: Context): Match | undefined {
  const { each, slashed } = language.rules;
  if (!slashed || /[\p{L}\p{M}\d/%@]/u.test(text[index - 1] ?? '')) return undefined;
  const isOfEach = matchAt(EACH_NUMBER, text, index) && OF_BEFORE.test(textBefore({ text, index }, 4));
  if (each && (isOfEach || matchAt(EACH_INTERVAL, text, index))) return { end: index + 2, words: `${each} ` };
  const match = matchAt(SLASHED_WORDS, text, index)?.[0] ?? matchAt(SLASHED, text, index)?.[1];
  // en c/ Alcalá, 45 is a street; con María
  const isStreet = match !== undefined && matchAt(STREET_NEXT, text, index + match.length) !== undefined;
  const words = match && ((isStreet && lookUp(slashed, match.toUpperCase())) || lookUp(slashed, match));
  return words ? { end: index + match.length, words } : undefined;
}
