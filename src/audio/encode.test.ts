import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeAudio } from './decode.ts';
import { StreamEncoder } from './encode.ts';
import { type AudioFormat, audioFormats, OUTPUT_RATE } from './formats.ts';
import { WAV_HEADER_BYTES, wavHeader } from './wav.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'encode-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Delay of the decoded audio in samples, for formats that cannot state it. */
const delays: Record<AudioFormat, number> = { m4b: 0, mp3: 529, opus: 0, flac: 0, wav: 0, pcm: 0, aac: 1024 };
/** Samples of silence that may follow the audio. */
const tails: Record<AudioFormat, number> = { m4b: 1023, mp3: 670, opus: 0, flac: 0, wav: 0, pcm: 0, aac: 1023 };

/** Low noise with a slow envelope: every codec keeps it, and it correlates with itself at one alignment only. */
function noise(samples: number): Float32Array {
  let [state, a, b] = [1, 0, 0];
  return Float32Array.from({ length: samples }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    a += 0.3 * (state / 2 ** 32 - 0.5 - a);
    b += 0.3 * (a - b);
    return 1.2 * b * (1 + 0.5 * Math.sin(i / 4_000));
  });
}

function encode(
  format: AudioFormat,
  samples: Float32Array,
  { sampleRate = OUTPUT_RATE, chunkLength = 480 } = {},
): Buffer {
  const encoder = new StreamEncoder(format, { sampleRate });
  try {
    const parts: Uint8Array[] = [];
    for (let i = 0; i < samples.length; i += chunkLength)
      parts.push(...encoder.write(samples.subarray(i, i + chunkLength)));
    return Buffer.concat([...parts, ...encoder.finish()]);
  } finally {
    encoder.close();
  }
}

async function decode(format: AudioFormat, bytes: Buffer): Promise<Float32Array> {
  const path = join(directory, `sound.${format}`);
  await writeFile(path, format === 'pcm' ? Buffer.concat([wavHeader(OUTPUT_RATE, bytes.length), bytes]) : bytes);
  const samples: number[] = [];
  for await (const chunk of decodeAudio(path, { maxSeconds: 60, sampleRate: OUTPUT_RATE })) samples.push(...chunk);
  return Float32Array.from(samples);
}

function correlation(a: Float32Array, b: Float32Array, lag: number): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const y = b[i + lag] ?? 0;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

const quantized = (samples: Float32Array) => samples.map((value) => Math.round(value * 32_768) / 32_768);
const largestDifference = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);

