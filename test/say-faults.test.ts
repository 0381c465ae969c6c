import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaptionWord } from '../src/contracts/synthesis.ts';
import { endAll, isRunning, type Say, spawnSay, startSay, until } from './fixtures/service.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'say-faults-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sentence = 'The lecture was long, but the questions afterwards were excellent.';
const repeated = (times: number) => Array.from({ length: times }, () => sentence).join(' ');
/** Minutes of speech: seconds of work, and more than all buffers hold. */
const long = repeated(60);
/** Hours of speech: never finishes within a test. */
const endless = repeated(4000);

async function start(env: Record<string, string> = {}): Promise<Say> {
  const say = await startSay(env);
  await say.ready();
  expect(say.engines()).toHaveLength(1);
  return say;
}

interface Fields {
  input?: string;
  stream?: boolean;
  response_format?: string;
  return_download_link?: boolean;
}

const speak = (say: Say, fields: Fields = {}, signal?: AbortSignal) =>
  say.post(
    '/v1/audio/speech',
    { input: 'Good morning.', response_format: 'pcm', ...fields },
    signal ? { signal } : undefined,
  );

/** Body of a 200 response. */
async function bytesOf(response: Response | Promise<Response>): Promise<number> {
  const answer = await response;
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.status, body.toString().slice(0, 300)).toBe(200);
  return body.length;
}

interface Begun {
  response: Response;
  /** Bytes read so far. */
  bytes: number;
  /** Reads at least `bytes` more; fails if the response ends earlier. */
  read(bytes: number): Promise<void>;
  /** Reads on to the end. */
  rest(): Promise<Buffer>;
}

