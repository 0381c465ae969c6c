/**
 * Cost of hostile texts: shapes repeated to 50 and to 100 KB through the text front end of each language, with every
 * normalization, with none, and without each one. If twice the text takes more than 2.6 times as long, it is measured
 * again with longer texts. Without one normalization, only the shapes that it changes are measured: for the others, the
 * rest of the work is the same.
 *
 * `npm run benchmark text-growth` takes hours; `a e` selects languages, `LENGTH=6250` shortens, `SETS=all,none` selects.
 */
import { Languages, supportedLanguages } from '../dist/text/languages.js';
import { defaultNormalization } from '../dist/text/normalization.js';
import { round, save } from './measure.mjs';
import { shapes } from './text-shapes.mjs';

const LENGTH = Number(process.env.LENGTH ?? 50_000);
/** A time of CPU, in milliseconds, below which growth is noise. */
const MIN_MS = 20;
/** A time that garbage collection and other programs do not change by much. */
const SURE_MS = 200;
const MAX_GROWTH = 2.6;
/** Length at which a shape tells whether a normalization changes it. */
const SAMPLE_LENGTH = 4000;

const toggles = Object.keys(defaultNormalization);
const every = (value) => Object.fromEntries(toggles.map((name) => [name, value]));
const sets = new Map([
  ['all', every(true)],
  ['none', every(false)],
  ...toggles.map((name) => [`without ${name}`, { ...every(true), [name]: false }]),
]);
const chosenSets = process.env.SETS?.split(',') ?? [...sets.keys()];
const letters = process.argv.length > 2 ? process.argv.slice(2) : supportedLanguages;

const repeat = (shape, length) => shape.repeat(Math.ceil(length / shape.length)).slice(0, length);

/** Milliseconds of CPU: the best of some runs, since other programs and the garbage collector disturb one. */
function cost(language, text, options, runs) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    for (const _ of language.segments(text, options, undefined));
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

function growth(language, shape, options) {
  const costAt = (length, runs) => cost(language, repeat(shape, length), options, runs);
  const long = costAt(2 * LENGTH, 1);
  if (long < MIN_MS) return { long, times: 0 };
  const times = long / costAt(LENGTH, 1);
  if (times <= MAX_GROWTH) return { long, times };
  let length = 2 * LENGTH;
  while (length < 64 * LENGTH && costAt(length, 1) < SURE_MS) length *= 2;
  return { long, times: costAt(2 * length, 3) / costAt(length, 3) };
}

/** Whether the options give another result than all normalizations do. */
function isChanged(language, shape, options) {
  const text = repeat(shape, SAMPLE_LENGTH);
  const result = (each) => JSON.stringify([...language.segments(text, each, undefined)]);
  return result(options) !== result(sets.get('all'));
}

const rows = [];
const languages = new Languages();
for (const letter of letters) {
  const language = await languages.load(letter);
  let texts = 0;
  let slowest = { long: 0 };
  let steepest = { times: 0 };
  for (const set of chosenSets) {
    for (const shape of shapes) {
      if (set.startsWith('without') && !isChanged(language, shape, sets.get(set))) continue;
      const found = { ...growth(language, shape, sets.get(set)), shape, set };
      texts += 1;
      if (found.long > slowest.long) slowest = found;
      if (found.times > steepest.times) steepest = found;
    }
  }
  const named = ({ shape, set }) => `${JSON.stringify(shape)}, ${set}`;
  rows.push([
    `language ${letter}: ${texts} texts of ${(2 * LENGTH) / 1000} kB`,
    `at most ${round(slowest.long / 1000)} s (${named(slowest)}); twice the text takes at most ${round(steepest.times)} times as long (${named(steepest)})`,
  ]);
  console.log(rows.at(-1).join(': '));
}
save(import.meta.url, rows);
