import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MediaKind, mediaKinds, writeMedia } from './fixtures/media.ts';
import { endAll, type Hear, type Service, startHear, startSay, until } from './fixtures/service.ts';
import { hasSpeech, readSpeech, speechFile } from './fixtures/speech.ts';

// Seeded: `npm run faults` is the long form, FAULT_SEED selects another seed. A failure names the upload's number;
// FAULT_FIRST starts there.
const seed = Number(process.env.FAULT_SEED ?? 1);
const first = Number(process.env.FAULT_FIRST ?? 0);
const uploads = Number(process.env.FAULT_UPLOADS ?? 60);
const hangUps = Number(process.env.FAULT_HANG_UPS ?? 30);
const kills = Number(process.env.FAULT_KILLS ?? 2);
/** Time limit of a test: a guard against hangs. */
const patience = 60_000 + 1000 * (uploads + hangUps + 10 * kills);

/** A generator for each case, so that it can be repeated without those before it (mulberry32). */
class Random {
  #state: number;

  constructor(...seeds: number[]) {
    this.#state = seeds.reduce((state, next) => Math.imul(state ^ next, 0x9e3779b1) + 0x7f4a7c15, seed);
  }

  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

let folder: string;
/** A short recording in every container. */
const media: { kind: MediaKind; content: Buffer<ArrayBuffer> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-'));
  const samples = hasSpeech
    ? (await readSpeech(speechFile('jfk.flac'))).slice(0, 24_000)
    : Float32Array.from({ length: 24_000 }, (_, index) => 0.3 * Math.sin(index / 10));
  for (const kind of mediaKinds) {
    const path = join(folder, kind.replaceAll(' ', '-'));
    await writeMedia(path, kind, { samples, sampleRate: 16_000 });
    media.push({ kind, content: await readFile(path) });
  }
});
afterEach(endAll);
afterAll(() => rm(folder, { recursive: true, force: true }));

const mutations: Record<string, (file: Buffer, random: Random) => Buffer> = {
  'bytes changed': (file, random) => {
    for (let times = 1 + random.below(50); times > 0; times--) file[random.below(file.length)] = random.below(256);
    return file;
  },
  'head changed': (file, random) => {
    for (let times = 1 + random.below(8); times > 0; times--) {
      file[random.below(Math.min(300, file.length))]! ^= 1 << random.below(8);
    }
    return file;
  },
  'sizes changed': (file, random) => {
    const sizes = [0, 1, 0x7f, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
    for (let times = 1 + random.below(4); times > 0; times--) {
      const at = random.below(Math.min(4096, file.length - 4));
      if (random.below(2) === 0) file.writeUInt32LE(random.of(sizes), at);
      else file.writeUInt32BE(random.of(sizes), at);
    }
    return file;
  },
  truncated: (file, random) => file.subarray(0, random.below(file.length)),
  'head missing': (file, random) => file.subarray(random.below(file.length)),
  'part missing': (file, random) => {
    const at = random.below(file.length);
    return Buffer.concat([file.subarray(0, at), file.subarray(at + random.below(file.length - at))]);
  },
  'part repeated': (file, random) => {
    const at = random.below(file.length);
    const part = file.subarray(at, at + 1 + random.below(2000));
    return Buffer.concat([file.subarray(0, at), ...Array.from({ length: 1 + random.below(50) }, () => part), file]);
  },
  'part zeroed': (file, random) => {
    const at = random.below(file.length);
    return file.fill(0, at, at + random.below(file.length - at));
  },
  'noise inside': (file, random) => {
    const at = random.below(file.length);
    return Buffer.concat([file.subarray(0, at), random.bytes(random.below(5000)), file.subarray(at)]);
  },
  'two in one': (file, random) => {
    const other = random.of(media).content;
    return Buffer.concat([file.subarray(0, random.below(file.length)), other.subarray(random.below(other.length))]);
  },
  'noise with a good head': (file, random) =>
    Buffer.concat([file.subarray(0, 4 + random.below(200)), random.bytes(random.below(20_000))]),
  mislabelled: (file) => file,
};

const extensions = ['wav', 'mp3', 'mp4', 'm4a', 'flac', 'ogg', 'webm', 'txt', 'mpd', 'm3u8', 'php', 'wav.exe', ''];

/** One hostile upload, by its number. */
function hostileUpload(index: number) {
  const random = new Random(1, index);
  const { kind, content } = random.of(media);
  const mutation = random.of(Object.keys(mutations));
  const file = mutations[mutation]!(Buffer.from(content), random);
  const form = {
    file: Buffer.from(file),
    fileName: `speech.${random.of(extensions)}`,
    fields: {
      response_format: random.of(['json', 'text', 'verbose_json', 'srt', 'vtt']),
      ...(random.below(4) === 0 && { stream: 'true' }),
      ...(random.below(4) === 0 && { 'timestamp_granularities[]': 'word' }),
    },
  };
  return { name: `upload ${index} (${kind}, ${mutation}, ${file.length} bytes)`, mutation, form };
}

/** The form to send; in one of eight, bytes of the form itself are changed, lost or doubled. */
async function hostileForm({ file, fileName, fields }: ReturnType<typeof hostileUpload>['form'], index: number) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append('file', new Blob([file]), fileName);
  const encoded = new Response(data);
  const headers = { 'content-type': encoded.headers.get('content-type')! };
  const body = Buffer.from(await encoded.arrayBuffer());
  const random = new Random(4, index);
  if (random.below(8) > 0) return { headers, body };
  // Boundaries and part headers surround the file.
  const at = random.below(2) === 0 ? random.below(body.length - file.length) : body.length - 1 - random.below(100);
  const rest = body.subarray(at + random.below(20));
  const inserted = random.of(['', '\r\n', '--', '"', ';', '\0', body.toString('latin1', at, at + 100)]);
  return { headers, body: Buffer.concat([body.subarray(0, at), Buffer.from(inserted, 'latin1'), rest]) };
}

