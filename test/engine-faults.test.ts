import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeMedia } from './fixtures/media.ts';
import { childrenOf, endAll, type Hear, isRunning, spawnHear, spawnSay, startHear, until } from './fixtures/service.ts';
import {
  hasSpeech,
  joinSamples,
  readSpeech,
  seededNoise,
  speechFile,
  speechText,
  spokenWords,
  wordErrorRate,
} from './fixtures/speech.ts';

const repeats = 2;
let folder: string;
/** A recording that keeps the engine busy for a second or more. */
let long: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-faults-'));
  if (!hasSpeech) return;
  long = join(folder, 'long.wav');
  const reading = await readSpeech(speechFile('two_cities.wav'));
  const samples = joinSamples(Array.from({ length: repeats }, () => reading));
  await writeMedia(long, 'wav s16', { samples, sampleRate: 16_000 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(env: Record<string, string> = {}): Promise<Hear> {
  // One thread, so that a fast machine needs a while for the long recording.
  const hear = await startHear({ THREADS: '1', ...env });
  await hear.ready();
  expect(hear.engines()).toHaveLength(1);
  return hear;
}

const activeRequests = (hear: Hear) => hear.metric('hearsay_queue_active');
const jfk = (hear: Hear) => hear.post({ file: speechFile('jfk.flac') });

async function expectLong(response: Promise<Response>): Promise<void> {
  const answer = await response;
  const body = await answer.text();
  expect(answer.status, body).toBe(200);
  const reference = Array.from({ length: repeats }, () => speechText('two_cities.txt')).join(' ');
  expect(wordErrorRate(JSON.parse(body).text, reference)).toBeLessThanOrEqual(0.06);
}

async function expectJfk(response: Promise<Response>): Promise<void> {
  const answer = await response;
  const body = await answer.text();
  expect(answer.status, body).toBe(200);
  expect(spokenWords(JSON.parse(body).text)).toEqual(spokenWords(speechText('jfk.txt')));
}

async function expectAsBefore(hear: Hear): Promise<void> {
  await until(async () => (await activeRequests(hear)) === 0, 'no request is active');
  expect(await hear.metric('hearsay_queue_waiting')).toBe(0);
  // Uploads hold no place in the queue: their files are removed when the service notices that the client has left.
  await until(async () => (await hear.tempFiles()).length === 0, 'no file is left');
  await until(() => hear.engines().length === 1, 'one engine is left');
  await hear.ready();
  await expectJfk(jfk(hear));
}

/** Faults that one service outlives, one after the other. */
describe.skipIf(!hasSpeech)('a hear that goes on', () => {
  let hear: Hear;
  beforeAll(async () => {
    hear = await start({ MAX_CONCURRENCY: '3' });
  });
  // After a failed test, too.
  beforeEach(async () => {
    await hear.ready();
    await until(() => hear.engines().length === 1, 'one engine serves');
  });
  afterAll(async () => {
    await hear?.stop();
    await endAll();
  });

  it('answers requests whose engine was killed', async () => {
    const [engine] = hear.engines();
    const requests = [expectLong(hear.post({ file: long })), expectLong(hear.post({ file: long }))];
    await until(async () => (await activeRequests(hear)) === 2, 'both requests are active');
    await sleep(300);
    expect(await activeRequests(hear)).toBe(2);
    process.kill(engine!, 'SIGKILL');
    await Promise.all([...requests, expectJfk(jfk(hear))]);
    await expectAsBefore(hear);
    expect(hear.engines()).not.toContain(engine);
    expect(hear.log.filter((line) => line.includes('engine died')).length).toBeGreaterThanOrEqual(2);
  });

  it('breaks a started response when the engine is killed', async () => {
    const response = await hear.post({ file: long, fields: { stream: 'true' } });
    expect(response.status).toBe(200);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = decoder.decode((await reader.read()).value);
    expect(text).toMatch(/^data: .*transcript\.text\.delta/);
    process.kill(hear.engines()[0]!, 'SIGKILL');
    const rest = async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += decoder.decode(value, { stream: true });
      }
    };
    await expect(rest()).rejects.toThrow();
    expect(text).not.toContain('transcript.text.done');
    expect(text).toMatch(/event: error\ndata: .*"engine_failed"/);
    await expectAsBefore(hear);
  });

  // Under `nice -n 19` all would run at the lowest priority.
  it.skipIf(getPriority() + 8 > constants.priority.PRIORITY_LOW)(
    'runs HTTP at the highest priority, then speech detection, then models',
    async () => {
      const [engine] = hear.engines();
      const priorityOf = (thread: string) =>
        Number(
          readFileSync(`/proc/${engine}/task/${thread}/stat`, 'utf8')
            .replace(/^.*\) /, '')
            .split(' ')[16],
        );
      expect(priorityOf(String(engine))).toBe(getPriority() + 5);
      const others = readdirSync(`/proc/${engine}/task`).filter((thread) => thread !== String(engine));
      expect(others.map(priorityOf)).toContain(getPriority() + 8);
    },
  );

  it('offers the engine to the out-of-memory killer, so that HTTP continues', () => {
    const [engine] = hear.engines();
    expect(readFileSync(`/proc/${engine}/oom_score_adj`, 'utf8')).toBe('1000\n');
  });

  it('clients that hang up leave no file, slot or job behind', async () => {
    const [engine] = hear.engines();
    const logged = hear.log.length;
    const random = seededNoise(11);
    const hangUp = async (stream: boolean) => {
      const controller = new AbortController();
      const fields = { stream: String(stream) };
      const answer = hear.post({ file: long, fields, signal: controller.signal }).then((response) => response.text());
      const over = answer.catch(() => {});
      await sleep(300 * (random() + 1));
      controller.abort();
      await over;
    };
    const hangUpInTurn = async (stream: boolean) => {
      for (let round = 0; round < 5; round++) await hangUp(stream);
    };
    await Promise.all([false, true, false, true].map(hangUpInTurn));
    await until(async () => (await hear.metric('hearsay_queue_waiting')) === 0, 'no request waits');
    await expectAsBefore(hear);
    expect(hear.engines()).toEqual([engine]);
    const log = hear.log.slice(logged).join('\n');
    expect(log.match(/"status":499/g)!.length).toBeGreaterThan(10);
    expect(log).not.toMatch(/"level":[45]0/);
  });
});

