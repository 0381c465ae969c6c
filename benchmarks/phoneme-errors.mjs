import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Sentences with misaki's phonemes, as scripts/phoneme-goldens.py writes them. */
export function readGoldens(path) {
  return gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Phonemes of a written English sentence, as one string in Kokoro's alphabet. */
export function pronounce(text, accent, { english, englishSegments, defaultNormalization }) {
  let phonemes = '';
  for (const segment of englishSegments(text, defaultNormalization)) {
    if (segment.type !== 'sentence') continue;
    const sentence = english.phonemes(segment.tokens, accent).join('');
    if (sentence) phonemes += (phonemes && ' ') + sentence;
  }
  return phonemes;
}

/** Edit distance in characters, stress marks, punctuation and spaces included. */
export function errors(said, meant) {
  let above = Array.from({ length: said.length + 1 }, (_, index) => index);
  for (let row = 0; row < meant.length; row++) {
    const current = [row + 1];
    for (let column = 0; column < said.length; column++) {
      const replaced = above[column] + (said[column] === meant[row] ? 0 : 1);
      current.push(Math.min(replaced, above[column + 1] + 1, current[column] + 1));
    }
    above = current;
  }
  return above[said.length];
}

/** Character error rate, by class of sentence and over all. */
export function errorRates(goldens, accent, modules) {
  const counts = new Map();
  for (const { class: name, text, ...reference } of goldens) {
    const meant = reference[accent].trim();
    const wrong = errors(pronounce(text, accent, modules), meant);
    for (const each of [name, 'all']) {
      const count = counts.get(each) ?? { wrong: 0, length: 0 };
      counts.set(each, { wrong: count.wrong + wrong, length: count.length + meant.length });
    }
  }
  return new Map([...counts].map(([name, { wrong, length }]) => [name, wrong / length]));
}

/** Phonemes of a written text, as one string in Kokoro's alphabet. */
export async function pronounceIn(language, text, defaultNormalization) {
  const sentences = [];
  for (const segment of language.segments(text, defaultNormalization)) {
    if (segment.type === 'sentence') sentences.push((await language.phonemes(segment.tokens)).join(''));
  }
  return sentences.filter(Boolean).join(' ');
}

/**
 * Character error rate of a language other than English. Characters outside Kokoro's alphabet (¿, ¡) and Hindi's full
 * stop, which misaki drops, count in neither text.
 */
export async function languageErrorRate(goldens, language, { defaultNormalization, unknownPhonemes }) {
  let wrong = 0;
  let length = 0;
  for (const { text, phonemes } of goldens) {
    const unknown = new Set(unknownPhonemes(phonemes));
    const meant = [...phonemes].filter((character) => !unknown.has(character)).join('');
    const said = await pronounceIn(language, text, defaultNormalization);
    wrong += errors(/[।॥]["”’)]*$/.test(text) ? said.replace(/\.(?=["”’)]*$)/, '') : said, meant);
    length += meant.length;
  }
  return wrong / length;
}
