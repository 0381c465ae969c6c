import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inflatingTag, repeatedEdits, replaceBoxes, uint32s, withChunk } from './fixtures/hostile-media.ts';
import { type Clip, type MediaKind, writeMedia } from './fixtures/media.ts';
import { childrenOf, endAll, type Hear, isRunning, startHear, until } from './fixtures/service.ts';
import { hasSpeech, readSpeech, speechFile, speechText, wordErrorRate } from './fixtures/speech.ts';

// Small uploads that cost FFmpeg minutes or gigabytes. None may cost the engine or another request anything.

const RATE = 16_000;
let folder: string;
let hear: Hear;
let engine: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-bombs-'));
  hear = await startHear({ MAX_CONCURRENCY: '8', ENGINE_TIMEOUT_SECONDS: '10' });
  await hear.ready();
  engine = hear.engines()[0]!;
});
afterAll(async () => {
  try {
    await until(async () => (await hear.metric('hearsay_queue_active')) === 0, 'no request is active');
    expect(hear.engines()).toEqual([engine]);
    expect(await hear.tempFiles()).toEqual([]);
    const decoders = childrenOf(engine);
    await hear.stop();
    await until(() => !decoders.some(isRunning), 'the decoders have ended');
  } finally {
    await endAll();
    await rm(folder, { recursive: true, force: true });
  }
});

const tone = new Float32Array(2 * RATE).map((_, index) => 0.01 * Math.sin(index / 5));

async function media(kind: MediaKind, clip: Partial<Clip> = {}): Promise<Buffer<ArrayBuffer>> {
  const path = join(folder, 'media');
  await writeMedia(path, kind, { samples: tone, sampleRate: RATE, ...clip });
  return readFile(path);
}

async function post(file: Uint8Array, fields: Record<string, string> = {}) {
  const response = await hear.post({ file: Uint8Array.from(file), fields });
  return { status: response.status, text: await response.text() };
}

describe('hear', () => {
  it('is not stopped by tags that inflate to gigabytes', async () => {
    const tag = inflatingTag(20_000_000);
    const wav = await media('wav s16');
    const aiff = await media('aiff');
    const mp3 = Buffer.concat([tag, await media('mp3')]);
    const uploads = [
      mp3,
      mp3,
      mp3,
      mp3,
      withChunk(wav, 'id3 ', tag, 'front'),
      withChunk(aiff, 'ID3 ', tag, 'back'),
      wav,
    ];
    const answers = await Promise.all(uploads.map((upload) => post(upload)));
    expect(answers.map(({ status }) => status)).toEqual(uploads.map(() => 200));
  });

  it('refuses an index of 30 million samples, and plays repeated edits once', async () => {
    const m4a = await media('m4a moov last');
    const withTable = (table: string, content: Buffer) =>
      replaceBoxes(m4a, (type) => (type === table ? content : undefined));
    const [samples, edits, wav] = await Promise.all([
      post(withTable('stsz', uint32s(0, 1, 30_000_000))),
      post(withTable('elst', repeatedEdits(1000, RATE)), { response_format: 'verbose_json' }),
      post(await media('wav s16')),
    ]);
    expect(samples.status).toBe(400);
    expect(JSON.parse(samples.text).error).toMatchObject({ param: 'file', message: expect.stringMatching(/index/) });
    expect(edits.status).toBe(200);
    expect(JSON.parse(edits.text).duration).toBeLessThan(2.2);
    expect(wav.status).toBe(200);
  });

  it('transcribes hours of digital silence as nothing', async () => {
    const flac = await media('flac', { samples: new Float32Array(4 * 3600 * 1000), sampleRate: 1000 });
    const { status, text } = await post(flac, { response_format: 'verbose_json' });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ text: '', duration: 14_400 });
  });

  it('answers a request whose decoder is killed or stopped', async () => {
    const long = await media('wav s16', {
      samples: new Float32Array(600 * RATE).map((_, i) => 0.2 * Math.sin(i / 9)),
    });
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      const before = childrenOf(engine);
      const answer = post(long, { response_format: 'verbose_json' });
      await until(async () => (await hear.metric('hearsay_queue_active')) === 1, 'the request is active');
      for (const decoder of before) process.kill(decoder, signal);
      const { status, text } = await answer;
      expect(status, text).toBe(200);
      expect(JSON.parse(text).duration).toBe(600);
      await until(() => !before.some(isRunning), 'the decoders have ended');
    }
  });

  it.skipIf(!hasSpeech).each(['mp4 video', 'webm video', 'mpegts video'] as const)(
    'gives the words of a film their times: %s',
    async (kind) => {
      const samples = await readSpeech(speechFile('jfk.flac'));
      const plain = await media(kind, { samples });
      const late = await media(kind, {
        samples,
        moves: [
          { from: -1, by: 5 },
          { from: 2.9, by: 10 },
        ],
      });
      const ask = async (file: Uint8Array) => {
        const fields = { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
        const { status, text } = await post(file, fields);
        expect(status, text).toBe(200);
        return JSON.parse(text) as { text: string; words: { word: string; start: number }[] };
      };
      const [expected, found] = [await ask(plain), await ask(late)];
      // Cut at the gap, the model hears a word differently.
      expect(wordErrorRate(found.text, speechText('jfk.txt'))).toBeLessThan(0.1);
      const once = expected.words.filter(
        ({ word }) => expected.words.filter((other) => other.word === word).length === 1,
      );
      const common = once.filter(({ word }) => found.words.some((other) => other.word === word));
      expect(common.length).toBeGreaterThan(5);
      for (const { word, start } of common) {
        const moved = start + (start < 2.9 ? 5 : 15);
        expect(Math.abs(found.words.find((other) => other.word === word)!.start - moved), word).toBeLessThan(0.5);
      }
    },
  );
});
