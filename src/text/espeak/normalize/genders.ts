import { lookUp, matchAt } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const BOTH = /(\p{L}{2,30})@(s?)(?![\p{L}\p{M}\d.@])/uy;
/** The ending of the other gender after a slash or in brackets: `alumnos/as`, `niño(a)`, `autores/as`, `ragazzi/e`. */
const ENDING = /(\p{L}{0,30}?)(os?|ores|or|i)(?:\/-?(as?|e)(?![\p{L}\p{M}\d@/])|\((as?|e)\))/uy;
/** French: `étudiant·e·s`, `étudiant(e)s`, `acteur·rice`. */
const FRENCH =
  /(\p{L}{2,30})(?:[·•‧](ne|te|le|se|[tr]?rice|euse|ère|ve|e)(?:[·•‧]?(s))?|\((ne|le|e)\)(s)?|\.(e)\.(s))(?![\p{L}\p{M}\d@·])/uy;
/** `Sr(a).` */
const TITLE = /(Sr|Dr|Prof)\(a\)\.?(?!\p{L})/uy;
const PAIR = /(\p{L}{1,5}(?: \p{L}{1,2})?)\/(\p{L}{1,6})(?![\p{L}\p{M}\d@/(]|\.\p{L})/uy;
/** What a French ending takes the place of. */
const STEM_END: Readonly<Record<string, RegExp>> = {
  se: /x$/,
  rice: /eur$/,
  trice: /teur$/,
  rrice: /eur$/,
  euse: /eur$/,
  ère: /er$/,
  ve: /f$/,
};

/** `amig@s`, `alumnos/as`, `niño(a)`, `étudiant·e·s`, `él/ella`: both genders in full. */
export function matchBothGenders({ text, index, language }: Context): Match | undefined {
  const { bothGenders, eitherGender, genderPairs } = language.rules;
  if (!bothGenders || !eitherGender || /[\p{L}\p{M}\d/@·(]/u.test(text[index - 1] ?? '')) return undefined;
  const join = (one: string, other: string, isPlural: boolean) =>
    `${one} ${isPlural ? bothGenders : eitherGender} ${other}`;
  const both = matchAt(BOTH, text, index);
  if (both && !language.rules.tag.startsWith('fr')) {
    const [all, stem, plural] = both;
    return { end: index + all.length, words: `${stem}o${plural} ${bothGenders} ${stem}a${plural}` };
  }
  const pair = matchAt(PAIR, text, index);
  if (pair && genderPairs && lookUp(genderPairs, pair[1]!.toLowerCase()) === pair[2]!.toLowerCase()) {
    return {
      end: index + pair[0].length,
      words: join(pair[1]!, pair[2]!, /^(?:(?:l|un|est|d|n|a)?os|gli|i|d[ae]gli|ils)$/i.test(pair[1]!)),
    };
  }
  if (language.rules.tag.startsWith('fr')) {
    const match = matchAt(FRENCH, text, index);
    if (!match) return undefined;
    const [all, one] = match as unknown as [string, string];
    const ending = match[2] ?? match[4] ?? match[6]!;
    const s = match[3] ?? match[5] ?? match[7] ?? '';
    const singular = one.replace(/(?<=.{2}[^us])s$/, '');
    const isPlural = s !== '' || singular !== one;
    const other =
      one === 'tous' ? 'toutes' : `${singular.replace(STEM_END[ending] ?? /$^/, '')}${ending}${isPlural ? 's' : ''}`;
    return { end: index + all.length, words: join(isPlural && !/[sx]$/.test(one) ? `${one}s` : one, other, isPlural) };
  }
  const title = matchAt(TITLE, text, index);
  if (title) {
    const names = ['.', 'a.'].map((end) => lookUp(language.rules.abbreviations, `${title[1]!.toLowerCase()}${end}`));
    return names.every(Boolean)
      ? { end: index + title[0].length, words: join(names[0]!, names[1]!, false) }
      : undefined;
  }
  const match = matchAt(ENDING, text, index);
  if (!match) return undefined;
  const [all, stem, end] = match as unknown as [string, string, string];
  const other = match[3] ?? match[4]!;
  const isItalian = language.rules.tag.startsWith('it');
  if ((end === 'i' || other === 'e') && !(isItalian && end === 'i' && other === 'e')) return undefined;
  const isPlural = other.endsWith('s') || end === 'i';
  const isShort = stem === '' || (end !== 'os' && end !== 'i' && stem.length < 2);
  if (isShort || (isPlural && !/[si]$/.test(end)) || (!isPlural && /s$/.test(end))) return undefined;
  const base = end.startsWith('or') ? `${stem}or` : stem;
  return { end: index + all.length, words: join(stem + end, base + other, isPlural) };
}
