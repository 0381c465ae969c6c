import { lookUp, matchAt } from '../../patterns.ts';
import type { LanguageRules } from '../rules.ts';
import type { Context, Match } from './rule.ts';

const AT_SIGN = /(\p{L}{2,30})@(s?)(?![\p{L}\p{M}\d.@])/uy;
/** The feminine ending after a slash or in brackets: `alumnos/as`, `niño(a)`, `autores/as`. */
const ENDING = /(\p{L}{1,30}?)(os?|ores|or)(?:\/-?(as?)(?![\p{L}\p{M}\d@/])|\((as?)\))/uy;
/** `ragazzi/e` */
const VOWEL_ENDING = /(\p{L}{1,30}?)i(?:\/-?e(?![\p{L}\p{M}\d@/])|\(e\))/uy;
/** `étudiant·e·s`, `étudiant(e)s`, `acteur·rice`, `étudiant.e.s`. */
const DOTTED =
  /(\p{L}{2,30})(?:[·•‧](ne|te|le|se|[tr]?rice|euse|ère|ve|e)(?:[·•‧]?(s))?|\((ne|le|e)\)(s)?|\.(e)\.(s))(?![\p{L}\p{M}\d@·])/uy;
/** `Sr(a).` */
const TITLE = /(Sr|Dr|Prof)\(a\)\.?(?!\p{L})/uy;
const PAIR = /(\p{L}{1,5}(?: \p{L}{1,2})?)\/(\p{L}{1,6})(?![\p{L}\p{M}\d@/(]|\.\p{L})/uy;
/** What a feminine ending takes the place of. */
const STEM_END: Readonly<Record<string, RegExp>> = {
  se: /x$/,
  rice: /eur$/,
  trice: /teur$/,
  rrice: /eur$/,
  euse: /eur$/,
  ère: /er$/,
  ve: /f$/,
};
const PLURAL_WORD = /^(?:(?:l|un|est|d|n|a)?os|gli|i|d[ae]gli|ils)$/i;

/** Both forms of a word, up to `end`. */
interface BothForms {
  end: number;
  forms: readonly [masculine: string, feminine: string];
  isPlural: boolean;
}

/** `amig@s`, `alumnos/as`, `niño(a)`, `étudiant·e·s`, `él/ella`: both genders in full. */
export function matchBothGenders({ text, index, language: { rules } }: Context): Match | undefined {
  const { bothGenders, eitherGender, dotsBeforeFeminine } = rules;
  if (!bothGenders || !eitherGender || /[\p{L}\p{M}\d/@·(]/u.test(text[index - 1] ?? '')) return undefined;
  const found = dotsBeforeFeminine
    ? (matchPair(text, index, rules) ?? matchDotted(text, index))
    : (matchAtSign(text, index) ??
      matchPair(text, index, rules) ??
      matchTitle(text, index, rules) ??
      matchEnding(text, index, rules));
  if (!found) return undefined;
  const { end, forms, isPlural } = found;
  return { end, words: forms.join(` ${isPlural ? bothGenders : eitherGender} `) };
}

/** `amig@s`; people in general, even in the singular. */
function matchAtSign(text: string, index: number): BothForms | undefined {
  const match = matchAt(AT_SIGN, text, index);
  if (!match) return undefined;
  const [all, stem, plural] = match;
  return { end: index + all.length, forms: [`${stem}o${plural}`, `${stem}a${plural}`], isPlural: true };
}

function matchPair(text: string, index: number, { genderPairs = {} }: LanguageRules): BothForms | undefined {
  const [all, one = '', other = ''] = matchAt(PAIR, text, index) ?? [];
  if (all === undefined || lookUp(genderPairs, one.toLowerCase()) !== other.toLowerCase()) return undefined;
  return { end: index + all.length, forms: [one, other], isPlural: PLURAL_WORD.test(one) };
}

function matchDotted(text: string, index: number): BothForms | undefined {
  const match = matchAt(DOTTED, text, index);
  if (!match) return undefined;
  const [all, written = '', dotted, dottedS, bracketed, bracketedS, stopped, stoppedS] = match;
  const ending = dotted ?? bracketed ?? stopped!;
  const singular = written.replace(/(?<=.{2}[^us])s$/, '');
  const isPlural = (dottedS ?? bracketedS ?? stoppedS) !== undefined || singular !== written;
  const masculine = isPlural && !/[sx]$/.test(written) ? `${written}s` : written;
  const stem = singular.replace(STEM_END[ending] ?? '', '');
  const feminine = written === 'tous' ? 'toutes' : `${stem}${ending}${isPlural ? 's' : ''}`;
  return { end: index + all.length, forms: [masculine, feminine], isPlural };
}

function matchTitle(text: string, index: number, { abbreviations }: LanguageRules): BothForms | undefined {
  const [all, title = ''] = matchAt(TITLE, text, index) ?? [];
  const masculine = lookUp(abbreviations, `${title.toLowerCase()}.`);
  const feminine = lookUp(abbreviations, `${title.toLowerCase()}a.`);
  if (all === undefined || !masculine || !feminine) return undefined;
  return { end: index + all.length, forms: [masculine, feminine], isPlural: false };
}

function matchEnding(text: string, index: number, { hasVowelPlurals }: LanguageRules): BothForms | undefined {
  const vowels = hasVowelPlurals ? matchAt(VOWEL_ENDING, text, index) : undefined;
  if (vowels) {
    const [all, stem] = vowels;
    return { end: index + all.length, forms: [`${stem}i`, `${stem}e`], isPlural: true };
  }
  const match = matchAt(ENDING, text, index);
  if (!match) return undefined;
  const [all, stem = '', masculine = '', slashed, bracketed] = match;
  const feminine = slashed ?? bracketed!;
  const isPlural = feminine.endsWith('s');
  if (masculine.endsWith('s') !== isPlural || (stem.length < 2 && masculine !== 'os')) return undefined;
  const feminineStem = masculine.startsWith('or') ? `${stem}or` : stem;
  return { end: index + all.length, forms: [stem + masculine, feminineStem + feminine], isPlural };
}
