import type { Segment, TokenLogprob } from '../../contracts/transcription.ts';

/** A word of a guess. The texts and ends of all words, joined, are the text of the guess. */
export interface GuessedWord {
  /** With the whitespace and punctuation before it. */
  text: string;
  /** Punctuation after it. */
  after: string;
  /** Seconds from the start of the speech. */
  start: number;
  end: number;
  /** 0 to 1. */
  probability: number;
  /** Tokens that begin in `text`, if the segment has them. */
  tokens?: readonly TokenLogprob[];
  /** Tokens that begin in `after`. */
  tokensAfter?: readonly TokenLogprob[];
}

/** Cuts segments into words; those without times get the end of their segment for both. */
export function guessedWords(segments: readonly Pick<Segment, 'text' | 'end' | 'words' | 'logprobs'>[]): GuessedWord[] {
  return segments.flatMap(({ text, end, words, logprobs }) => {
    const guessed: GuessedWord[] = [];
    let cursor = 0;
    for (const { word, ...times } of words) {
      const at = text.indexOf(word, cursor);
      if (at < 0 || word === '') continue;
      guessed.push(splitPunctuation({ ...times, text: text.slice(cursor, at + word.length) }));
      cursor = at + word.length;
    }
    const rest = text.slice(cursor).match(/\s*\S+/g) ?? [];
    guessed.push(...rest.map((word) => splitPunctuation({ text: word, start: end, end, probability: 0 })));
    return logprobs ? withTokens(guessed, logprobs) : guessed;
  });
}

function splitPunctuation({ text, ...rest }: Omit<GuessedWord, 'after'>): GuessedWord {
  const [, word = text, after = ''] = /^(.*[\p{L}\p{M}\p{N}])([^\p{L}\p{M}\p{N}]+)$/su.exec(text) ?? [];
  return { text: word, after, ...rest };
}

/** Gives each part of the text its tokens, counted in bytes: a token may end within a character. */
function withTokens(words: readonly GuessedWord[], tokens: readonly TokenLogprob[]): GuessedWord[] {
  let next = 0;
  let tokenStart = 0;
  let partEnd = 0;
  const beginningIn = (part: string) => {
    partEnd += Buffer.byteLength(part);
    const from = next;
    while (next < tokens.length && tokenStart < partEnd) tokenStart += tokens[next++]!.bytes.length;
    return tokens.slice(from, next);
  };
  return words.map((word) => ({
    ...word,
    tokens: beginningIn(word.text),
    tokensAfter: beginningIn(word.after),
  }));
}