describe.skipIf(!hasSpeech)('hear when its engine fails', () => {
  afterEach(endAll);

  it('replaces a hanging engine and answers its requests', async () => {
    const hear = await start({ ENGINE_TIMEOUT_SECONDS: '5' });
    const [engine] = hear.engines();
    process.kill(engine!, 'SIGSTOP');
    await expectJfk(jfk(hear));
    expect(isRunning(engine!)).toBe(false);
    expect(hear.log.join('\n')).toContain('gave no sign of life for 5 s');
    await expectAsBefore(hear);
    await hear.stop();
  });

  it('ends stopped decoders with their engine', async () => {
    const hear = await start();
    for (const end of [() => process.kill(hear.engines()[0]!, 'SIGKILL'), () => void hear.stop()]) {
      await hear.ready();
      const [engine] = hear.engines();
      const decoders = childrenOf(engine!);
      expect(decoders.length).toBeGreaterThan(0);
      for (const decoder of decoders) process.kill(decoder, 'SIGSTOP');
      end();
      await until(() => ![engine!, ...decoders].some(isRunning), 'the decoders have ended');
    }
    await hear.exited;
  });

  it('ends the engine with a killed service, and removes its uploads at the next start', async () => {
    const temp = join(folder, 'temp');
    const hear = await start({ TEMP_DIR: temp });
    const [engine] = hear.engines();
    const cut = hear.post({ file: long }).catch(() => 'cut');
    await until(async () => (await activeRequests(hear)) === 1, 'the request is active');
    expect(await hear.tempFiles()).toHaveLength(1);
    process.kill(hear.pid, 'SIGKILL');
    await hear.exited;
    expect(await cut).toBe('cut');
    await until(() => !isRunning(engine!), 'the engine has ended');
    expect(await hear.tempFiles()).toHaveLength(1);

    const next = await start({ TEMP_DIR: temp });
    expect(await next.tempFiles()).toEqual([]);
    await next.stop();
    expect(await readdir(temp)).toEqual([]);
  });
});

