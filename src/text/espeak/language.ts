import type { LanguageText, SentenceRules } from '../language.ts';
import { textSegments } from '../segments.ts';
import { SpellOut } from '../spell-out.ts';
import type { LanguageLetter } from '../types.ts';
import { Espeak } from './espeak.ts';
import { sentencePhonemes } from './phonemes.ts';
import { SentenceReader } from './reader.ts';
import type { LanguageRules } from './rules.ts';
import { SentenceCutter } from './sentences.ts';

const languages: Partial<Record<LanguageLetter, () => Promise<LanguageRules>>> = {
  e: async () => (await import('./spanish.ts')).spanish,
  f: async () => (await import('./french.ts')).french,
  h: async () => (await import('./hindi.ts')).hindi,
  i: async () => (await import('./italian.ts')).italian,
  p: async () => (await import('./portuguese.ts')).portuguese,
};

/** How a language cuts and reads its sentences. */
export async function sentenceRules(letter: LanguageLetter): Promise<SentenceRules & { rules: LanguageRules }> {
  const rules = await languages[letter]!();
  const reader = new SentenceReader(rules, await SpellOut.load(rules.tag.split('-')[0]!));
  const cutter = new SentenceCutter(rules);
  return {
    rules,
    sentenceEnd: (text, column, complete) => cutter.sentenceEnd(text, column, complete),
    tokens: (text, pronunciations, options) => reader.tokens(text, pronunciations, options),
  };
}

/**
 * One of the languages that eSpeak NG says.
 * @throws HearsayError `model_load_failed` where its package is not installed
 */
export async function espeakText(letter: LanguageLetter): Promise<LanguageText> {
  const [espeak, sentences] = await Promise.all([Espeak.load(), sentenceRules(letter)]);
  const { voice } = sentences.rules;
  const openers = openerSounds(espeak, sentences.rules);
  return {
    segments: (text, normalization) => textSegments(text, normalization, sentences),
    phonemes: async (tokens, entries) => sentencePhonemes(espeak, voice, tokens, entries),
    beginsPhrase: (_, sound) => openers.has(withoutStress(sound)),
  };
}

/** How the words that a phrase begins with sound, before a consonant and before a vowel. */
function openerSounds(espeak: Espeak, { voice, openers, followers }: LanguageRules): ReadonlySet<string> {
  const sounds = [...openers].flatMap((opener) =>
    followers.map((follower) => {
      const tokens = [followers[0]!, opener, follower].map((word) => ({ written: word, spoken: word }));
      return withoutStress(sentencePhonemes(espeak, voice, tokens)[1]!.trim());
    }),
  );
  return new Set(sounds.filter((sound) => sound !== ''));
}

function withoutStress(sound: string): string {
  return sound.replace(/[ˈˌ]/g, '');
}
