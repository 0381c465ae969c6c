import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  descendants,
  describeHoldings,
  expectAsBefore,
  expectEnded,
  faults,
  type Holdings,
  hearTarget,
  Random,
  report,
  sayTarget,
  Tally,
  type Target,
} from './fixtures/faults.ts';
import { everyMedium, hostileForm, hostileUpload } from './fixtures/mutated-uploads.ts';
import { endAll, type Hear, type Say, startHear, startSay } from './fixtures/service.ts';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

const { seed, first, rounds } = faults;
const requestsPerRound = 30;
/** Milliseconds within which the requests of a round begin. */
const spread = 2000;
/** No client waits longer for its answer, whatever happens. */
const answerLimit = 120_000;
const patience = 120_000 + 200_000 * rounds;

let folder: string;
let media: Awaited<ReturnType<typeof everyMedium>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fault-rounds-'));
  media = await everyMedium(folder);
});
afterEach(endAll);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** One request of a round: sends it, checks its answer, and returns a name for the outcome. */
type Client = (random: Random, signal: AbortSignal) => Promise<string>;

const codesThatPass = ['model_warming', 'model_unavailable', 'queue_full', 'queue_timeout'];

/** Checks a refusal: an engine may die twice on a request, and a 503 that may pass says when to try again. */
async function refusalOf(response: Response): Promise<string> {
  const text = await response.text();
  const { error, detail } = JSON.parse(text);
  expect(error, text).toMatchObject({ code: response.status, type: expect.any(String) });
  if (response.status === 503) {
    expect(codesThatPass, text).toContain(detail.error);
    expect(response.headers.get('retry-after'), text).toBe('10');
    return detail.error;
  }
  // A decoder may be struck twice, too.
  if (response.status === 400 && /could not be decoded/.test(error.message)) return 'could not be decoded';
  expect([response.status, detail.error], text).toEqual([500, 'engine_failed']);
  return detail.error;
}

/** Reads a body; undefined in the place of its end if it is broken. */
async function chunksOf(response: Response): Promise<(Uint8Array | undefined)[]> {
  const chunks: (Uint8Array | undefined)[] = [];
  try {
    for await (const chunk of response.body!) chunks.push(chunk);
  } catch {
    chunks.push(undefined);
  }
  return chunks;
}

/** Client that leaves after a while. */
async function leaver(random: Random, signal: AbortSignal, send: (signal: AbortSignal) => Promise<Response>) {
  const leaving = AbortSignal.timeout(1 + random.below(1500));
  const answer = await send(AbortSignal.any([leaving, signal]))
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
  signal.throwIfAborted();
  return answer ? 'answered before it hung up' : 'hung up';
}

async function hearClients(hear: Hear): Promise<Client[]> {
  const names = Object.keys(recordings);
  // What each recording gives while it is alone.
  const texts = new Map<string, string>();
  for (const name of names) {
    const answer = await hear.post({ file: recordingFile(name) });
    texts.set(name, ((await answer.json()) as { text: string }).text);
  }
  const textOf = (name: string) => texts.get(name)!;
  const transcribe: Client = async (random, signal) => {
    const name = random.of(names);
    const response_format = random.of(['json', 'verbose_json']);
    const answer = await hear.post({ file: recordingFile(name), fields: { response_format }, signal });
    if (answer.status !== 200) return refusalOf(answer);
    const { text } = (await answer.json()) as { text: string };
    expect(text).toBe(textOf(name));
    return 'transcribed';
  };
  const stream: Client = async (random, signal) => {
    const name = random.of(names);
    const answer = await hear.post({ file: recordingFile(name), fields: { stream: 'true' }, signal });
    if (answer.status !== 200) return refusalOf(answer);
    const chunks = await chunksOf(answer);
    signal.throwIfAborted();
    const text = Buffer.concat(chunks.filter((chunk) => chunk !== undefined)).toString();
    const events = [...text.matchAll(/^data: (\{"type".*\})$/gm)].map(([, json]) => JSON.parse(json!));
    const deltas = events.flatMap(({ type, delta }) => (type === 'transcript.text.delta' ? [delta] : [])).join('');
    const done = events.find(({ type }) => type === 'transcript.text.done');
    if (chunks.includes(undefined)) {
      expect(done, text).toBeUndefined();
      expect(text).toMatch(/event: error\n/);
      expect(textOf(name).startsWith(deltas.trim()), text).toBe(true);
      return 'broken stream';
    }
    expect(done?.text, text).toBe(textOf(name));
    return 'streamed';
  };
  const attack: Client = async (random, signal) => {
    const index = random.below(1_000_000);
    const { name, form } = hostileUpload(media, index);
    const init = { method: 'POST', ...(await hostileForm(form, index)), signal };
    const answer = await fetch(`${hear.url}/v1/audio/transcriptions`, init);
    const text = await answer.text().catch(() => 'broken');
    signal.throwIfAborted();
    expect([200, 400, 500, 503], `${name}: ${text}`).toContain(answer.status);
    return 'mutated upload answered';
  };
  const leave: Client = (random, signal) => {
    const file = recordingFile(random.of(names));
    const stream = String(random.below(2) === 0);
    return leaver(random, signal, (signal) => hear.post({ file, fields: { stream }, signal }));
  };
  return [transcribe, transcribe, transcribe, stream, stream, attack, leave, probe(hear)];
}

