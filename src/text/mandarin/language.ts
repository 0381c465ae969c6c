import { listedWordAt } from '../cjk/listed-words.ts';
import { tokenPhonemes, wordTokens } from '../cjk/tokens.ts';
import type { LanguageText, SentenceRules } from '../language.ts';
import { wordSet } from '../patterns.ts';
import { textSegments } from '../segments.ts';
import type { SpokenToken, TextSegment } from '../types.ts';
import type { UserLexicon } from '../user-lexicon.ts';
import { loadDictionary } from './dictionary.ts';
import { normalize } from './normalize.ts';
import { readWords } from './words.ts';

export interface MandarinOptions {
  /** Pronounces Latin words. */
  english: LanguageText;
  sentenceEnd: SentenceRules['sentenceEnd'];
}

/** Loads Mandarin. `SpokenToken.spoken` is phonemes, or Latin words in the format of `spokenLatin`. */
export async function loadMandarin({ english, sentenceEnd }: MandarinOptions): Promise<LanguageText> {
  const dictionary = await loadDictionary();
  const tokensWith =
    (entries?: UserLexicon): SentenceRules['tokens'] =>
    (text, pronunciations, options) => {
      const spokenLatinWith = (words: string) =>
        spokenLatin([...english.segments(words, { ...options, normalize: true, markdown_normalization: false })]);
      return wordTokens(text, pronunciations, (stretch) => {
        const spans = normalize(stretch, options, spokenLatinWith, (text, index) =>
          listedWordAt(entries, text, index, dictionary.isWord),
        );
        return readWords(spans, dictionary, entries);
      });
    };
  const openerSounds = new Set(
    [...openers].map((word) => readWords([{ written: word, replacement: word, isPlain: true }], dictionary)[0]!.spoken),
  );
  const rulesWith = (entries?: UserLexicon): SentenceRules => ({
    sentenceEnd,
    tokens: tokensWith(entries),
    ordinal: (digits) => `第${digits}`,
  });
  return {
    segments: (text, options, entries) => textSegments(text, options, rulesWith(entries)),
    phonemes: async (tokens, entries) => {
      const latin = new Map<string, string>();
      for (const { spoken } of tokens) {
        const [words] = LATIN.exec(spoken) ?? [];
        if (words !== undefined) latin.set(words, await latinPhonemes(words, english, entries));
      }
      return tokenPhonemes(tokens, (spoken) => spoken.replace(LATIN, (words) => latin.get(words)!));
    },
    beginsPhrase: (_, sound) => openerSounds.has(sound),
  };
}

const LATIN = /\[\[.*\]\]/su;

/** The tokens of Latin words as JSON, sentence by sentence: English phonemes are only available later. */
function spokenLatin(segments: readonly TextSegment[]): string {
  const sentences = segments.flatMap((segment) => (segment.type === 'sentence' ? [segment.tokens] : []));
  return sentences.length > 0 ? JSON.stringify(sentences) : '';
}

async function latinPhonemes(json: string, english: LanguageText, entries: UserLexicon | undefined): Promise<string> {
  const sentences: SpokenToken[][] = JSON.parse(json);
  const phonemes = await Promise.all(sentences.map((tokens) => english.phonemes(tokens, entries)));
  return phonemes
    .map((sentence) => sentence.join(''))
    .join(' ')
    .trim();
}

/** Words that a phrase begins with. */
const openers = wordSet(`
  和 与 及 或 或者 而 而且 并 并且 但 但是 可是 不过 然而 却 因为 所以 因此 如果 要是 虽然 即使 只要 只有 除非 当 为了
  在 从 自 自从 对 对于 关于 把 将 被 给 向 往 朝 比 跟 同 由 以 用 按 按照 根据 通过 经过 直到 是 就 也 都 才 又 再 还
`);
