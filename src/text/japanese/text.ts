import type { NormalizationOptions, SpokenToken } from '../../synthesis.ts';
import type { LanguageText } from '../language.ts';
import { Lexicon } from '../lexicon.ts';
import { markedTokens, tokenPhonemes } from '../marks.ts';
import { textPieces } from '../pieces.ts';
import { PronouncingDictionary } from '../pronouncing-dictionary.ts';
import { sentenceEnd } from '../sentences.ts';
import type { Pronunciation } from '../tokens.ts';
import { loadAnalyser } from './analyser.ts';
import { kanaPhonemes } from './kana.ts';
import { rewrite } from './rewriting.ts';
import { readWords } from './words.ts';

/** Japanese. What a token says is kana, as it sounds, with punctuation in Kokoro's alphabet around it. */
export async function loadJapanese(): Promise<LanguageText> {
  const [analyser, dictionary] = await Promise.all([loadAnalyser(), PronouncingDictionary.load()]);
  const lexicon = new Lexicon(dictionary);
  const tokens = (text: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions) =>
    markedTokens(text, pronunciations, (stretch) => readWords(rewrite(stretch, options, lexicon), analyser));
  return {
    pieces: (text, options) => textPieces(text, options, { sentenceEnd, tokens }),
    phonemes: (sentence) => tokenPhonemes(sentence, sayKana, joinsGeminate),
    beginsPhrase: ({ written }: SpokenToken) => CONTENT.test(written),
  };
}

/** A phrase begins with a word of meaning, and those are written in kanji and katakana; particles are in hiragana. */
const CONTENT = /^[“"(（「『]?[\p{Script=Han}\p{Script=Katakana}\p{Script=Latin}\p{N}]/u;

function sayKana(spoken: string): string {
  return spoken.split(' ').map(kanaPhonemes).filter(Boolean).join(' ');
}

/** A geminate is a stop within a word: no blank stands beside it. */
function joinsGeminate(before: string, after: string): boolean {
  return before.endsWith('ʔ') || (after.startsWith('ʔ') && !/[!",.:;?—…”]$/.test(before));
}
