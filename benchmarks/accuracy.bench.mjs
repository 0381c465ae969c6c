/**
 * How many words `hear` gets wrong, and how many it loses, on official Whisper base weights, against faster-whisper and
 * whisper.cpp on the same: `npm run benchmark accuracy -- <weights> [set...]`. benchmarks/accuracy/README.md says what the folder holds,
 * what the sets are, and how to score another build or a running service.
 */
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Answers } from './accuracy/answers.mjs';
import { printTable, printWorst } from './accuracy/print.mjs';
import { saveSystem } from './accuracy/results.mjs';
import { score } from './accuracy/score.mjs';
import { prepare, setsOf } from './accuracy/sets.mjs';
import { ours, peersIn, runningHear } from './accuracy/systems.mjs';

const DEFAULT_PEERS = [
  'faster-whisper, greedy',
  'faster-whisper, beam 5',
  'whisper.cpp, greedy',
  'whisper.cpp, beam 5',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Where audio and answers are kept. */
    folder: { type: 'string', default: join(tmpdir(), 'hearsay-accuracy') },
    /** Clones of the public repositories that hold recordings, at <owner>/<name>. */
    clones: { type: 'string' },
    /** Another build's dist/hear/main.js, or a running service; both with a name to keep its answers under. */
    main: { type: 'string' },
    url: { type: 'string' },
    name: { type: 'string' },
    'compute-type': { type: 'string', multiple: true, default: ['int8', 'float32'] },
    beam: { type: 'string', multiple: true, default: ['auto', '1', '5'] },
    /** Threads of Hearsay and of the peers. */
    threads: { type: 'string', default: String(availableParallelism()) },
    /** Concurrent requests to Hearsay. */
    parallel: { type: 'string', default: '2' },
    /** Peers to ask, by name; kept answers are shown anyway. */
    peer: { type: 'string', multiple: true, default: DEFAULT_PEERS },
    /** Skips Hearsay. */
    'only-peers': { type: 'boolean', default: false },
    /** The long form. */
    full: { type: 'boolean', default: false },
    /** Keeps the answers of an earlier run of the same build. */
    resume: { type: 'boolean', default: false },
    /** Sends no requests, and scores the answers that are kept. */
    rescore: { type: 'boolean', default: false },
  },
});

const [weights, ...chosen] = positionals;
if (!weights) throw new Error('Give the folder of weights: npm run benchmark accuracy -- <weights>.');
if ((values.main || values.url) && !values.name) throw new Error('Give the other build a --name.');

const folder = resolve(values.folder);
const names = chosen.length > 0 ? chosen : setsOf(values.full).map(({ name }) => name);
const sets = await prepare({
  folder,
  names,
  kokoro: join(weights, 'kokoro'),
  modelsDir: join(folder, 'models'),
  clones: values.clones,
});

const beamName = (beam) => (beam === '1' ? 'greedy' : beam === 'auto' ? 'automatic beams' : `beam ${beam}`);

function candidates() {
  if (values['only-peers']) return [];
  if (values.url) return [runningHear(values.name, values.url, Number(values.parallel))];
  return values['compute-type'].flatMap((computeType) =>
    values.beam.map((beam) =>
      ours({
        name: [values.name ?? 'Hearsay', computeType, beamName(beam)].join(', '),
        model: join(weights, 'whisper-base'),
        modelsDir: join(folder, 'models'),
        computeType,
        beam,
        threads: values.threads,
        parallel: Number(values.parallel),
        main: values.main,
      }),
    ),
  );
}

const isAsked = ({ name }) => values.peer.includes(name);

/** Answers and scores by set; repeats requests whose answers may differ with a changed build. */
async function scoresOf(system, isFresh) {
  const answers = new Answers(folder, system.name);
  if (isFresh && !values.rescore && !values.resume) for (const set of sets) answers.forget(set);
  if (!values.rescore && (isFresh || isAsked(system))) await answers.complete(sets, system);
  return new Map(sets.map((set) => [set.name, score(set, answers.of(set))]));
}

const results = new Map();
const peers = peersIn(weights, Number(values.threads));
for (const system of peers) results.set(system.name, await scoresOf(system, false));
for (const system of candidates()) results.set(system.name, await scoresOf(system, true));

printTable(sets, results);
for (const { name } of candidates()) printWorst(name, results.get(name));
// Another build's answers are not a result of this build.
if (!values.name && !values['only-peers']) {
  for (const system of [...peers, ...candidates()]) saveSystem(system, sets, results.get(system.name));
}