describe.each(audioFormats)('StreamEncoder, %s', (format) => {
  const lossless = format === 'wav' || format === 'pcm' || format === 'flac';

  it.each([
    ['one sample', 1],
    ['10 ms', 240],
    ['20 ms', 480],
    ['0.333 s', 7_992],
    ['a frame and a sample', 24_193],
    ['10 s', 240_000],
  ])('encodes all of %s', async (_, length) => {
    const input = noise(length);
    const bytes = encode(format, input);
    // FFmpeg resamples so short audio from 48 kHz to nothing; the granule positions are tested below.
    if (format === 'opus' && length === 1) return;
    const output = await decode(format, bytes);
    // A shorter file would not be recognized: see MIN_FRAMES.
    const expected = format === 'mp3' ? Math.max(length, 3_456) : format === 'aac' ? Math.max(length, 2_048) : length;
    const excess = output.length - expected - delays[format];
    expect(excess).toBeGreaterThanOrEqual(0);
    expect(excess).toBeLessThanOrEqual(tails[format]);
    if (lossless) expect(largestDifference(output, quantized(input))).toBe(0);
    else if (length > 1_000) expect(correlation(input, output, delays[format])).toBeGreaterThan(0.98);
  });

  it('encodes empty audio as a valid file', async () => {
    const bytes = encode(format, new Float32Array());
    if (format === 'mp3' || format === 'aac') {
      expect((await decode(format, bytes)).every((value) => Math.abs(value) < 1e-3)).toBe(true);
    } else {
      await expect(decode(format, bytes)).rejects.toThrow('No audio could be decoded');
    }
  });

  it.each([0, 1, 100, 250, 400, 570, 575])(
    'does not lose a click at the end (%i samples into a frame)',
    async (extra) => {
      const input = new Float32Array(24_000 + extra);
      // 1 kHz for 4 ms: the shortest sound that a speech codec must keep.
      const start = input.length - 100;
      for (let i = 0; i < 96; i++) input[start + i] = 0.8 * Math.sin((i / OUTPUT_RATE) * 2 * Math.PI * 1_000);
      const output = await decode(format, encode(format, input));
      const click = output.subarray(start + delays[format], start + delays[format] + 100);
      expect(correlation(input.subarray(start), click, 0)).toBeGreaterThan(0.8);
      expect(Math.hypot(...click) / Math.hypot(...input.subarray(start))).toBeGreaterThan(0.7);
    },
  );

  it('keeps a click at the start', async () => {
    const input = new Float32Array(24_000);
    for (let i = 0; i < 240; i++) input[i] = 0.8 * Math.sin((i / OUTPUT_RATE) * 2 * Math.PI * 1_000);
    const output = await decode(format, encode(format, input));
    const click = output.subarray(delays[format], delays[format] + 240);
    expect(Math.hypot(...click) / Math.hypot(...input)).toBeGreaterThan(0.7);
  });

  it('returns bytes early', () => {
    const encoder = new StreamEncoder(format, { sampleRate: 16_000 });
    // mp3 looks ahead two frames, AAC one; a chunk of m4b is a second.
    const frames = { m4b: 60, mp3: 6, aac: 6, flac: 3, opus: 2, wav: 1, pcm: 1 }[format];
    let bytes = 0;
    for (let i = 0; i < frames; i++) for (const part of encoder.write(new Float32Array(320))) bytes += part.length;
    encoder.close();
    const headers = { m4b: 40, mp3: 0, aac: 0, flac: 42, opus: 0, wav: WAV_HEADER_BYTES, pcm: 0 }[format];
    expect(bytes).toBeGreaterThan(headers);
  });

  it('resamples without artifacts between chunks', async () => {
    const tone = (rate: number, length: number) =>
      Float32Array.from({ length }, (_, i) => 0.5 * Math.sin((i / rate) * 2 * Math.PI * 440));
    const input = tone(16_000, 16_000);
    const output = await decode(format, encode(format, input, { sampleRate: 16_000, chunkLength: 317 }));
    const expected = tone(OUTPUT_RATE, 24_000);
    const excess = output.length - 24_000 - delays[format];
    expect(excess).toBeGreaterThanOrEqual(0);
    expect(excess).toBeLessThanOrEqual(tails[format]);
    const middle = output.subarray(2_400 + delays[format], 21_600 + delays[format]);
    // AAC saves bits on a plain tone.
    const bound = lossless ? 1e-3 : 0.1;
    expect(largestDifference(expected.subarray(2_400, 21_600), middle)).toBeLessThan(bound);
  });

  it('clips loud samples and turns NaN into silence', async () => {
    const input = Float32Array.from({ length: 4_800 }, (_, i) => [Number.NaN, Infinity, -Infinity, 5, -5][i % 5]!);
    const output = await decode(format, encode(format, input));
    expect(output.every((value) => Math.abs(value) < 2)).toBe(true);
    if (!lossless) return;
    expect([...output.subarray(0, 5)]).toEqual([0, 32_767 / 32_768, -1, 32_767 / 32_768, -1]);
  });

  it('returns the same audio for any chunk size', async () => {
    const input = noise(6_000);
    const whole = await decode(format, encode(format, input, { chunkLength: 6_000 }));
    for (const chunkLength of [1, 480, 1_001]) {
      expect(largestDifference(whole, await decode(format, encode(format, input, { chunkLength })))).toBe(0);
    }
  });
});

