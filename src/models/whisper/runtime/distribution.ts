/** A token and the natural logarithm of its probability. */
export interface Choice {
  token: number;
  logprob: number;
}

/** Of a vocabulary of 50,000, what is so much below the largest logit adds a ten-thousandth to the sum at most. */
const NEGLIGIBLE = 20;
const STEPS = 64;
const exponentials = Float64Array.from({ length: NEGLIGIBLE * STEPS + 2 }, (_, step) => Math.exp(-step / STEPS));

/**
 * `exp(-x)` for x from 0 on, to 1e-7 of it; 0 where it is negligible. `Math.exp` over a vocabulary takes longer than a
 * small model's whole step.
 */
function decay(x: number): number {
  if (!(x < NEGLIGIBLE)) return 0;
  const step = (x * STEPS + 0.5) | 0;
  const rest = x - step / STEPS;
  return exponentials[step]! * (1 - rest + 0.5 * rest * rest);
}

/** `log Σ exp(logits[i])`; minus infinity where nothing is possible. */
export function logSumExp(logits: Float32Array): number {
  const largest = maximum(logits);
  if (largest === Number.NEGATIVE_INFINITY) return largest;
  let sum = 0;
  for (let index = 0; index < logits.length; index++) sum += decay(largest - logits[index]!);
  return largest + Math.log(sum);
}

/** The largest of `logits`; minus infinity where there is none. */
export function maximum(logits: Float32Array): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < logits.length; index++) if (logits[index]! > largest) largest = logits[index]!;
  return largest;
}

/** The most probable tokens, at most `count`, best first; impossible ones are left out. */
export function topChoices(logits: Float32Array, count: number): Choice[] {
  const best: number[] = [];
  for (let token = 0; token < logits.length; token++) {
    const logit = logits[token]!;
    if (logit === Number.NEGATIVE_INFINITY) continue;
    if (best.length === count && logit <= logits[best[count - 1]!]!) continue;
    let place = best.length;
    while (place > 0 && logits[best[place - 1]!]! < logit) place--;
    best.splice(place, 0, token);
    if (best.length > count) best.pop();
  }
  const total = logSumExp(logits);
  return best.map((token) => ({ token, logprob: logits[token]! - total }));
}

/**
 * Draws a token from the softmax of `logits / temperature`. The log probability is that at temperature 1, as the
 * reference counts it, so that all temperatures are measured by one threshold.
 * @param random uniform in 0 … 1, exclusive
 */
export function draw(logits: Float32Array, temperature: number, random: () => number): Choice {
  let token = argmax(logits);
  const largest = logits[token]!;
  let sum = 0;
  let total = 0;
  for (let index = 0; index < logits.length; index++) {
    const below = largest - logits[index]!;
    sum += decay(below);
    total += decay(below / temperature);
  }
  let left = random() * total;
  for (let index = 0; index < logits.length; index++) {
    left -= decay((largest - logits[index]!) / temperature);
    if (left < 0) {
      token = index;
      break;
    }
  }
  return { token, logprob: logits[token]! - largest - Math.log(sum) };
}

/** Where the largest is, the first one of several. */
export function argmax(logits: Float32Array): number {
  let best = 0;
  for (let index = 1; index < logits.length; index++) if (logits[index]! > logits[best]!) best = index;
  return best;
}
