import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectM4b } from '../../test/fixtures/m4b.ts';
import type { BookTags } from './book-tags.ts';
import { decodeAudio } from './decode.ts';
import { StreamEncoder } from './encode.ts';
import { OUTPUT_RATE } from './formats.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'm4b-'));
});
afterAll(() => rm(directory, { recursive: true }));

interface ChapterSound {
  title: string;
  samples: number;
}

interface Encoded {
  file: Buffer;
  /** As they were returned. */
  parts: Uint8Array[];
}

const SILENCE_SAMPLES = 2400;

/** Each chapter is a silence, then a tone. */
function encode(chapters: readonly ChapterSound[], { sampleRate = OUTPUT_RATE, tags = {} as BookTags } = {}): Encoded {
  const encoder = new StreamEncoder('m4b', { sampleRate, tags });
  const parts: Uint8Array[] = [];
  try {
    for (const { title, samples } of chapters) {
      encoder.startChapter(title);
      const sound = Float32Array.from({ length: samples }, (_, i) => (i < SILENCE_SAMPLES ? 0 : 0.5 * Math.sin(i / 3)));
      for (let i = 0; i < samples; i += 4800) parts.push(...encoder.write(sound.subarray(i, i + 4800)));
    }
    parts.push(...encoder.finish());
    return { file: Buffer.concat(parts), parts };
  } finally {
    encoder.close();
  }
}

async function inspect(file: Buffer) {
  const path = join(directory, 'inspected.m4b');
  await writeFile(path, file);
  return inspectM4b(path);
}

async function decode(file: Buffer): Promise<Float32Array> {
  const path = join(directory, 'decoded.m4b');
  await writeFile(path, file);
  const chunks: number[] = [];
  for await (const chunk of decodeAudio(path, { maxSeconds: 7200, sampleRate: OUTPUT_RATE })) chunks.push(...chunk);
  return Float32Array.from(chunks);
}

