import type { NormalizationOptions } from '../../synthesis.ts';
import type { LanguageText } from '../language.ts';
import { markedTokens, tokenPhonemes } from '../marks.ts';
import { textPieces } from '../pieces.ts';
import { wordSet } from '../reading.ts';
import { sentenceEnd } from '../sentences.ts';
import type { Pronunciation } from '../tokens.ts';
import { loadDictionary } from './dictionary.ts';
import { rewrite } from './rewriting.ts';
import { readWords } from './words.ts';

/**
 * Mandarin. What a token says is phonemes already.
 * @param english says the words in Latin letters
 */
export async function loadMandarin(english: LanguageText): Promise<LanguageText> {
  const dictionary = await loadDictionary();
  const tokens = (text: string, pronunciations: readonly Pronunciation[], normalization: NormalizationOptions) => {
    const sayLatin = (words: string) =>
      [...english.pieces(words, { ...normalization, normalize: true })]
        .map((piece) => (piece.type === 'sentence' ? english.phonemes(piece.tokens).join('') : ''))
        .join(' ')
        .trim();
    return markedTokens(text, pronunciations, (stretch) =>
      readWords(rewrite(stretch, normalization, sayLatin), dictionary),
    );
  };
  const sounds = new Set(
    [...openers].map((word) => readWords([{ written: word, read: word, plain: true }], dictionary)[0]!.spoken),
  );
  return {
    pieces: (text, normalization) => textPieces(text, normalization, { sentenceEnd, tokens }),
    phonemes: (sentence) => tokenPhonemes(sentence, (spoken) => spoken),
    beginsPhrase: (_, sound) => sounds.has(sound),
  };
}

/** Words that a phrase begins with. */
const openers = wordSet(`
  和 与 及 或 或者 而 而且 并 并且 但 但是 可是 不过 然而 却 因为 所以 因此 如果 要是 虽然 即使 只要 只有 除非 当 为了
  在 从 自 自从 对 对于 关于 把 将 被 给 向 往 朝 比 跟 同 由 以 用 按 按照 根据 通过 经过 直到 是 就 也 都 才 又 再 还
`);
