import { kanaPhonemes } from '../cjk/kana.ts';

/** The phonemes of a Japanese token's `spoken`: kana, or phonemes between slashes. */
export function spokenPhonemes(spoken: string): string {
  if (spoken.startsWith('/')) return spoken.slice(1, -1);
  return spoken.split(' ').map(kanaPhonemes).filter(Boolean).join(' ');
}

/** Whether a geminate ends the first word or begins the second. It is a stop within a word: no space next to it. */
export function joinsGeminate(before: string, after: string): boolean {
  return before.endsWith('ʔ') || (after.startsWith('ʔ') && !/[!",.:;?—…”]$/.test(before));
}
