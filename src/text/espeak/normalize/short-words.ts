import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { inGender } from './numbered-abbreviations.ts';
import { type Context, isAfterNumber, type Match } from './rule.ts';

const WORD = /[\p{L}\p{M}]{1,8}[ªº°]?(?![\p{L}\p{M}\d'’‑-])/uy;
const NAME_NEXT = /\s(?:de\s|d['’])?\p{Lu}\p{Ll}/uy;
/** Me Too, Tell Me More */
const ENGLISH_NEXT =
  /\s(?:Too|Time|More|Maybe|If|Like|Love|First|Before|Up|You|Your|My|Out|Now|Again|Please|How|When|Why|Who|And|On|In|To|The)(?!\p{L})/uy;
/** `2º` */
const ORDINAL_BEFORE = /\d\.?[º°]\s$/;
const NEEDLESS_STOP = /\.(?=\s\p{Ll})/uy;
const NUMBER_NEXT = /\s[-−]?\d/y;

/** Abbreviations without a full stop: `Mmes Roy`, `Me Leroy`, `no 12`, `vs`, `2º tri`. */
export function matchShortWord(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\p{M}\d'’‑-]/u.test(text[index - 1] ?? '')) return undefined;
  const { numberedPlural, ordinalNouns, shortWords, shortTitles, shortLabels } = language.rules;
  const plural = numberedPlural && matchAt(numberedPlural.pattern, text, index)?.[0];
  if (plural) return { end: index + plural.length, words: numberedPlural.words };
  const word = matchAt(WORD, text, index)?.[0];
  if (!word) return undefined;
  const end = index + word.length;
  // With a full stop it is another abbreviation.
  if (text[end] === '.' && /\S/.test(text[end + 1] ?? '')) return undefined;
  if (ordinalNouns && ORDINAL_BEFORE.test(textBefore(context, 4))) {
    const stop = matchAt(NEEDLESS_STOP, text, end)?.[0] ?? '';
    const noun = lookUp(ordinalNouns, word + stop) ?? lookUp(ordinalNouns, word);
    if (noun) return { end: end + stop.length, words: noun };
  }
  const isNamed = matchAt(NAME_NEXT, text, end) && !matchAt(ENGLISH_NEXT, text, end);
  const title = shortTitles && isNamed ? lookUp(shortTitles, word) : undefined;
  const isLabel = matchAt(NUMBER_NEXT, text, end) && !isAfterNumber(context);
  const label = isLabel && shortLabels ? lookUp(shortLabels, word) : undefined;
  const words = (shortWords && lookUp(shortWords, word)) ?? title ?? (label && inGender(context, label));
  return words ? { end, words } : undefined;
}
