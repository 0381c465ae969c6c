import { kanaPhonemes } from '../cjk/kana.ts';
import { listedWordAt } from '../cjk/listed-words.ts';
import { tokenPhonemes, wordTokens } from '../cjk/tokens.ts';
import type { LanguageText, SentenceRules } from '../language.ts';
import { textSegments } from '../segments.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import { loadAnalyser } from './analyser.ts';
import type { EnglishWords } from './latin.ts';
import { normalize } from './normalize.ts';
import { joinsGeminate, spokenPhonemes } from './phonemes.ts';
import { readWords } from './words.ts';

export interface JapaneseOptions {
  /** Pronounces Latin words. */
  english: EnglishWords;
  sentenceEnd: SentenceRules['sentenceEnd'];
}

/**
 * Loads Japanese. `SpokenToken.spoken` is kana, or phonemes between slashes, with punctuation in Kokoro's alphabet around
 * it.
 */
export async function loadJapanese({ english, sentenceEnd }: JapaneseOptions): Promise<LanguageText> {
  const analyser = await loadAnalyser();
  const isWord = (word: string) => analyser.morphemes(word).length === 1;
  const tokensWith =
    (entries?: UserLexicon): SentenceRules['tokens'] =>
    (text, pronunciations, options) =>
      wordTokens(text, pronunciations, (stretch) => {
        const spans = normalize(stretch, options, english, (text, index) => listedWordAt(entries, text, index, isWord));
        return readWords(spans, analyser, entries);
      });
  const rulesWith = (entries?: UserLexicon): SentenceRules => ({
    sentenceEnd,
    tokens: tokensWith(entries),
    ordinal: (digits) => `${digits}番目`,
  });
  return {
    segments: (text, options, entries) => textSegments(text, options, rulesWith(entries)),
    phonemes: async (tokens) => tokenPhonemes(tokens, spokenPhonemes, joinsGeminate),
    beginsPhrase: (_, sound) => !followers.has(sound),
  };
}

/** Sounds of particles and endings: no phrase begins with them, but may with any other word. */
const followers = new Set(
  `わ が お に で と も の え や か ね よ な から まで より だけ など でも とわ にわ でわ にも とも だ です ます でし まし た て ない
  ある いる する した して なる ので のに のわ のが のお だけ ほど くらい ぐらい ばかり しか さえ こそ けれど けれども ながら たり`
    .split(/\s+/)
    .map(kanaPhonemes),
);
