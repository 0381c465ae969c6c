import { seeded } from './random.mjs';

const SAMPLES = 4000;

/**
 * By how much the word error rates of two systems differ on the same text, and how much of that may be chance: a bootstrap
 * over stretches of text (Bisani, Ney 2004, "Bootstrap estimates for confidence intervals in ASR performance evaluation").
 * @param one errors and words of each stretch, as `stretches` of alignment.mjs counts them
 * @param other those of the other system, in the same order
 * @returns points by which `one` is worse, and the bounds between which 95 % of the samples lie
 */
export function difference(one, other) {
  if (one.length !== other.length)
    throw new Error(`${one.length} stretches and ${other.length} are not of the same text.`);
  const random = seeded(1);
  const points = (indices) => {
    let [more, words] = [0, 0];
    for (const index of indices) {
      more += one[index].errors - other[index].errors;
      words += one[index].words;
    }
    return (100 * more) / words;
  };
  const draw = () => Math.floor(random() * one.length);
  const samples = Array.from({ length: SAMPLES }, () => points(Array.from(one, draw))).sort((a, b) => a - b);
  return { points: points(one.keys()), from: samples[SAMPLES * 0.025], to: samples[SAMPLES * 0.975 - 1] };
}
