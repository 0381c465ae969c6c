import { Lexicon } from '../english/g2p/lexicon.ts';
import { PronouncingDictionary } from '../english/g2p/pronouncing-dictionary.ts';
import { sentenceEnd } from '../english/normalize/sentences.ts';
import type { Pronunciation } from '../english/normalize/tokens.ts';
import type { LanguageText } from '../language.ts';
import { listedAt } from '../listed-words.ts';
import { markedTokens, tokenPhonemes } from '../marks.ts';
import { textSegments } from '../segments.ts';
import type { NormalizationOptions, SpokenToken } from '../types.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import { loadAnalyser } from './analyser.ts';
import { kanaPhonemes } from './kana.ts';
import { rewrite } from './rewriting.ts';
import { readWords } from './words.ts';

/**
 * Japanese. What a token says is kana, as it sounds, or phonemes between slashes, with punctuation in Kokoro's alphabet
 * around it.
 */
export async function loadJapanese(): Promise<LanguageText> {
  const [analyser, dictionary] = await Promise.all([loadAnalyser(), PronouncingDictionary.load()]);
  const lexicon = new Lexicon(dictionary);
  const isWord = (word: string) => analyser.morphemes(word).length === 1;
  const tokensWith =
    (entries?: UserLexicon) =>
    (text: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[] =>
      markedTokens(text, pronunciations, (stretch) => {
        const parts = rewrite(stretch, options, lexicon, (place, at) => listedAt(entries, place, at, isWord));
        return readWords(parts, analyser, entries);
      });
  return {
    segments: (text, options, entries) => textSegments(text, options, { sentenceEnd, tokens: tokensWith(entries) }),
    phonemes: async (sentence) => tokenPhonemes(sentence, sayKana, joinsGeminate),
    beginsPhrase: (_, sound) => !particles.has(sound),
  };
}

/** How words sound that follow another within a phrase: particles and endings. Every other word may begin one. */
const particles = new Set(
  `わ が お に で と も の え や か ね よ な から まで より だけ など でも とわ にわ でわ にも とも だ です ます でし まし た て ない
  ある いる する した して なる ので のに のわ のが のお だけ ほど くらい ぐらい ばかり しか さえ こそ けれど けれども ながら たり`
    .split(/\s+/)
    .map(kanaPhonemes),
);

function sayKana(spoken: string): string {
  if (spoken.startsWith('/')) return spoken.slice(1, -1);
  return spoken.split(' ').map(kanaPhonemes).filter(Boolean).join(' ');
}

/** A geminate is a stop within a word: no blank stands beside it. */
function joinsGeminate(before: string, after: string): boolean {
  return before.endsWith('ʔ') || (after.startsWith('ʔ') && !/[!",.:;?—…”]$/.test(before));
}
