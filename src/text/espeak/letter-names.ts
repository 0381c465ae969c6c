import { anyOf } from '../patterns.ts';
import type { LanguageRules } from './rules.ts';

/** A consonant or cluster with its vowel sign, or a vowel. */
const SYLLABLE =
  '[\\u0904-\\u0939\\u0958-\\u0961]\\u093C?(?:\\u094D[\\u0915-\\u0939]\\u093C?)*[\\u0900-\\u0903\\u093A-\\u094C]*';
const LETTER = '[\\p{L}\\p{M}]';
const LAST_WORD = new RegExp(`(?<!${LETTER})(${LETTER}+)\\.$`, 'u');
const NEXT_WORD = new RegExp(`^\\s(${LETTER}+)\\.`, 'u');
const WORD_BEFORE = new RegExp(`(?<!${LETTER})(${LETTER}+)\\.\\s$`, 'u');

/** Nothing, or a word that a name follows. */
const NAME_EXPECTED = new RegExp(
  `(?:^[^${LETTER.slice(1, -1)}]*|(?<!${LETTER})(?:और|व|एवं|तथा|श्री|श्रीमती|सुश्री)\\s)$`,
  'u',
);

type LetterRules = Pick<LanguageRules, 'letterNames' | 'letterWords'>;

/** The pattern of initials without spaces, sticky: `बी.जे.पी.`, `आई.आई.टी`, `भा.ज.पा.` */
export function letterNameChain({ letterNames }: LetterRules): RegExp | undefined {
  if (!letterNames) return undefined;
  const name = anyOf(letterNames);
  return new RegExp(
    `(?:(?:${name})\\.){1,6}(?:${name})(?:\\.|(?![\\p{L}\\p{M}.]))|(?:(?:${name}|${SYLLABLE})\\.){2,6}(?!${LETTER})`,
    'uy',
  );
}

/** Whether the full stop between two parts of a sentence is that of an initial: `ए. पी. जे.`, `एम. के. गांधी`. */
export function endsInitial({ letterNames, letterWords }: LetterRules, before: string, after: string): boolean {
  const trimmed = before.trimEnd();
  const word = LAST_WORD.exec(trimmed)?.[1];
  if (!letterNames || word === undefined || !letterNames.has(word)) return false;
  if (!letterWords?.has(word)) return true;
  const rest = trimmed.slice(0, -word.length - 1);
  if (NAME_EXPECTED.test(rest)) return true;
  const next = NEXT_WORD.exec(` ${after.trimStart()}`)?.[1];
  const previous = WORD_BEFORE.exec(rest)?.[1];
  return [next, previous].some((other) => other !== undefined && letterNames.has(other));
}
