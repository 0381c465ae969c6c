import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  describeHoldings,
  expectAsBefore,
  faults,
  hearTarget,
  holdings,
  Random,
  report,
  sayTarget,
  Tally,
  type Target,
} from './fixtures/faults.ts';
import { everyMedium, hostileForm, hostileUpload } from './fixtures/mutated-uploads.ts';
import { endAll, startHear, startSay } from './fixtures/service.ts';

const { seed, first, uploads, hangUps } = faults;
/** Time limit of a test: a guard against hangs. */
const patience = 60_000 + 1000 * (uploads + hangUps);

let folder: string;
let media: Awaited<ReturnType<typeof everyMedium>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-'));
  media = await everyMedium(folder);
});
afterEach(endAll);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('hostile uploads', () => {
  it(
    'are answered with 200 or 400, and harm nothing',
    async () => {
      const hear = await startHear({ MAX_AUDIO_SECONDS: '600', UPLOAD_TIMEOUT_SECONDS: '2' });
      await hear.ready();
      const engines = hear.engines();
      const outcomes = new Tally();
      const mutations = new Tally();
      let slowest = { ms: 0, name: '' };
      let slowestHealth = 0;
      const send = async (index: number) => {
        const { name, mutation, form } = hostileUpload(media, index);
        const started = performance.now();
        const response = await fetch(`${hear.url}/v1/audio/transcriptions`, {
          method: 'POST',
          ...(await hostileForm(form, index)),
          signal: AbortSignal.timeout(90_000),
        }).catch((error) => {
          throw new Error(`${name}: ${error}`);
        });
        // A started stream may break: its last event says why.
        const text = await response.text().catch(() => 'broken');
        const ms = performance.now() - started;
        if (ms > slowest.ms) slowest = { ms, name };
        expect([200, 400], `${name}: ${text}`).toContain(response.status);
        if (response.status === 400) {
          const { error } = JSON.parse(text);
          expect(error, name).toMatchObject({ code: 400, type: 'invalid_request_error' });
        }
        const outcome = text === 'broken' ? text : String(response.status);
        outcomes.add(outcome);
        mutations.add(`${mutation}: ${outcome}`);
        const asked = performance.now();
        const health = await hear.get('/health');
        expect(await health.json(), name).toMatchObject({ status: 'healthy', model_loaded: true });
        slowestHealth = Math.max(slowestHealth, performance.now() - asked);
      };
      const sendAll = async (from: number, to: number) => {
        let next = from;
        const client = async () => {
          while (next < to) await send(next++);
        };
        await Promise.all(Array.from({ length: 6 }, client));
      };
      const half = Math.floor(uploads / 2);
      await sendAll(first, first + half);
      const before = await holdings(hear);
      await sendAll(first + half, first + uploads);
      const good = () => hear.post({ file: media[0]!.content });
      const after = await expectAsBefore(hearTarget(hear, good), before);
      expect(hear.engines(), 'no upload has killed the engine').toEqual(engines);
      console.log(`by mutation: ${mutations}`);
      report(
        [`${uploads} mutated uploads to hear, seed ${seed}`, `${outcomes}`],
        ['slowest of these uploads', `${Math.round(slowest.ms)} ms: ${slowest.name}`],
        ['/health after each upload', `${uploads} times healthy, worst ${Math.round(slowestHealth)} ms`],
        [
          'HTTP process + engine after half of the uploads; after all',
          `${describeHoldings(before)}; ${describeHoldings(after)}`,
        ],
      );
      await hear.stop();
    },
    patience,
  );
});

/** Requests that a client sends in part or in full before it hangs up. */
type Requests = (random: Random) => Buffer;

const transcriptions: Requests = (random) => {
  const boundary = 'limit';
  const part = (disposition: string, content: Buffer | string) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const body = Buffer.concat([
    ...part('name="stream"', String(random.below(2) === 0)),
    ...part('name="file"; filename="a.wav"', random.of(media).content),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return request('/v1/audio/transcriptions', `multipart/form-data; boundary=${boundary}`, body);
};

const speeches: Requests = (random) => {
  const body = JSON.stringify({
    // Sometimes hours of text.
    input: 'The lecture was long, but the questions afterwards were excellent. '.repeat(random.of([1, 10, 4000])),
    response_format: random.of(['pcm', 'wav', 'mp3', 'opus', 'flac', 'aac']),
    stream: random.below(3) > 0,
    return_download_link: random.below(3) === 0,
  });
  const path = random.of(['/v1/audio/speech', '/dev/captioned_speech']);
  return request(path, 'application/json', Buffer.from(body));
};

const request = (path: string, type: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]);

/** Sends requests, or parts of them, and hangs up: by FIN, by reset, by silence, or without reading. */
async function hangUp(url: string, requests: Requests, random: Random): Promise<string> {
  const isPipelined = random.below(4) === 0;
  const all = Buffer.concat(Array.from({ length: isPipelined ? 3 : 1 }, () => requests(random)));
  const isWhole = random.below(2) === 0;
  const bytes = isWhole ? all : all.subarray(0, random.below(all.length));
  const way = random.of(['end', 'destroy', 'reset', 'silence', 'destroy unread']);

  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (way !== 'destroy unread') socket.resume();
  for (let sent = 0; sent < bytes.length; ) {
    const size = 1 + random.below(20_000);
    socket.write(bytes.subarray(sent, sent + size));
    sent += size;
    if (random.below(3) === 0) await sleep(random.below(30));
  }
  await sleep(random.below(300));
  if (way === 'end') socket.end();
  if (way === 'reset') socket.resetAndDestroy();
  if (way === 'end' || way === 'silence') await sleep(500);
  socket.destroy();
  await closed;
  return `${way} ${isWhole ? 'after' : 'during'} a request`;
}

describe('clients hanging up at random moments', () => {
  const targets: Record<string, () => Promise<[Target, Requests]>> = {
    async hear() {
      const hear = await startHear({ MAX_CONCURRENCY: '3', QUEUE_SIZE: '1000' });
      return [hearTarget(hear, () => hear.post({ file: media[0]!.content })), transcriptions];
    },
    async say() {
      // A download link outlives its response: that file is not a leak.
      return [sayTarget(await startSay({ DOWNLOAD_TTL_SECONDS: '1' })), speeches];
    },
  };

  it.each(Object.keys(targets))(
    'leave nothing behind: %s',
    async (name) => {
      const [target, requests] = await targets[name]!();
      const { service, good } = target;
      await service.ready();
      await Promise.all(Array.from({ length: 10 }, async () => (await good()).arrayBuffer()));
      const engines = service.engines();
      const before = await holdings(service);
      const outcomes = new Tally();
      await Promise.all(
        Array.from({ length: hangUps }, async (_, index) => {
          const random = new Random(2, index);
          await sleep(random.below(1000));
          outcomes.add(await hangUp(service.url, requests, random));
        }),
      );
      const after = await expectAsBefore(target, before);
      expect(service.engines()).toEqual(engines);
      report(
        [`${hangUps} clients of ${name} that hang up, seed ${seed}`, `${outcomes}`],
        [
          `HTTP process + engine of ${name} before the hang-ups; after`,
          `${describeHoldings(before)}; ${describeHoldings(after)}`,
        ],
      );
      await service.stop();
    },
    patience,
  );
});
