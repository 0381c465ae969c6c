import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { difference } from './difference.mjs';
import { COMMITS } from './repositories.mjs';
import { errorRate, sumOf } from './score.mjs';
import { setsOf } from './sets.mjs';

const folder = new URL('../results/accuracy/', import.meta.url);

/** Left to right in the tables. */
const ORDER = [
  'Hearsay, int8, greedy',
  'faster-whisper, greedy',
  'Hearsay, int8, beam 5',
  'faster-whisper, beam 5',
  'faster-whisper, beam 5, vad_filter',
  'whisper.cpp, greedy',
  'whisper.cpp, beam 5',
  'Hearsay, float32, greedy',
  'Hearsay, float32, beam 5',
];

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function errors(set) {
  if (!set) return '–';
  return `${errorRate(set).toFixed(1)} (${set.deletions})`;
}

/** Systems that are compared: defaults with defaults, the same beams, and both types of numbers. */
const PAIRS = [
  ['Hearsay, int8, automatic beams', 'faster-whisper, beam 5'],
  ['Hearsay, int8, greedy', 'faster-whisper, greedy'],
  ['Hearsay, int8, beam 5', 'faster-whisper, beam 5'],
  ['Hearsay, int8, greedy', 'whisper.cpp, greedy'],
  ['Hearsay, int8, greedy', 'Hearsay, float32, greedy'],
];

/** Difference of two systems over sets; none if one of them lacks one. */
function differs(pair, names) {
  if (pair.some(({ sets }) => names.some((name) => sets[name]?.stretches === undefined))) return '–';
  const [one, other] = pair.map(({ sets }) => names.flatMap((name) => stretchesOf(sets[name])));
  const { points, from, to } = difference(one, other);
  const [shown, low, high] = [points, from, to].map((each) => each.toFixed(1));
  return `${from > 0 || to < 0 ? `**${shown}**` : shown} (${low} to ${high})`;
}

const stretchesOf = ({ stretches }) =>
  stretches.split(' ').map((stretch) => {
    const [errors, words] = stretch.split('/').map(Number);
    return { errors, words };
  });

/** Errors over several sets, in all or in one language; none of a system that lacks one of them. */
function overall({ sets }, names, language) {
  if (names.some((name) => sets[name] === undefined)) return '–';
  const counts = names.map((name) => (language ? sets[name].byLanguage[language] : sets[name]));
  return errors(sumOf(counts.filter(Boolean)));
}

function runs(system, kind) {
  return Object.entries(system.sets)
    .flatMap(([set, each]) => each[kind].map((run) => ({ set, ...run })))
    .sort((a, b) => b.words - a.words)
    .slice(0, 10)
    .map(({ set, file, start, end, words, text }) => [`${set}, ${file}`, `${start} to ${end} s`, words, text]);
}

/** When and on what CPU most sets were measured, and a line for each other day or CPU. */
function measured(systems) {
  const groups = new Map();
  const add = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value]);
  for (const { name, sets } of systems) {
    for (const [set, { date, machine }] of Object.entries(sets)) add(groups, `${date}, ${machine}`, { name, set });
  }
  const [[most], ...others] = [...groups].sort(([, a], [, b]) => b.length - a.length);
  const lines = others.map(([key, entries]) => {
    const bySystems = new Map();
    for (const { name: set } of setsOf(true)) {
      if (!entries.some((entry) => entry.set === set)) continue;
      const names = entries.filter((entry) => entry.set === set).map(({ name }) => name);
      add(bySystems, names.length === systems.length ? 'all systems' : names.join('; '), set);
    }
    return `- ${key}: ${[...bySystems].map(([names, sets]) => `${sets.join(', ')} (${names})`).join('; ')}`;
  });
  return { most, others: lines };
}