/** Resources held by a service. */
interface Holdings {
  /** Open files and sockets of the service and of its engine. */
  handles: number[];
  /** Resident bytes of both. */
  memory: number[];
}

const hasProc = process.platform === 'linux';
if (!hasProc) console.log('Skipped: counts of open files and of memory, because there is no /proc.');

async function holdings(service: Service): Promise<Holdings> {
  if (!hasProc) return { handles: [], memory: [] };
  const pids = [service.pid, ...service.engines()];
  const memoryOf = async (pid: number) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
  return {
    handles: await Promise.all(pids.map(async (pid) => (await readdir(`/proc/${pid}/fd`)).length)),
    memory: await Promise.all(pids.map(memoryOf)),
  };
}

/** Count of each outcome. */
const counted = (outcomes: Map<string, number>) =>
  [...outcomes]
    .map(([outcome, times]) => `${outcome} × ${times}`)
    .sort()
    .join(', ');
const megabytes = (bytes: number[]) => `${bytes.map((each) => Math.round(each / 1e6)).join(' + ')} MB`;
const describeHoldings = ({ handles, memory }: Holdings) => `${handles.join(' + ')} handles, ${megabytes(memory)}`;

/** A service under attack, with a good request for before and after. */
interface Target {
  service: Service;
  /** A valid request. */
  good: () => Promise<Response>;
  /** Requests in flight. */
  inside: () => Promise<number>;
}

const hearTarget = (hear: Hear): Target => ({
  service: hear,
  good: () => hear.post({ file: media[0]!.content }),
  inside: async () => {
    const gauges = ['hearsay_uploads', 'hearsay_queue_active', 'hearsay_queue_waiting'];
    const counts = await Promise.all(gauges.map((name) => hear.metric(name)));
    return counts.reduce((sum, count) => sum + count, 0);
  },
});

/** Nothing remains of the attack, and the next request works. */
async function expectAsBefore({ service, good, inside }: Target, before: Holdings): Promise<void> {
  await until(async () => (await inside()) === 0, 'no request is inside');
  await until(async () => (await service.tempFiles()).length === 0, 'no file is left');
  await until(() => service.engines().length === 1, 'one engine is left');
  await until(async () => (await service.get('/ready')).status === 200, 'the service is ready');
  const answer = await good();
  expect(answer.status, await answer.text()).toBe(200);
  expect(service.log.filter((line) => /Unexpected error|"level":60/.test(line))).toEqual([]);
  // Our keep-alive connections are open handles of the service.
  const few = 8;
  await until(async () => {
    const { handles } = await holdings(service);
    return handles.every((count, index) => count <= before.handles[index]! + few);
  }, 'no handle is left').catch(async (error) => {
    const now = describeHoldings(await holdings(service));
    throw new Error(`${error.message}: ${describeHoldings(before)} before, ${now} now`);
  });
  const after = await holdings(service);
  console.log(`  before: ${describeHoldings(before)}; after: ${describeHoldings(after)}`);
  for (const [index, bytes] of after.memory.entries()) expect(bytes - before.memory[index]!).toBeLessThan(120e6);
}

