import type { LanguageLetter } from '../../text/types.ts';

/** Languages by letter. */
export const languageNames: Readonly<Record<LanguageLetter, string>> = {
  a: 'American English',
  b: 'British English',
  e: 'Spanish',
  f: 'French',
  h: 'Hindi',
  i: 'Italian',
  j: 'Japanese',
  p: 'Brazilian Portuguese',
  z: 'Mandarin Chinese',
};

/** By the primary subtag of a language tag. */
const letterOfLanguage: Readonly<Record<string, LanguageLetter>> = {
  en: 'a',
  es: 'e',
  fr: 'f',
  hi: 'h',
  it: 'i',
  ja: 'j',
  pt: 'p',
  zh: 'z',
  cmn: 'z',
};

/** Regions with English closer to British. */
const britishRegions = new Set(['gb', 'uk', 'ie', 'au', 'nz', 'in', 'za', 'sg', 'hk']);

const tagPattern = /^([a-z]{2,3})((?:[-_][a-z\d]{1,8}){0,8})$/;

/** The letter for a letter or a language tag such as `en-GB` or `pt_BR`; undefined if there is none. */
export function languageLetter(code: string): LanguageLetter | undefined {
  const lower = code.trim().toLowerCase();
  if (Object.hasOwn(languageNames, lower)) return lower as LanguageLetter;
  const [, language = '', subtags = ''] = tagPattern.exec(lower) ?? [];
  if (language === 'en' && subtags.split(/[-_]/).some((subtag) => britishRegions.has(subtag))) return 'b';
  return Object.hasOwn(letterOfLanguage, language) ? letterOfLanguage[language] : undefined;
}
