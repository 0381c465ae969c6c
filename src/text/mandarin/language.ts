import { wordSet } from '../english/normalize/reading.ts';
import { sentenceEnd } from '../english/normalize/sentences.ts';
import type { Pronunciation } from '../english/normalize/tokens.ts';
import type { LanguageText } from '../language.ts';
import { listedAt } from '../listed-words.ts';
import { markedTokens, tokenPhonemes } from '../marks.ts';
import { textSegments } from '../segments.ts';
import type { NormalizationOptions, SpokenToken, TextSegment } from '../types.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import { loadDictionary } from './dictionary.ts';
import { rewrite } from './rewriting.ts';
import { readWords } from './words.ts';

/**
 * Mandarin. What a token says is phonemes already, or words in Latin letters as `latinWords` writes them.
 * @param english says the words in Latin letters
 */
export async function loadMandarin(english: LanguageText): Promise<LanguageText> {
  const dictionary = await loadDictionary();
  const tokensWith =
    (entries?: UserLexicon) =>
    (text: string, pronunciations: readonly Pronunciation[], options: NormalizationOptions): SpokenToken[] => {
      const readLatin = (words: string) => latinWords([...english.segments(words, { ...options, normalize: true })]);
      return markedTokens(text, pronunciations, (stretch) => {
        const parts = rewrite(stretch, options, readLatin, (place, at) =>
          listedAt(entries, place, at, dictionary.isWord),
        );
        return readWords(parts, dictionary, entries);
      });
    };
  const sounds = new Set(
    [...openers].map((word) => readWords([{ written: word, read: word, plain: true }], dictionary)[0]!.spoken),
  );
  return {
    segments: (text, options, entries) => textSegments(text, options, { sentenceEnd, tokens: tokensWith(entries) }),
    phonemes: async (sentence, entries) => {
      const latin = new Map<string, string>();
      for (const { spoken } of sentence) {
        const [words] = LATIN.exec(spoken) ?? [];
        if (words !== undefined) latin.set(words, await sayLatin(words, english, entries));
      }
      return tokenPhonemes(sentence, (spoken) => latin.get(spoken) ?? spoken);
    },
    beginsPhrase: (_, sound) => sounds.has(sound),
  };
}

const LATIN = /\[\[.*\]\]/su;

/** Words in Latin letters within a Mandarin token, whose phonemes are to be had later only: the tokens of their sentences. */
function latinWords(segments: readonly TextSegment[]): string {
  const sentences = segments.flatMap((segment) => (segment.type === 'sentence' ? [segment.tokens] : []));
  return sentences.length > 0 ? JSON.stringify(sentences) : '';
}

async function sayLatin(words: string, english: LanguageText, entries: UserLexicon | undefined): Promise<string> {
  const sentences: SpokenToken[][] = JSON.parse(words);
  const said = await Promise.all(sentences.map((tokens) => english.phonemes(tokens, entries)));
  return said
    .map((phonemes) => phonemes.join(''))
    .join(' ')
    .trim();
}

/** Words that a phrase begins with. */
const openers = wordSet(`
  和 与 及 或 或者 而 而且 并 并且 但 但是 可是 不过 然而 却 因为 所以 因此 如果 要是 虽然 即使 只要 只有 除非 当 为了
  在 从 自 自从 对 对于 关于 把 将 被 给 向 往 朝 比 跟 同 由 以 用 按 按照 根据 通过 经过 直到 是 就 也 都 才 又 再 还
`);