describe('hostile uploads', () => {
  it(
    'are answered with 200 or 400, and harm nothing',
    async () => {
      const hear = await startHear({ MAX_AUDIO_SECONDS: '600', UPLOAD_TIMEOUT_SECONDS: '2' });
      await hear.ready();
      const engines = hear.engines();
      const outcomes = new Map<string, number>();
      let slowest = { ms: 0, name: '' };
      const send = async (index: number) => {
        const { name, mutation, form } = hostileUpload(index);
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
        const outcome = `${mutation}: ${text === 'broken' ? text : response.status}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      };
      const sendAll = async (from: number, to: number) => {
        let next = from;
        const client = async () => {
          while (next < to) await send(next++);
        };
        await Promise.all(Array.from({ length: 6 }, client));
      };
      // By then all caches are warm.
      const warmUp = Math.min(200, Math.floor(uploads / 2));
      await sendAll(first, first + warmUp);
      const before = await holdings(hear);
      await sendAll(first + warmUp, first + uploads);
      console.log(
        `${uploads} uploads, seed ${seed}: ${[...outcomes]
          .sort()
          .map((pair) => pair.join(' × '))
          .join(', ')}`,
      );
      console.log(`  slowest: ${Math.round(slowest.ms)} ms, ${slowest.name}`);
      await expectAsBefore(hearTarget(hear), before);
      expect(hear.engines(), 'no upload has killed the engine').toEqual(engines);
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
    Buffer.from(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`),
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
  return `${way} ${isWhole ? 'after' : 'within'} ${isPipelined ? 'three requests' : 'a request'}`;
}

describe('clients hanging up at random moments', () => {
  const targets: Record<string, () => Promise<[Target, Requests]>> = {
    async hear() {
      const hear = await startHear({ MAX_CONCURRENCY: '3', QUEUE_SIZE: '1000' });
      return [hearTarget(hear), transcriptions];
    },
    async say() {
      // A download link outlives its response: that file is no leak.
      const say = await startSay({ DOWNLOAD_TTL_SECONDS: '1' });
      const good = () => say.post('/v1/audio/speech', { input: 'Good morning.' });
      return [{ service: say, good, inside: () => say.active() }, speeches];
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
      const outcomes = new Map<string, number>();
      await Promise.all(
        Array.from({ length: hangUps }, async (_, index) => {
          const random = new Random(2, index);
          await sleep(random.below(1000));
          const outcome = await hangUp(service.url, requests, random);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }),
      );
      console.log(`${hangUps} hang-ups on ${name}, seed ${seed}: ${counted(outcomes)}`);
      await expectAsBefore(target, before);
      expect(service.engines()).toEqual(engines);
      await service.stop();
    },
    patience,
  );
});

describe.skipIf(!hasSpeech)('an engine killed or stopped at random moments', () => {
  it(
    'takes no request with it',
    async () => {
      const hear = await startHear({ ENGINE_TIMEOUT_SECONDS: '6' });
      await hear.ready();
      const file = speechFile('jfk.flac');
      const expected = await (await hear.post({ file })).text();
      const before = await holdings(hear);
      for (let index = 0; index < kills; index++) {
        const random = new Random(3, index);
        // Wait for the new engine: a load that is killed fails its waiting requests.
        expect(await (await hear.post({ file })).text()).toBe(expected);
        await until(() => hear.engines().length === 1, 'one engine is left');
        const [engine] = hear.engines();
        const requests = Array.from({ length: 1 + random.below(3) }, async () => {
          await sleep(random.below(100));
          const answer = await hear.post({ file });
          return `${answer.status} ${await answer.text()}`;
        });
        await sleep(random.below(400));
        process.kill(engine!, random.of(['SIGKILL', 'SIGSTOP', 'SIGSEGV']));
        for (const answer of await Promise.all(requests)) expect(answer, `kill ${index}`).toBe(`200 ${expected}`);
        // A stopped idle engine is noticed by the next request.
        expect(await (await hear.post({ file })).text()).toBe(expected);
        await until(() => !hear.engines().includes(engine!), 'the engine has been replaced');
      }
      console.log(`${kills} engines killed or stopped, seed ${seed}`);
      await expectAsBefore(hearTarget(hear), before);
      await hear.stop();
    },
    patience,
  );
});