describe('Ogg Opus', () => {
  interface Page {
    flags: number;
    granule: number;
    sequence: number;
    bytes: number;
  }

  function pages(file: Buffer): Page[] {
    const found: Page[] = [];
    for (let offset = 0; offset < file.length; ) {
      expect(file.toString('latin1', offset, offset + 4)).toBe('OggS');
      const lacing = file.subarray(offset + 27, offset + 27 + file[offset + 26]!);
      const bytes = 27 + lacing.length + lacing.reduce((sum, value) => sum + value, 0);
      found.push({
        flags: file[offset + 5]!,
        granule: Number(file.readBigInt64LE(offset + 6)),
        sequence: file.readUInt32LE(offset + 18),
        bytes,
      });
      offset += bytes;
    }
    return found;
  }

  it.each([0, 1, 480, 48_000])('states exactly %i samples, in pages of at most a second', (length) => {
    for (const chunkLength of [480, 48_000]) {
      const file = encode('opus', noise(length), { chunkLength });
      const found = pages(file);
      const preSkip = file.readUInt16LE(28 + 10);
      expect(preSkip).toBeGreaterThan(0);
      expect(found.map(({ sequence }) => sequence)).toEqual(found.map((_, index) => index));
      expect(found.map(({ flags }) => flags)).toEqual(
        found.map((_, i) => (i === 0 ? 2 : i === found.length - 1 ? 4 : 0)),
      );
      expect(found.at(-1)!.granule).toBe(preSkip + 2 * length);
      const steps = found.slice(1).map(({ granule }, i) => granule - found[i]!.granule);
      expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...steps)).toBeLessThanOrEqual(48_000);
    }
  });

  it('splits packets of any size into pages', () => {
    // One second of packets: more segments than fit into a page.
    expect(pages(encode('opus', noise(240_000), { chunkLength: 240_000 })).length).toBeGreaterThanOrEqual(10);
  });
});

describe('wav', () => {
  const input = noise(1_000);
  const streamed = encode('wav', input);
  /** The file with its final header. */
  const withSizes = (file: Buffer) =>
    Buffer.concat([wavHeader(24_000, file.length - WAV_HEADER_BYTES), file.subarray(WAV_HEADER_BYTES)]);

  it('states unknown sizes while streaming and exact ones when complete', () => {
    expect([streamed.readUInt32LE(4), streamed.readUInt32LE(40)]).toEqual([0xffffffff, 0xffffffff]);
    const whole = withSizes(streamed);
    expect([whole.readUInt32LE(4), whole.readUInt32LE(40)]).toEqual([whole.length - 8, 2_000]);
    expect(whole.length).toBe(streamed.length);
  });

  it('has a header for 16-bit mono at 24 kHz', async () => {
    expect(streamed.subarray(0, 4).toString()).toBe('RIFF');
    expect(streamed.subarray(8, 16).toString()).toBe('WAVEfmt ');
    expect([16, 20, 22, 32, 34].map((offset) => streamed.readUInt16LE(offset))).toEqual([16, 1, 1, 2, 16]);
    expect([24, 28].map((offset) => streamed.readUInt32LE(offset))).toEqual([24_000, 48_000]);
    expect(await decode('wav', withSizes(streamed))).toEqual(quantized(input));
  });

  it('states an empty file', () => {
    const empty = withSizes(encode('wav', new Float32Array()));
    expect([empty.length, empty.readUInt32LE(4), empty.readUInt32LE(40)]).toEqual([44, 36, 0]);
  });
});

describe('the final header of flac', () => {
  it.each([1, 576, 577, 24_193, 100_000])('has the length and the MD5 of %i samples', (length) => {
    const encoder = new StreamEncoder('flac', { sampleRate: OUTPUT_RATE });
    const input = noise(length);
    const sent = Buffer.concat([...encoder.write(input), ...encoder.finish()]);
    const header = Buffer.from(encoder.finalHeader()!);
    encoder.close();
    expect([sent.readUInt32BE(22), header.readUInt32BE(22)]).toEqual([0, length]);
    expect(header.subarray(0, 8)).toEqual(sent.subarray(0, 8));
    const samples = Int16Array.from(input, (value) => Math.min(Math.round(value * 32_768), 32_767));
    const md5 = createHash('md5').update(new Uint8Array(samples.buffer)).digest('hex');
    expect(header.subarray(26, 42).toString('hex')).toBe(md5);
  });

  it('is of flac only', () => {
    for (const format of audioFormats.filter((each) => each !== 'flac')) {
      const encoder = new StreamEncoder(format, { sampleRate: OUTPUT_RATE });
      encoder.finish();
      expect(encoder.finalHeader()).toBeUndefined();
      encoder.close();
    }
  });
});

it.each(audioFormats)('the same samples are the same bytes of %s', (format) => {
  const input = noise(24_000);
  expect(encode(format, input).equals(encode(format, input))).toBe(true);
});