/** Types and sizes of the boxes of a file, or of those in a box. */
function boxes(bytes: Buffer): { type: string; content: Buffer }[] {
  const found: { type: string; content: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return found;
}

function boxAt(bytes: Buffer, ...path: string[]): Buffer {
  return path.reduce((content, type) => {
    const found = boxes(content).find((each) => each.type === type);
    if (!found) throw new Error(`There is no box ${type}`);
    return found.content;
  }, bytes);
}

const three: ChapterSound[] = [
  { title: 'One', samples: 50_001 },
  { title: 'Zwei: „Größe“ ♥ 𝄞', samples: 7_777 },
  { title: 'Trois', samples: 100_000 },
];
const starts = [0, 50_001, 57_778];
const total = 157_778;

describe('an m4b file', () => {
  it('lists its chapters, exact to the sample', async () => {
    const { chapters } = await inspect(encode(three).file);
    expect(chapters).toEqual(
      three.map(({ title, samples }, index) => ({ title, start: starts[index], duration: samples })),
    );
  });

  it.each([24_000, 16_000])('starts a chapter at the listed sample, from %i Hz', async (sampleRate) => {
    const { file } = encode(three, { sampleRate });
    const { chapters } = await inspect(file);
    const samples = await decode(file);
    const silence = (SILENCE_SAMPLES * OUTPUT_RATE) / sampleRate;
    for (const { start } of chapters.slice(1)) {
      const found = samples.findIndex((sample, index) => index > start && Math.abs(sample) > 0.1);
      expect(Math.abs(found - start - silence)).toBeLessThan(5);
    }
    const length = Math.round((total * OUTPUT_RATE) / sampleRate);
    expect(samples.length - length).toBeGreaterThanOrEqual(0);
    expect(samples.length - length).toBeLessThan(1024);
  });

  it('is sent as it is encoded, with the index at its end', () => {
    const { file, parts } = encode(three);
    const types = boxes(file).map(({ type }) => type);
    expect(types[0]).toBe('ftyp');
    expect(types.at(-1)).toBe('moov');
    expect(types.filter((type) => type === 'mdat').length).toBeGreaterThan(5);
    expect(types.length).toBe(2 + types.filter((type) => type === 'mdat').length);
    expect(parts.length).toBeGreaterThan(7);
  });

  it('is whole however long it is', async () => {
    const samples = 50 * OUTPUT_RATE;
    const { length } = await decode(encode([{ title: 'Long', samples }]).file);
    expect(length - samples).toBeGreaterThanOrEqual(0);
    expect(length - samples).toBeLessThan(1024);
  });

  it('has its tags and its cover', async () => {
    const cover = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5000, 7)]);
    const { file } = encode(three, { tags: { title: 'Émile', author: 'J.-J. R.', cover } });
    const { tags } = await inspect(file);
    expect(tags).toMatchObject({
      title: 'Émile',
      album: 'Émile',
      artist: 'J.-J. R.',
      genre: 'Audiobook',
      major_brand: 'M4B ',
    });
    const list = boxAt(file, 'moov', 'udta', 'meta').toString('latin1');
    expect(list).toContain('covr');
    expect(file.includes(cover)).toBe(true);
  });

  it('lists no chapter without a sound', async () => {
    const silent = { title: 'Silent', samples: 0 };
    const { file } = encode([silent, three[0]!, silent, silent, three[1]!, silent]);
    expect((await inspect(file)).chapters.map(({ title }) => title)).toEqual(['One', three[1]!.title]);
  });

  it('is complete without chapters, and without any audio', async () => {
    const encoder = new StreamEncoder('m4b', { sampleRate: OUTPUT_RATE });
    const bytes = [...encoder.write(new Float32Array(30_000)), ...encoder.finish()];
    encoder.close();
    const { chapters } = await inspect(Buffer.concat(bytes));
    expect(chapters).toEqual([]);
    expect(boxes(encode([]).file).map(({ type }) => type)).toEqual(['ftyp', 'moov']);
  });

  it('has every chapter in its track, and the first 255 in the list of Nero', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ title: `Chapter ${index + 1}`, samples: 1000 + index }));
    const { file } = encode(many);
    expect((await inspect(file)).chapters.map(({ title }) => title)).toEqual(many.map(({ title }) => title));
    const list = boxAt(file, 'moov', 'udta', 'chpl');
    expect(list[8]).toBe(255);
    const second = 9 + 8 + 1 + 'Chapter 1'.length;
    expect(list.readBigUInt64BE(second)).toBe(BigInt(Math.round((1000 * 1e7) / OUTPUT_RATE)));
  });

  it('cuts a title that is too long for the list at a whole character', () => {
    const { file } = encode([{ title: `a${'ü'.repeat(200)}`, samples: 2000 }]);
    const list = boxAt(file, 'moov', 'udta', 'chpl');
    expect(list[17]).toBe(255);
    expect(list.toString('utf8', 18, 18 + 255)).toBe(`a${'ü'.repeat(127)}`);
  });
});

const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;
if (!hasFfprobe) console.log('Skipped: a test of m4b with ffprobe, which is not on the PATH.');

it.skipIf(!hasFfprobe)('ffprobe shows the chapters of an m4b file and its cover', async () => {
  const path = join(directory, 'probed.m4b');
  // The smallest PNG: one pixel.
  const cover = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await writeFile(path, encode(three, { tags: { title: 'A', cover } }).file);
  const { stdout, stderr } = spawnSync(
    'ffprobe',
    ['-v', 'warning', '-of', 'json', '-show_chapters', '-show_streams', path],
    { encoding: 'utf8' },
  );
  const { chapters, streams } = JSON.parse(stdout);
  // FFmpeg reports both for the files that it writes, too: one for a chapter track, one for a cover.
  const usual = /Unsupported codec with id \d+ for input stream \d+|.*timescale not set/g;
  expect(stderr.replace(usual, '').trim()).toBe('');
  expect(chapters.map(({ start, end, tags: { title } }: never) => ({ start, end, title }))).toEqual(
    three.map(({ title }, index) => ({ title, start: starts[index], end: starts[index + 1] ?? total })),
  );
  const picture = streams.find(
    ({ disposition }: { disposition: { attached_pic: number } }) => disposition.attached_pic,
  );
  expect(picture).toMatchObject({ codec_name: 'png', width: 1 });
});
