/**
 * Trains the letter-to-sound model on the CMU Pronouncing Dictionary and writes
 * src/text/english/g2p/letter-to-sound.model.br. Run `npm run build`, then `node scripts/train-letter-to-sound.mjs`:
 * it takes two minutes and 2 GB. Words that `isHeldOut` names stay out, for the unit test to measure on.
 */
import { writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';

const built = new URL('../dist/text/english/g2p/', import.meta.url);
const { PronouncingDictionary } = await import(new URL('lexicon.js', built).href);
const { BACKOFF_STEP, BACKOFF_ZERO, isHeldOut, PROBABILITY_STEP } = await import(
  new URL('letter-to-sound.js', built).href
);

const ORDER = 5;
/** Keeps the model file below 225 kB. */
const NGRAMS = 136_000;
const MIN_GRAPHONE_COUNT = 3;
const EM_ROUNDS = 7;

/** Numbers of letters and phones in a graphone, with the initial probability of the alignment. */
const SHAPES = [
  { letters: 1, phones: 0, prior: 0.02 },
  { letters: 1, phones: 1, prior: 0.1 },
  { letters: 1, phones: 2, prior: 0.002 },
  { letters: 2, phones: 1, prior: 0.01 },
];

const words = await trainingWords();
const sequences = withoutRareGraphones(align(words));
const ids = graphoneIds(sequences);
const model = prune(estimate(sequences.map((sequence) => sequence.map((name) => ids.get(name)))));
await write(model, [...ids.keys()]);

async function trainingWords() {
  const unique = new Map();
  for (const { word, phones } of (await PronouncingDictionary.load()).entries()) {
    const base = word.replace(/\(\d+\)$/, '');
    const letters = base.replaceAll("'", '');
    if (/^[a-z]{2,}$/.test(letters) && !isHeldOut(base))
      unique.set(`${letters} ${phones}`, { letters, phones: phones.split(' ') });
  }
  return [...unique.values()];
}

function arcs({ letters, phones }, score) {
  const all = [];
  for (let i = 0; i < letters.length; i++) {
    for (let j = 0; j <= phones.length; j++) {
      for (const shape of SHAPES) {
        if (i + shape.letters > letters.length || j + shape.phones > phones.length) continue;
        const name = `${letters.slice(i, i + shape.letters)}|${phones.slice(j, j + shape.phones).join(' ')}`;
        const probability = score(name, shape);
        if (!probability) continue;
        const width = phones.length + 1;
        all.push({ from: i * width + j, to: (i + shape.letters) * width + j + shape.phones, name, probability });
      }
    }
  }
  return all;
}

/** Aligns letters with phones by expectation maximization and returns each word's best alignment. */
function align(words) {
  let probabilities = new Map();
  for (let round = 0; round < EM_ROUNDS; round++) {
    const score = round === 0 ? (_, { prior }) => prior : (name) => probabilities.get(name);
    const counts = new Map();
    for (const word of words) {
      const size = (word.letters.length + 1) * (word.phones.length + 1);
      const forward = new Float64Array(size);
      const backward = new Float64Array(size);
      forward[0] = 1;
      backward[size - 1] = 1;
      const steps = arcs(word, score);
      for (const { from, to, probability } of steps) forward[to] += forward[from] * probability;
      if (forward[size - 1] === 0) continue;
      for (const { from, to, name, probability } of steps.reverse()) {
        backward[from] += backward[to] * probability;
        const share = (forward[from] * probability * backward[to]) / forward[size - 1];
        if (share > 1e-6) counts.set(name, (counts.get(name) ?? 0) + share);
      }
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    probabilities = new Map(
      [...counts].filter(([, count]) => count > 0.1).map(([name, count]) => [name, count / total]),
    );
  }
  return words.map((word) => bestPath(word, probabilities)).filter((path) => path.length > 0);
}

function bestPath(word, probabilities) {
  const size = (word.letters.length + 1) * (word.phones.length + 1);
  const best = new Float64Array(size);
  const step = new Array(size);
  best[0] = 1;
  for (const arc of arcs(word, (name) => probabilities.get(name))) {
    if (best[arc.from] * arc.probability <= best[arc.to]) continue;
    best[arc.to] = best[arc.from] * arc.probability;
    step[arc.to] = arc;
  }
  const path = [];
  for (let at = size - 1; step[at]; at = step[at].from) path.unshift(step[at].name);
  return path;
}

function countGraphones(sequences) {
  const counts = new Map();
  for (const name of sequences.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function withoutRareGraphones(sequences) {
  const counts = countGraphones(sequences);
  return sequences.filter((sequence) => sequence.every((name) => counts.get(name) >= MIN_GRAPHONE_COUNT));
}

/** Ids by frequency, the most frequent first. */
function graphoneIds(sequences) {
  const sorted = [...countGraphones(sequences)].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return new Map(['<s>', '</s>', ...sorted].map((name, id) => [name, id]));
}

/**
 * Interpolated absolute discounting with three discounts (Chen and Goodman, 1998). An n-gram is a string with one
 * character per graphone; the arrays are indexed by its length.
 */
function estimate(sequences) {
  const counts = Array.from({ length: ORDER + 1 }, () => new Map());
  for (const sequence of sequences) {
    const text = String.fromCharCode(0, ...sequence, 1);
    for (let end = 2; end <= text.length; end++) {
      for (let length = 1; length <= Math.min(ORDER, end); length++) {
        const ngram = text.slice(end - length, end);
        counts[length].set(ngram, (counts[length].get(ngram) ?? 0) + 1);
      }
    }
  }
  const probabilities = counts.map(() => new Map());
  const backoffs = counts.map(() => new Map());
  for (let length = 1; length <= ORDER; length++) {
    const [n1, n2, n3, n4] = [1, 2, 3, 4].map(
      (n) => [...counts[length].values()].filter((count) => count === n).length,
    );
    const y = n1 / (n1 + 2 * n2);
    const discounts = [0, 1 - (2 * y * n2) / n1, 2 - (3 * y * n3) / n2, 3 - (4 * y * n4) / n3];
    const discount = (count) => discounts[Math.min(count, 3)];
    const totals = new Map();
    const reserved = new Map();
    for (const [ngram, count] of counts[length]) {
      const context = ngram.slice(0, -1);
      totals.set(context, (totals.get(context) ?? 0) + count);
      reserved.set(context, (reserved.get(context) ?? 0) + discount(count));
    }
    for (const [ngram, count] of counts[length]) {
      const context = ngram.slice(0, -1);
      const lower = length === 1 ? 1 / counts[1].size : probabilities[length - 1].get(ngram.slice(1));
      const rest = (reserved.get(context) / totals.get(context)) * lower;
      probabilities[length].set(ngram, (count - discount(count)) / totals.get(context) + rest);
    }
    for (const [context, total] of totals) backoffs[length - 1].set(context, reserved.get(context) / total);
  }
  return { counts, probabilities, backoffs };
}

function probability({ probabilities, backoffs }, ngram) {
  let weight = 1;
  for (let rest = ngram; ; rest = rest.slice(1)) {
    const value = probabilities[rest.length].get(rest);
    if (value !== undefined) return weight * value;
    if (rest.length === 1) return weight * 1e-7;
    weight *= backoffs[rest.length - 1].get(rest.slice(0, -1)) ?? 1;
  }
}

/** Weighted-difference pruning (Seymore and Rosenfeld, 1996). */
function prune(model) {
  const { probabilities } = model;
  const kept = mostUseful(model);
  for (let length = 2; length <= ORDER; length++) {
    for (const ngram of probabilities[length].keys()) if (!kept.has(ngram)) probabilities[length].delete(ngram);
  }
  for (let length = 1; length < ORDER; length++) model.backoffs[length] = backoffWeights(model, length);
  return model;
}

/** The n-grams to keep, with their prefixes: those whose absence would cost the most. */
function mostUseful(model) {
  const { counts, probabilities, backoffs } = model;
  const scored = [];
  for (let length = 2; length <= ORDER; length++) {
    for (const [ngram, value] of probabilities[length]) {
      const lower = (backoffs[length - 1].get(ngram.slice(0, -1)) ?? 1) * probability(model, ngram.slice(1));
      scored.push({ ngram, score: counts[length].get(ngram) * Math.abs(Math.log(value / lower)) });
    }
  }
  scored.sort((a, b) => b.score - a.score);
  const kept = new Set();
  for (const { ngram } of scored) {
    if (kept.size >= NGRAMS) break;
    for (let prefix = ngram; prefix.length > 1; prefix = prefix.slice(0, -1)) kept.add(prefix);
  }
  return kept;
}

/** The weights of contexts of a length, by what their n-grams leave of the probability. */
function backoffWeights(model, length) {
  const given = new Map();
  const lower = new Map();
  for (const [ngram, value] of model.probabilities[length + 1]) {
    const context = ngram.slice(0, -1);
    given.set(context, (given.get(context) ?? 0) + value);
    lower.set(context, (lower.get(context) ?? 0) + probability(model, ngram.slice(1)));
  }
  return new Map(
    [...given].map(([context, sum]) => [context, Math.max(1e-4, 1 - sum) / Math.max(1e-4, 1 - lower.get(context))]),
  );
}

/** Writes the format that LetterToSound reads: names, then the tree breadth first, one array after another. */
async function write({ probabilities, backoffs }, names) {
  const children = new Map();
  // The start mark is not an n-gram itself but the context of some.
  probabilities[1].set(String.fromCharCode(0), 1);
  for (const ngrams of probabilities) {
    for (const [ngram, value] of ngrams) {
      const context = ngram.slice(0, -1);
      const siblings = children.get(context) ?? [];
      siblings.push({ ngram, id: ngram.charCodeAt(ngram.length - 1), value });
      children.set(context, siblings);
    }
  }
  const nodes = [{ ngram: '' }];
  const childCounts = [];
  const steps = [];
  for (const { ngram } of nodes) {
    const siblings = (children.get(ngram) ?? []).sort((a, b) => a.id - b.id);
    childCounts.push(siblings.length);
    let last = -1;
    for (const sibling of siblings) {
      steps.push(sibling.id - last - 1);
      last = sibling.id;
    }
    nodes.push(...siblings);
  }
  const quantize = (value) => Math.min(255, Math.max(0, Math.round(value)));
  const rest = nodes.slice(1);
  const bytes = [...Buffer.from(`${names.join(',')}\n`, 'latin1')];
  const number = (value) => {
    let left = value;
    for (; left > 127; left >>= 7) bytes.push((left & 127) | 128);
    bytes.push(left);
  };
  number(rest.length);
  childCounts.forEach(number);
  steps.forEach(number);
  for (const { value } of rest) bytes.push(quantize(-Math.log(value) / PROBABILITY_STEP));
  for (const { ngram } of rest) {
    if (!children.has(ngram)) continue;
    bytes.push(quantize(BACKOFF_ZERO - Math.log(backoffs[ngram.length].get(ngram)) / BACKOFF_STEP));
  }
  const packed = brotliCompressSync(Buffer.from(bytes), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  await writeFile(new URL('../src/text/english/g2p/letter-to-sound.model.br', import.meta.url), packed);
  console.log(`${names.length} graphones, ${rest.length} n-grams, ${packed.length} bytes`);
}
