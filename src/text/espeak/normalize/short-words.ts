import { lookUp, matchAt, textBefore } from '../../patterns.ts';
import { inGender } from './abbreviations.ts';
import { type Context, isAfterNumber, type Match } from './rule.ts';

const WORD = /[\p{L}\p{M}]{1,8}[ªº°]?(?![\p{L}\p{M}\d'’‑-])/uy;
const NAME_NEXT = /\s(?:de\s|d['’])?\p{Lu}\p{Ll}/uy;
/** Me Too, Tell Me More */
const ENGLISH_NEXT =
  /\s(?:Too|Time|More|Maybe|If|Like|Love|First|Before|Up|You|Your|My|Out|Now|Again|Please|How|When|Why|Who|And|On|In|To|The)(?!\p{L})/uy;
/** French *numéros*, not *our*: `les nos 7 et 8`, `nos 7 et 8 du bulletin`, not `nos 7 ans` */
const NUMBERS =
  /nos(?=\s\d{1,5}(?:,\s\d{1,5}){0,8}\s(?:et|à|ou)\s\d{1,5}(?!\d|[.,/:]\d|\s?[%€$])(?!\s(?!(?:de|du|des|d|et|ou|est|sont|ont|au|aux|dans|sur|en|à|qui|que|pour|par)(?!\p{L}))\p{L}))/uy;
const NUMBERS_ALONE = /nos(?=\s\d)/y;
const PLURAL_BEFORE = /(?<!\p{L})(?:les|des|aux|ces)\s$/iu;
const NUMBER_NEXT = /\s[-−]?\d/y;

/** Abbreviations without a full stop: `Mmes Roy`, `Me Leroy`, `no 12`, `vs`. */
export function matchShortWord(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (/[\p{L}\p{M}\d'’‑-]/u.test(text[index - 1] ?? '')) return undefined;
  if (language.rules.tag.startsWith('fr')) {
    const numbers = PLURAL_BEFORE.test(textBefore(context, 5)) ? NUMBERS_ALONE : NUMBERS;
    if (matchAt(numbers, text, index)) return { end: index + 3, words: 'numéros' };
  }
  const word = matchAt(WORD, text, index)?.[0];
  if (!word) return undefined;
  const end = index + word.length;
  // With a full stop it is another abbreviation.
  if (text[end] === '.' && /\S/.test(text[end + 1] ?? '')) return undefined;
  const { shortWords, shortTitles, shortLabels } = language.rules;
  const isNamed = matchAt(NAME_NEXT, text, end) && !matchAt(ENGLISH_NEXT, text, end);
  const title = shortTitles && isNamed ? lookUp(shortTitles, word) : undefined;
  const isLabel = matchAt(NUMBER_NEXT, text, end) && !isAfterNumber(context);
  const label = isLabel && shortLabels ? lookUp(shortLabels, word) : undefined;
  const words = (shortWords && lookUp(shortWords, word)) ?? title ?? (label && inGender(context, label));
  return words ? { end, words } : undefined;
}
