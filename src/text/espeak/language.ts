import type { LanguageText, SentenceRules } from '../language.ts';
import { textSegments } from '../segments.ts';
import { SpellOut } from '../spell-out.ts';
import type { LanguageLetter } from '../types.ts';
import { Espeak } from './espeak.ts';
import { Normalizer } from './normalize.ts';
import { sentencePhonemes } from './phonemes.ts';
import type { LanguageRules } from './rules.ts';
import { languageRules } from './sentence-ends.ts';
import { SentenceSegmenter } from './sentences.ts';

/** The sentence rules of a language, and the language rules behind them. */
export async function sentenceRules(letter: LanguageLetter): Promise<SentenceRules & { rules: LanguageRules }> {
  const rules = (await languageRules(letter))!;
  const normalizer = new Normalizer(rules, await SpellOut.load(rules.tag.split('-')[0]!));
  const segmenter = new SentenceSegmenter(rules);
  return {
    rules,
    sentenceEnd: (text, lineOffset, complete) => segmenter.sentenceEnd(text, lineOffset, complete),
    tokens: (text, pronunciations, options) => normalizer.tokens(text, pronunciations, options),
    ordinal: (digits) => digits + rules.ordinalSuffix(digits),
  };
}

/**
 * Loads one of the languages that eSpeak NG pronounces.
 * @throws HearsayError `model_load_failed` if its package is not installed
 */
export async function loadEspeakLanguage(letter: LanguageLetter): Promise<LanguageText> {
  const [espeak, sentences] = await Promise.all([Espeak.load(), sentenceRules(letter)]);
  const { voice } = sentences.rules;
  const openers = openerSounds(espeak, sentences.rules);
  return {
    segments: (text, normalization) => textSegments(text, normalization, sentences),
    phonemes: async (tokens, entries) => sentencePhonemes(espeak, voice, tokens, entries),
    beginsPhrase: (_, sound) => openers.has(withoutStress(sound)),
  };
}

/** Sounds of the words that begin a phrase, before a consonant and before a vowel. */
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