const sentences = [
  'The lecture was long, but the questions afterwards were excellent.',
  'Good morning.',
  'On the third day it rained until noon, and nobody left the house.',
  'Seven kings rode north with 1,200 horses.',
];

function sayClients(say: Say): Client[] {
  const formats = ['pcm', 'flac', 'mp3'];
  /** What each request gets while nothing is wrong. */
  const expected = new Map<string, Promise<Buffer>>();
  const fieldsOf = (random: Random) => ({
    input: Array.from({ length: 1 + random.below(8) }, () => random.of(sentences)).join(' '),
    response_format: random.of(formats),
  });
  /** Of a request that is answered in the end: a retry after the round, if need be. */
  const wholeOf = (fields: object) => {
    const key = JSON.stringify(fields);
    const whole = async () => {
      for (;;) {
        const answer = await say.post('/v1/audio/speech', { ...fields, stream: false });
        const body = Buffer.from(await answer.arrayBuffer());
        if (answer.status === 200) return body;
        await sleep(1000);
      }
    };
    if (!expected.has(key)) expected.set(key, whole());
    return expected.get(key)!;
  };
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const speak: Client = async (random, signal) => {
    const fields = fieldsOf(random);
    const answer = await say.post('/v1/audio/speech', { ...fields, stream: false }, { signal });
    if (answer.status !== 200) return refusalOf(answer);
    const body = Buffer.from(await answer.arrayBuffer());
    expect(digest(body)).toBe(digest(await wholeOf(fields)));
    return 'synthesized';
  };
  const stream: Client = async (random, signal) => {
    const fields = { ...fieldsOf(random), response_format: 'pcm' };
    const answer = await say.post('/v1/audio/speech', { ...fields, stream: true }, { signal });
    if (answer.status !== 200) return refusalOf(answer);
    const chunks = await chunksOf(answer);
    signal.throwIfAborted();
    const body = Buffer.concat(chunks.filter((chunk) => chunk !== undefined));
    const whole = await wholeOf(fields);
    expect(digest(body)).toBe(digest(whole.subarray(0, body.length)));
    if (chunks.includes(undefined)) return 'broken stream';
    expect(body.length).toBe(whole.length);
    return 'streamed';
  };
  const caption: Client = async (random, signal) => {
    const { input } = fieldsOf(random);
    const answer = await say.post(
      '/dev/captioned_speech',
      { input, stream: false, response_format: 'pcm' },
      { signal },
    );
    if (answer.status !== 200) return refusalOf(answer);
    const { timestamps } = (await answer.json()) as { timestamps: { word: string }[] };
    expect(timestamps.map(({ word }) => word).join(' ')).toBe(input);
    return 'captioned';
  };
  const refuse: Client = async (_random, signal) => {
    const answer = await say.post('/v1/audio/speech', { input: '' }, { signal });
    await answer.arrayBuffer();
    expect(answer.status).toBe(400);
    return 'empty text refused';
  };
  const leave: Client = (random, signal) => {
    const fields = { ...fieldsOf(random), input: sentences.join(' ').repeat(100), stream: random.below(2) === 0 };
    return leaver(random, signal, (signal) => say.post('/v1/audio/speech', fields, { signal }));
  };
  return [speak, speak, stream, stream, caption, refuse, leave, probe(say)];
}

/** Probes are answered in every state. */
const probe =
  (service: Hear | Say): Client =>
  async (_random, signal) => {
    const answer = await fetch(`${service.url}/health`, { signal });
    const { status } = (await answer.json()) as { status: string };
    expect([200, 503]).toContain(answer.status);
    expect(['healthy', 'warming', 'failed']).toContain(status);
    return `/health: ${status}`;
  };

interface Subject {
  target: Target;
  clients: Client[];
}

const settings = { ENGINE_TIMEOUT_SECONDS: '5', FAILURE_WINDOW_SECONDS: '120', MAX_AUDIO_SECONDS: '600' };
const subjects: Record<string, (env?: Record<string, string>) => Promise<Subject>> = {
  async hear(env) {
    const hear = await startHear({ MODEL_SIZE: microCheckpoint, ...settings, ...env });
    await hear.ready();
    return {
      target: hearTarget(hear, () => hear.post({ file: recordingFile('french') })),
      clients: await hearClients(hear),
    };
  },
  async say(env) {
    const say = await startSay({ ...settings, ...env });
    await say.ready();
    return { target: sayTarget(say), clients: sayClients(say) };
  },
};