function page(systems) {
  const known = new Map(systems.flatMap(({ sets }) => Object.entries(sets)));
  const sets = setsOf(true).filter(({ name }) => known.has(name));
  const of = (measure) => sets.filter(({ name }) => known.get(name).measure === measure).map(({ name }) => name);
  const common = of('errors');
  const [first] = systems;
  const languages = [...new Set(common.flatMap((name) => Object.keys(first.sets[name].byLanguage)))].sort();
  const names = systems.map(({ name }) => name);
  const pairs = PAIRS.map((pair) => pair.map((name) => systems.find((system) => system.name === name))).filter(
    (pair) => !pair.includes(undefined),
  );
  const versions = new Set(systems.flatMap(({ version }) => version ?? []));
  const { most, others } = measured(systems);
  const spoke = ({ spoke: files, insertions }) => `${files.length} (${insertions})`;
  return `# Accuracy

Word error rates of \`hear\` with the official Whisper base checkpoint, and of faster-whisper and whisper.cpp with the same
weights. \`npm run benchmark accuracy -- <weights>\` generates this page; see
[benchmarks/accuracy/README.md](../benchmarks/accuracy/README.md).

Measured ${[most, `Node ${first.node}`, ...versions].join(', ')}.${
    others.length > 0 ? `\nResults from other days or CPUs, with the build of that day:\n\n${others.join('\n')}` : ''
  }

The sets are small: in a set of 100 words, one word is one percent. Speech by Kokoro is easier to recognize than speech by
people. The sets show faults and differences between systems, not what Whisper can do in general.

## Word error rate

Deletions, insertions and substitutions as a percentage of the words spoken, with the number of deletions in parentheses.
No system is told the language. For Japanese and Chinese, characters are counted instead of words. A dash means: not run.

${table(
  ['set', ...names],
  [
    ...of('errors').map((name) => [name, ...systems.map((system) => errors(system.sets[name]))]),
    ['**all**', ...systems.map((system) => overall(system, common))],
  ],
)}

By language, over the same sets:

${table(
  ['language', ...names],
  languages.map((language) => [language, ...systems.map((system) => overall(system, common, language))]),
)}

Whisper base writes Hindi in the script of Urdu, so nearly all of its words count as wrong.

## Differences and their confidence

Difference between the first and the second system in percentage points of word error rate (negative: the first is better),
with its 95 % confidence interval: a bootstrap of 4000 samples over stretches of 20 words, the same ones for both systems.
Differences whose interval excludes zero are bold.

${table(
  ['set', ...pairs.map(([one, other]) => `${one.name} / ${other.name}`)],
  [
    ...of('errors').map((name) => [name, ...pairs.map((pair) => differs(pair, [name]))]),
    ['**all**', ...pairs.map((pair) => differs(pair, of('errors')))],
  ],
)}

## Translation into English

chrF2, from 0 to 100. Higher is better.

${table(
  ['set', ...names],
  of('chrf').map((name) => [name, ...systems.map(({ sets: scored }) => scored[name]?.chrf.toFixed(1) ?? '–')]),
)}

## Sounds without speech

Number of files, out of ${known.get('sounds')?.files ?? 0}, for which the system wrote words, with the total number of words in parentheses.

${table(
  ['set', ...names],
  of('silence').map((name) => [name, ...systems.map(({ sets: scored }) => (scored[name] ? spoke(scored[name]) : '–'))]),
)}

## Longest losses and inventions

The longest runs of words that ${first.name} left out, from the reference text:

${table(['where', 'time', 'words', 'text'], runs(first, 'lost'))}

The longest runs of words that it invented:

${table(['where', 'time', 'words', 'text'], runs(first, 'added'))}

## The sets

${table(
  ['set', 'what', 'files', 'minutes', 'words'],
  sets.map(({ name, what }) => {
    const { files, minutes, words } = known.get(name);
    return [name, what, files, minutes.toFixed(1), words];
  }),
)}

Recordings come from the directory next to the repository, and from clones of these public repositories, which contain them
with their transcripts. None of them is copied here:

${Object.entries(COMMITS)
  .map(([repository, commit]) => `- \`${repository}\` at \`${commit.slice(0, 10)}\``)
  .join('\n')}

Everything else is spoken by \`say\` with Kokoro's official weights from texts in \`benchmarks/accuracy/texts\` and
\`benchmarks/sentences.txt\`, with noise from a seeded generator, so every run makes the same audio.

## How errors are counted

English is normalized as in OpenAI's evaluation of Whisper: lower case, no punctuation, hesitations or diacritics,
contractions in full, numbers as digits, American spelling. Other languages: lower case, letters and digits only;
traditional and simplified Chinese count as the same. Both sides pass through the same steps, then the shortest edit between
them is counted. Times in the lists are those of the segments around a run.

When its first attempt fails, faster-whisper samples without a fixed seed, so its answers to hard files vary between runs: with
greedy decoding, its error rate on \`rooms\` was 1.5 % in one run and 29.1 % in another.
`;
}

/** Writes docs/accuracy.md from benchmarks/results/accuracy. */
export function reportAccuracy() {
  if (!existsSync(folder)) return;
  const systems = readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
    .sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
  if (systems.length > 0) writeFileSync(new URL('../../docs/accuracy.md', import.meta.url), page(systems));
}
