/**
 * How far is Whisper in int8 from float32, next to faster-whisper? For recordings of at most 30 s: how many have the same
 * greedy text in both, and how far apart the log probabilities of its tokens are. These differences tell more than error
 * rates, which chance decides for sets of this size.
 *
 * `npm run benchmark whisper-int8 -- WEIGHTS [set...]`: a directory with the checkpoint `whisper-base` and, for PYTHON with
 * faster-whisper, `ct2-base`; and sets that `npm run benchmark accuracy -- WEIGHTS` has made, in the folder ACCURACY.
 */
import { openAsBlob, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LinePeer } from './line-peer.mjs';
import { round, save } from './measure.mjs';
import { postForm, startService } from './service.mjs';

const MAX_SECONDS = 30;
const [weights, ...chosen] = process.argv.slice(2);
if (!weights) throw new Error('Name the directory of the weights.');
const sets = chosen.length > 0 ? chosen : ['fleurs', 'clips', 'short'];
const { ACCURACY = join(tmpdir(), 'hearsay-accuracy'), PYTHON } = process.env;
const recordings = sets
  .flatMap((set) => JSON.parse(readFileSync(join(ACCURACY, `${set}.json`), 'utf8')).files)
  .filter(({ seconds }) => seconds <= MAX_SECONDS);

/** By recording: the tokens of its text and their log probabilities. */
async function ours(computeType) {
  const env = { MODEL_SIZE: join(weights, 'whisper-base'), COMPUTE_TYPE: computeType, BEAM_SIZE: '1' };
  const service = await startService('hear', { env });
  const answers = [];
  for (const { path, language } of recordings) {
    const form = new FormData();
    form.set('file', await openAsBlob(path), 'speech.wav');
    for (const [name, value] of Object.entries({ language, temperature: '0', 'include[]': 'logprobs' }))
      form.set(name, value);
    const { logprobs } = await postForm(`${service.base}/v1/audio/transcriptions`, form);
    answers.push({ tokens: logprobs.map(({ token }) => token), logprobs: logprobs.map(({ logprob }) => logprob) });
  }
  await service.stop();
  return answers;
}

/** As `ours`, in both types at once; int8 gives the log probabilities of the text of float32. */
async function theirs() {
  const peer = await LinePeer.start(PYTHON, '../scripts/whisper-int8.py', join(weights, 'ct2-base'));
  if (!peer) return undefined;
  const answers = [];
  for (const { path, language } of recordings) answers.push(await peer.ask({ path, language }));
  await peer.end();
  return { float32: answers.map(({ float32 }) => float32), int8: answers.map(({ int8 }) => int8) };
}

const isSame = (answers, index) => answers.float32[index].tokens.join('\n') === answers.int8[index].tokens.join('\n');

const systems = { Hearsay: { float32: await ours('float32'), int8: await ours('int8') } };
const peer = PYTHON && (await theirs());
if (peer) systems['faster-whisper'] = peer;
// Of the same recordings for all, since text that is less sure differs more.
const compared = recordings.map((_, index) => index).filter((index) => isSame(systems.Hearsay, index));

const rows = [];
for (const [name, answers] of Object.entries(systems)) {
  const same = recordings.filter((_, index) => isSame(answers, index)).length;
  const differences = compared.flatMap((index) =>
    answers.float32[index].logprobs.map((logprob, token) => logprob - answers.int8[index].logprobs[token]),
  );
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  rows.push([`${name}: recordings with the same text in int8 and float32`, `${same} of ${recordings.length}`]);
  rows.push([
    `${name}: log probabilities of ${differences.length} tokens, int8 against float32`,
    `${round(mean(differences.map(Math.abs)))} apart (mean), ${round(Math.sqrt(mean(differences.map((value) => value ** 2))))} (root mean square)`,
  ]);
}
save(import.meta.url, rows);