/** Kills or stops a random process below the service, or stops the service itself for a second. */
async function strike(pid: number, random: Random): Promise<string> {
  await sleep(random.below(spread));
  if (random.below(6) === 0) {
    process.kill(pid, 'SIGSTOP');
    await sleep(1000);
    process.kill(pid, 'SIGCONT');
    return 'HTTP process SIGSTOP, SIGCONT';
  }
  const victims = descendants(pid);
  if (victims.length === 0) return 'no process to signal';
  const signal = random.of(['SIGKILL', 'SIGKILL', 'SIGSTOP', 'SIGSEGV'] as const);
  try {
    process.kill(random.of(victims), signal);
  } catch {
    return 'too late';
  }
  return signal;
}

/** Idle processes that a service may keep beyond those of its first requests: decoders of `hear`, up to eight in all. */
const FURTHER_PROCESSES: Record<string, number> = { hear: 7, say: 2 };

describe.skipIf(process.platform !== 'linux').each(Object.keys(subjects))(
  '%s whose processes are killed or stopped',
  (name) => {
    it(
      'answers every client with its own text, or breaks its stream',
      async () => {
        const { target, clients } = await subjects[name]!();
        const { service, good } = target;
        for (let times = 0; times < 5; times++) expect((await good()).status).toBe(200);
        const processes = descendants(service.pid).length;
        const outcomes = new Tally();
        const strikes = new Tally();
        const seen = new Set<number>();
        let slowest = 0;
        let before: Holdings | undefined;
        let after: Holdings | undefined;
        for (let round = first; round < first + rounds; round++) {
          const client = async (_: unknown, index: number) => {
            const random = new Random(5, round, index);
            await sleep(random.below(spread));
            const started = performance.now();
            const outcome = await random
              .of(clients)(random, AbortSignal.timeout(answerLimit))
              .catch((error) => {
                error.message = `round ${round}, request ${index}: ${error.message}`;
                throw error;
              });
            slowest = Math.max(slowest, performance.now() - started);
            outcomes.add(outcome);
          };
          const striker = async (_: unknown, index: number) =>
            strikes.add(await strike(service.pid, new Random(6, round, index)));
          const watch = setInterval(() => {
            for (const pid of descendants(service.pid)) seen.add(pid);
          }, 100);
          await Promise.all([
            ...Array.from({ length: requestsPerRound }, client),
            ...Array.from({ length: 1 + new Random(7, round).below(3) }, striker),
          ]).finally(() => clearInterval(watch));
          after = await expectAsBefore(target, before ?? { handles: [1e6, 1e6], memory: [1e12, 1e12] });
          // By then all caches are warm.
          before ??= after;
          expect(descendants(service.pid).length).toBeLessThanOrEqual(processes + FURTHER_PROCESSES[name]!);
        }
        report(
          [
            `${rounds} rounds of ${requestsPerRound} requests to ${name}, seed ${seed}`,
            `${outcomes}; the slowest ${Math.round(slowest)} ms`,
          ],
          [`signals sent to processes of ${name} meanwhile`, `${strikes}`],
          [
            `HTTP process + engine of ${name} after the first round; after the last`,
            `${describeHoldings(before!)}; ${describeHoldings(after!)}`,
          ],
        );
        await service.stop();
        await expectEnded(seen);
      },
      patience,
    );

    it('leaves no process when it is killed itself, and no file after its next start', async () => {
      const temp = join(folder, name);
      const { target, clients } = await subjects[name]!({ TEMP_DIR: temp });
      const { service } = target;
      const outcomes = Array.from({ length: requestsPerRound }, async (_, index) => {
        const random = new Random(8, index);
        await sleep(random.below(300));
        return clients[0]!(random, AbortSignal.timeout(answerLimit)).catch((error) => {
          // fetch reports a broken connection as a TypeError.
          if (error instanceof TypeError) return 'cut';
          throw error;
        });
      });
      await sleep(300);
      const pids = descendants(service.pid);
      expect(pids.length).toBeGreaterThan(0);
      process.kill(service.pid, 'SIGKILL');
      expect(await Promise.all(outcomes)).toContain('cut');
      await service.exited;
      await expectEnded(pids);

      const next = await subjects[name]!({ TEMP_DIR: temp });
      expect(await next.target.service.tempFiles()).toEqual([]);
      await next.target.service.stop();
      expect(await readdir(temp)).toEqual([]);
    });
  },
);
