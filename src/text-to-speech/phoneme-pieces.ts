import type { SpokenToken, TextPiece } from '../synthesis.ts';

const PUNCTUATION = new Set(';:,.!?—…"()“”');
const SENTENCE_ENDS = new Set('.!?…');
/** Longest run of words without the end of a sentence that is spoken in one breath. */
const LONGEST_SENTENCE = 60;

/** Phonemes as sentences: words are separated by blanks, and the punctuation around them shapes the sentence. */
export function* phonemePieces(phonemes: string): Generator<TextPiece> {
  let tokens: SpokenToken[] = [];
  for (const [written] of phonemes.matchAll(/\S+/g)) {
    let start = 0;
    let end = written.length;
    while (start < end && PUNCTUATION.has(written[start]!)) start++;
    while (end > start && PUNCTUATION.has(written[end - 1]!)) end--;
    const ipa = written.slice(start, end);
    const punctuation = ipa === '' ? written : written.slice(end);
    if (ipa !== '') tokens.push({ written: ipa, spoken: '', ipa });
    if (punctuation !== '') tokens.push({ written: punctuation, spoken: punctuation });
    if (SENTENCE_ENDS.has(written.at(-1)!) || tokens.length >= LONGEST_SENTENCE) {
      yield { type: 'sentence', tokens };
      tokens = [];
    }
  }
  if (tokens.length > 0) yield { type: 'sentence', tokens };
}