describe('SIGTERM', () => {
  afterEach(endAll);

  it.skipIf(!hasSpeech)('lets a request finish, refuses new ones, and exits with 0', async () => {
    const hear = await start();
    const running = expectLong(hear.post({ file: long }));
    await until(async () => (await activeRequests(hear)) === 1, 'the request is active');
    const stopped = hear.stop();
    await until(() => hear.log.some((line) => line.includes('SIGTERM')), 'the signal has arrived');

    const ready = await hear.get('/ready');
    expect(ready.status).toBe(503);
    expect(ready.headers.get('retry-after')).toBe('10');
    expect(await ready.json()).toEqual({ status: 'draining' });
    for (const refused of [await jfk(hear), await hear.activate('moonshine-tiny')]) {
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(await refused.json()).toMatchObject({ detail: { error: 'draining' } });
    }
    await Promise.all([running, stopped]);
  });

  it.skipIf(!hasSpeech)('aborts a request that outlasts SHUTDOWN_TIMEOUT_SECONDS', async () => {
    const hear = await start({ SHUTDOWN_TIMEOUT_SECONDS: '0' });
    const cut = hear.post({ file: long }).then(
      ({ status }) => status,
      () => 'cut',
    );
    await until(async () => (await activeRequests(hear)) === 1, 'the request is active');
    await hear.stop();
    expect([503, 'cut']).toContain(await cut);
    const warning = JSON.parse(hear.log.find((line) => line.includes('SHUTDOWN_TIMEOUT_SECONDS (0) has passed'))!);
    expect(warning).toMatchObject({
      level: 40,
      msg: expect.stringContaining('cutting unfinished requests (1)'),
      requests: [{ method: 'POST', path: '/v1/audio/transcriptions', seconds: expect.any(Number) }],
    });
  });

  it.skipIf(!hasSpeech)('a terminal that was closed cut the requests of its services', async () => {
    const hear = await start();
    const running = expectLong(hear.post({ file: long }));
    await until(async () => (await activeRequests(hear)) === 1, 'the request is active');
    // The shell and the system each send one to the whole group.
    for (const pid of [...hear.engines(), hear.pid, hear.pid]) process.kill(pid, 'SIGHUP');
    await running;
    expect((await hear.exited).code).toBe(0);
    expect(await readdir(hear.tempDir)).toEqual([]);
  });

  it('ends a process while its model is loading', async () => {
    const hear = await startHear();
    await hear.stop();
    expect((await hear.exited).code).toBe(0);
  });
});

describe('a service that cannot start', () => {
  afterEach(endAll);

  it('reports a port in use', async () => {
    const first = await startHear({ WARMUP_ON_START: 'false' });
    const { port } = new URL(first.url);
    const second = await spawnHear({ PORT: port });
    expect((await second.exited).code).toBe(1);
    expect(second.log).toHaveLength(1);
    expect(JSON.parse(second.log[0]!)).toMatchObject({
      level: 60,
      msg: expect.stringMatching(
        new RegExp(`^Cannot listen on HOST \\(127\\.0\\.0\\.1\\), PORT \\(${port}\\): .*EADDRINUSE`),
      ),
    });
    expect(await readdir(second.tempDir)).toEqual([]);
    expect((await first.get('/health')).status).toBe(200);
    await first.stop();
  });

  it.each([
    ['MAX_CONCURRENCY', 'many', 'an integer from 1 to 1024'],
    ['WARMUP_ON_START', 'perhaps', 'true, 1, yes, on, false, 0, no or off'],
    ['DEFAULT_LANGUAGE', 'Klingon', 'a language code'],
  ])('says that %s is wrong', async (name, value, allowed) => {
    const hear = await spawnHear({ [name]: value });
    expect((await hear.exited).code).toBe(1);
    expect(hear.log).toHaveLength(1);
    for (const part of [name, `"${value}"`, allowed]) expect(hear.log[0]).toContain(part);
  });

  it.each([
    ['TEMP_DIR', 'a writable directory'],
    ['DATA_DIR', 'a directory'],
    ['MODELS_DIR', 'a directory'],
  ])('reports a %s that cannot be a directory', async (name, what) => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const path of [file, '/proc/hearsay']) {
      for (const spawnService of [spawnHear, spawnSay]) {
        const service = await spawnService({ [name]: path });
        expect((await service.exited).code).toBe(1);
        expect(service.log).toEqual([expect.stringContaining(`${name} must be ${what}, not "${path}"`)]);
      }
    }
  });
});
