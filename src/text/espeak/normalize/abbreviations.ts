import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { meaningOf } from './abbreviation-meanings.ts';
import { type Context, isSentenceEnd, type Match, nextWord } from './rule.ts';

/** Longer ones first. Those of one part do not end next to an initial. */
const ABBREVIATIONS = [
  ...[4, 3, 2].map((parts) => new RegExp(`(?:[\\p{L}\\p{M}]{1,6}(?:[.॰]-?|-)\\s?){${parts}}(?![\\p{L}\\p{M}])`, 'uy')),
  // s.XX
  /\p{L}{1,3}\.(?=[IVXLC]{1,8}(?![\p{L}\d.]))/uy,
  /[\p{L}\p{M}]{1,8}\.(?:[ªº°]|\p{Ll}{1,3}(?![\p{L}\p{M}.]))/uy,
  /[\p{L}\p{M}]{1,8}[.॰](?!\p{Ll}|-?\p{L}\p{M}*[.॰])|n[.]?[°ºᵒ](?:s(?!\p{L})|\.(?=\s?\d))?|№/iuy,
];
const INITIAL_BEFORE = /(?<![\p{L}\p{M}])\p{L}\p{M}*\.-?$/u;
const INITIALS = /(?:\p{Lu}\.-?){2,6}(?![\p{L}\p{M}])|(?:\p{Script=Latin}\.){3,6}(?![\p{L}\p{M}])/uy;
const INITIAL = /([\p{L}\p{M}]{1,8})\.(?=\s)/uy;
/** After a name, these do not belong to the next name: Acme S.A. */
const COMPANY = /^S\.(?:[AL]|A\.S|[Pp]\.A|[Rr]\.[Ll])\.$/;
const NAME_BEFORE = /(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}]{1,30}\s$/u;
/** Longer words that begin a sentence. */
const SENTENCE_OPENER =
  /^(?:Despu[eé]s|Luego|Entonces|Ahora|Tamb(?:ién|ém)|Además|Ayer|Ella|Este|Esta|Puis|Ensuite|Alors|Aujourd|Hier|Elle|Cette|Nous|Vous|Dopo|Quindi|Allora|Oggi|Ieri|Quest[oa]|Depois|Então|Hoje|Ontem|Agora)$/;
const SLASHED = /(\p{Ll}\/|\p{Lu}\/(?=\s?\p{Lu}\p{Ll}))(?=\s?\p{L}{2}|\s\d)(?!\p{L}{1,30}\/)/uy;

/** A name and the number of a house. */
const STREET_NEXT = /\s?(?:de (?:la |los |las )?|del )?\p{Lu}\p{L}[\p{L} ]{0,30}(?:,\s?|\s)(?:n\.?º\s?)?\d/uy;
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
    const key = written
      .replace(/\s/g, '')
      .replaceAll('॰', '.')
      .replace('№', 'n°')
      .replace(/(?<=^n[°º])\.$/i, '');
    const end = index + written.length;
    // M5S.
    const words = /\d$/.test(before) && /^\p{Lu}\.$/u.test(key) ? undefined : meaningOf(context, key, end);
    if (!words) continue;
    // Its full stop may also end the sentence.
    const mayEnd = language.rules.finalAbbreviations.has(key) || text.length === end;
    return { end, words: mayEnd && isSentenceEnd(context, end) ? `${words}.` : words };
  }
  return undefined;
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
