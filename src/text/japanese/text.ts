import type { NormalizationOptions } from '../../synthesis.ts';
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
  return spoken.split(' ').map(kanaPhonemes).filter(Boolean).join(' ');
}

/** A geminate is a stop within a word: no blank stands beside it. */
function joinsGeminate(before: string, after: string): boolean {
  return before.endsWith('ʔ') || (after.startsWith('ʔ') && !/[!",.:;?—…”]$/.test(before));
}