/** A stream whose first chunk was read. */
async function begin(answer: Promise<Response>): Promise<Begun> {
  const response = await answer;
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  const first = await reader.read();
  expect(first.value!.length).toBeGreaterThan(0);
  const begun: Begun = {
    response,
    bytes: first.value!.length,
    async read(bytes) {
      for (const goal = begun.bytes + bytes; begun.bytes < goal; ) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The answer ended after ${begun.bytes} bytes.`);
        begun.bytes += value.length;
      }
    },
    async rest() {
      const chunks = [first.value!];
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return Buffer.concat(chunks);
        chunks.push(value);
        begun.bytes += value.length;
      }
    },
  };
  return begun;
}

async function expectAsBefore(say: Say): Promise<void> {
  await until(async () => (await say.active()) === 0, 'no request is active');
  await until(async () => (await say.tempFiles()).length === 0, 'no file is left');
  await until(() => say.engines().length === 1, 'one engine is left');
  await say.ready();
  expect(await (await say.get('/health')).json()).toMatchObject({ status: 'healthy', model_loaded: true });
  expect(await bytesOf(speak(say))).toBeGreaterThan(20_000);
}

/** Resident bytes of a process; 0 without /proc. */
async function memory(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1];
  return Number(kilobytes) * 1024;
}

/** CPU time of a process, in ticks of 10 ms. */
async function processorTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Faults that one service outlives, one after the other. */
describe('a service that goes on', () => {
  let say: Say;
  beforeAll(async () => {
    say = await start({ MAX_CONCURRENCY: '16' });
  });
  // After a failed test, too.
  beforeEach(async () => {
    await say.ready();
    await until(() => say.engines().length === 1, 'one engine serves');
  });
  afterAll(async () => {
    await say?.stop();
    await endAll();
  });

  describe('an engine that is killed', () => {
    it('breaks started streams only', async () => {
      const [engine] = say.engines();
      const input = repeated(5);
      const expected = await bytesOf(speak(say, { input, stream: false }));

      const streams = [
        await begin(speak(say, { input: endless })),
        await begin(speak(say, { input: endless, response_format: 'mp3', return_download_link: true })),
        await begin(say.post('/dev/captioned_speech', { input: endless, response_format: 'opus' })),
        await begin(say.post('/v1/audio/dialogue', { lines: Array(100).fill({ input: repeated(20) }) })),
        await begin(say.post('/v1/audio/book', { chapters: Array(100).fill({ title: 'One', input: repeated(20) }) })),
      ];
      const whole = bytesOf(speak(say, { input, stream: false }));
      await until(async () => (await say.active()) === 6, 'all requests are active');
      process.kill(engine!, 'SIGKILL');
      for (const stream of streams) await expect(stream.rest()).rejects.toThrow();
      expect(await bytesOf(speak(say))).toBeGreaterThan(20_000);
      // Nothing was sent yet, so it is spoken again.
      expect(await whole).toBe(expected);

      await expectAsBefore(say);
      const link = streams[1]!.response.headers.get('x-download-path')!;
      expect((await say.get(link)).status).toBe(404);
      expect(say.engines()).not.toContain(engine);
      expect(say.log.join('\n')).not.toContain('lecture');
    });

    it('before the first byte is retried unnoticed', async () => {
      const [engine] = say.engines();
      process.kill(engine!, 'SIGSTOP');
      const requests = [
        bytesOf(speak(say)),
        bytesOf(speak(say, { stream: false })),
        bytesOf(say.post('/dev/phonemize', { text: 'Good morning.' })),
      ];
      await until(async () => (await say.active()) === requests.length, 'all requests are active');
      process.kill(engine!, 'SIGKILL');
      const [streamed, whole] = await Promise.all(requests);
      expect(streamed).toBe(whole);
      await expectAsBefore(say);
    });
  });

  describe('clients that hang up', () => {
    it('abort their synthesis and leave no file', async () => {
      const [engine] = say.engines();
      const logged = say.log.length;
      const forms: Fields[] = [
        { stream: false },
        { stream: true, return_download_link: true },
        { stream: false, return_download_link: true, response_format: 'mp3' },
        { stream: true, response_format: 'opus' },
      ];
      for (const form of forms) {
        const controller = new AbortController();
        const over = Promise.all(
          Array.from({ length: 3 }, () => speak(say, { input: endless, ...form }, controller.signal).then(bytesOf)),
        ).catch(() => 'over');
        await until(async () => (await say.active()) === 3, 'the requests are active');
        controller.abort();
        // Hours of speech: only aborted jobs are over by then.
        await until(async () => (await say.active()) === 0, 'no request is active');
        expect(await over).toBe('over');
      }
      await expectAsBefore(say);
      expect(say.engines()).toEqual([engine]);
      const log = say.log.slice(logged).join('\n');
      expect(log.match(/"status":499/g)).toHaveLength(12);
      expect(log).not.toMatch(/"level":[45]0/);
    });
  });

  describe('many requests at once', () => {
    it('are spoken side by side, and a short one ends before long ones', async () => {
      const controller = new AbortController();
      // None ends within the test: each starts, or the short one ends, only if the others leave it a turn.
      const streams = await Promise.all(
        Array.from({ length: 15 }, () => begin(speak(say, { input: endless }, controller.signal))),
      );
      const over = streams.map((stream) => stream.rest().catch(() => 'over'));
      expect(await bytesOf(speak(say))).toBeGreaterThan(20_000);
      expect(await say.active()).toBe(15);
      controller.abort();
      expect(new Set(await Promise.all(over))).toEqual(new Set(['over']));
      await expectAsBefore(say);
    });
  });

  describe('a text of 100,000 characters', () => {
    it('starts at once, in constant memory', async () => {
      const input = repeated(1500);
      expect(input.length).toBeGreaterThan(100_000);
      const controller = new AbortController();
      const stream = await begin(speak(say, { input }, controller.signal));
      // Of 300 MB.
      expect(stream.bytes).toBeLessThan(1_000_000);
      expect(await say.active()).toBe(1);
      const [engine] = say.engines();
      // By then all caches are warm.
      await stream.read(4_000_000);
      const before = [await memory(engine!), await memory(say.pid)];
      await stream.read(10_000_000);
      const after = [await memory(engine!), await memory(say.pid)];
      for (const [index, bytes] of after.entries()) expect(bytes - before[index]!).toBeLessThan(30_000_000);
      controller.abort();
      await expectAsBefore(say);
    });

    it.skipIf(process.platform !== 'linux')('pauses for a client that does not read', async () => {
      const [engine] = say.engines();
      const controller = new AbortController();
      await begin(speak(say, { input: endless }, controller.signal));
      let used = 0;
      let rests = 0;
      // The engine idles once all buffers are full. On a busy machine it may seem so earlier.
      await until(async () => {
        const before = used;
        used = await processorTicks(engine!);
        rests = used - before < 3 ? rests + 1 : 0;
        return rests === 10;
      }, 'the engine rests');
      expect(await say.active()).toBe(1);
      expect(await bytesOf(speak(say))).toBeGreaterThan(20_000);
      controller.abort();
      await expectAsBefore(say);
    });
  });
});

describe('an engine that hangs', () => {
  afterEach(endAll);

  it('is replaced, and its request answered', async () => {
    const say = await start({ ENGINE_TIMEOUT_SECONDS: '5' });
    const [engine] = say.engines();
    process.kill(engine!, 'SIGSTOP');
    expect(await bytesOf(speak(say))).toBeGreaterThan(20_000);
    expect(isRunning(engine!)).toBe(false);
    expect(say.log.join('\n')).toContain('gave no sign of life for 5 s');
    await expectAsBefore(say);
    await say.stop();
  });
});

describe('a service that is killed', () => {
  afterEach(endAll);

  it('ends its engine, and the next start removes its files', async () => {
    const temp = join(folder, 'temp');
    const say = await start({ TEMP_DIR: temp });
    const [engine] = say.engines();
    const cut = speak(say, { input: endless, stream: false }).catch(() => 'cut');
    await until(async () => (await say.tempFiles()).length === 1, 'the speech is being written');
    process.kill(say.pid, 'SIGKILL');
    await say.exited;
    expect(await cut).toBe('cut');
    await until(() => !isRunning(engine!), 'the engine has ended');
    expect(await say.tempFiles()).toHaveLength(1);

    const next = await start({ TEMP_DIR: temp });
    expect(await next.tempFiles()).toEqual([]);
    await next.stop();
    expect(await readdir(temp)).toEqual([]);
  });
});

describe('SIGTERM', () => {
  afterEach(endAll);

  it('lets a stream finish, refuses new ones, and exits with 0', async () => {
    const say = await start();
    const stream = await begin(say.post('/dev/captioned_speech', { input: long, response_format: 'pcm' }));
    const stopped = say.stop();
    await until(() => say.log.some((line) => line.includes('SIGTERM')), 'the signal has arrived');

    const ready = await say.get('/ready');
    expect(ready.status).toBe(503);
    expect(ready.headers.get('retry-after')).toBe('10');
    expect(await ready.json()).toEqual({ status: 'draining' });
    const refused = await speak(say);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ detail: { error: 'draining' } });

    const lines = (await stream.rest()).toString().trimEnd().split('\n');
    const words = lines.flatMap((line) => (JSON.parse(line).timestamps as CaptionWord[]).map(({ word }) => word));
    expect(words).toEqual(long.split(' '));
    await stopped;
  });

  it('breaks a stream that outlasts SHUTDOWN_TIMEOUT_SECONDS', async () => {
    const say = await start({ SHUTDOWN_TIMEOUT_SECONDS: '0' });
    const stream = await begin(speak(say, { input: endless }));
    const cut = expect(stream.rest()).rejects.toThrow();
    await say.stop();
    await cut;
    const warning = JSON.parse(say.log.find((line) => line.includes('SHUTDOWN_TIMEOUT_SECONDS (0) has passed'))!);
    expect(warning.requests).toEqual([{ method: 'POST', path: '/v1/audio/speech', seconds: expect.any(Number) }]);
  });

  it('ends a process while its model is loading', async () => {
    const say = await startSay();
    await say.stop();
    expect((await say.exited).code).toBe(0);
  });
});

describe('states', () => {
  afterEach(endAll);

  const expectStatus = async (answer: Promise<Response>, status: number, retryAfter: string | null, body: object) => {
    const response = await answer;
    expect(await response.json()).toMatchObject(body);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
  };
  const expectRefused = async (say: Say, code: string, retryAfter: string | null) => {
    for (const [path, body] of [
      ['/v1/audio/speech', { input: 'Hello.' }],
      ['/dev/captioned_speech', { input: 'Hello.' }],
      ['/v1/audio/dialogue', { lines: [{ input: 'Hello.' }] }],
      ['/dev/captioned_dialogue', { lines: [{ input: 'Hello.' }] }],
      ['/v1/audio/book', { chapters: [{ title: 'One', input: 'Hello.' }] }],
      ['/dev/captioned_book', { chapters: [{ title: 'One', input: 'Hello.' }] }],
      ['/dev/phonemize', { text: 'Hello.' }],
      ['/dev/generate_from_phonemes', { phonemes: 'həlˈO' }],
    ] as const) {
      const error = { code: 503, type: 'server_error' };
      await expectStatus(say.post(path, body), 503, retryAfter, { error, detail: { error: code } });
    }
  };

  it('warming, then ready', async () => {
    const say = await startSay();
    await until(() => say.engines().length === 1, 'the engine starts');
    const [engine] = say.engines();
    // Loading never completes during the test.
    process.kill(engine!, 'SIGSTOP');
    expect(await (await say.get('/health')).json()).toEqual({ status: 'warming', model_loaded: false });
    await expectStatus(say.get('/ready'), 503, '10', { status: 'warming' });
    await expectRefused(say, 'model_warming', '10');
    expect(await (await say.get('/system')).json()).toMatchObject({ status: 'warming', model: null });
    expect((await say.get('/v1/audio/voices')).status).toBe(200);
    process.kill(engine!, 'SIGCONT');
    await say.ready();
    expect(say.engines()).toEqual([engine]);
    await expectAsBefore(say);
    await expectStatus(say.post('/v1/audio/voices/combine', 'af_heart'), 403, null, {
      error: { type: 'permission_error' },
    });
    await say.stop();
  });

  it.each([
    [{ TTS_MODEL: 'nonsense' }, /nonsense.*flite/],
    [{ DEFAULT_VOICE: 'jf_alpha' }, /jf_alpha.*DEFAULT_VOICE/],
  ])('failed for a while, then ended: %j', async (env, reason) => {
    const say = await startSay({ ...env, FAILURE_WINDOW_SECONDS: '3' });
    await until(async () => (await say.get('/health')).status === 503, 'the model has failed');
    const { time } = JSON.parse(say.log.find((line) => line.includes('could not be loaded'))!);
    const health = { status: 'failed', error: expect.stringMatching(reason) };
    await expectStatus(say.get('/health'), 503, null, health);
    await expectStatus(say.get('/ready'), 503, '10', { status: 'failed' });
    await expectRefused(say, 'model_failed', null);
    await expectStatus(say.get('/system'), 200, null, { status: 'failed', model: null });
    expect((await say.exited).code).toBe(1);
    // A timer may be a millisecond early.
    expect(Date.now() - time).toBeGreaterThanOrEqual(2990);
    expect(await readdir(say.tempDir)).toEqual([]);
  });

  it('uninitialized without a warm-up, until the first request loads the model', async () => {
    const say = await startSay({ WARMUP_ON_START: 'false' });
    await expectStatus(say.get('/ready'), 503, '10', { status: 'uninitialized' });
    await expectStatus(say.get('/health'), 200, null, { status: 'healthy', model_loaded: false });
    expect(say.engines()).toEqual([]);
    await Promise.all([bytesOf(speak(say)), bytesOf(speak(say, { stream: false }))]);
    expect(say.engines()).toHaveLength(1);
    await expectAsBefore(say);
    await say.stop();
  });

  it.each([
    ['MAX_INPUT_CHARACTERS', 'many'],
    ['DEFAULT_VOICE', 'nobody'],
    ['ENABLE_WEB_PLAYER', 'perhaps'],
  ])('not even begun where %s is wrong', async (name, value) => {
    const say = await spawnSay({ [name]: value });
    expect((await say.exited).code).toBe(1);
    expect(say.log).toHaveLength(1);
    for (const part of [name, `"${value}"`]) expect(say.log[0]).toContain(part);
  });
});
