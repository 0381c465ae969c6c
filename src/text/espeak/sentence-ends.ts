import type { SentenceRules } from '../language.ts';
import type { LanguageLetter } from '../types.ts';
import type { LanguageRules } from './rules.ts';
import { SentenceSegmenter } from './sentences.ts';

const languages: Partial<Record<LanguageLetter, () => Promise<LanguageRules>>> = {
  e: async () => (await import('./spanish.ts')).spanish,
  f: async () => (await import('./french.ts')).french,
  h: async () => (await import('./hindi.ts')).hindi,
  i: async () => (await import('./italian.ts')).italian,
  p: async () => (await import('./portuguese.ts')).portuguese,
};

/** The rules of a language that eSpeak NG pronounces; undefined for others. */
export async function languageRules(letter: LanguageLetter): Promise<LanguageRules | undefined> {
  return languages[letter]?.();
}

/** Cuts sentences of a language that eSpeak NG pronounces, without its numbers and sounds; undefined for other languages. */
export async function sentenceEndOf(letter: LanguageLetter): Promise<SentenceRules['sentenceEnd'] | undefined> {
  const rules = await languageRules(letter);
  if (!rules) return undefined;
  const segmenter = new SentenceSegmenter(rules);
  return (text, lineOffset, complete) => segmenter.sentenceEnd(text, lineOffset, complete);
}
