import { MAX_KEYWORD_CHARACTERS, MAX_KEYWORDS } from '../contracts/transcription.ts';

/** The keywords among phrases that users have typed into other programs: what is too long or too much is left out. */
export function usableKeywords(phrases: readonly string[]): string[] {
  return phrases
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '' && phrase.length <= MAX_KEYWORD_CHARACTERS)
    .slice(0, MAX_KEYWORDS);
}
