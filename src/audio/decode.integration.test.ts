import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MediaKind, mediaKinds, writeMedia } from '../../test/fixtures/media.ts';
import { HearsayError } from '../errors.ts';
import { type DecodeOptions, decodeAudio } from './decode.ts';

const RATE = 16_000;
const speech = fileURLToPath(new URL('../../../shared/audio', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'decode-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Noise below 2 kHz with a slow envelope: it correlates with itself at one alignment only. */
const clip = band(3);

function band(seconds: number): Float32Array {
  const random = generator(1);
  const samples = new Float32Array(seconds * RATE);
  let [a, b] = [0, 0];
  for (let i = 0; i < samples.length; i++) {
    a += 0.4 * (random() - 0.5 - a);
    b += 0.4 * (a - b);
    samples[i] = b * (1 + Math.sin(i / 3_000));
  }
  return samples;
}

/** Mulberry32: reproducible numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function decode(path: string, options: Partial<DecodeOptions> = {}): Promise<Float32Array> {
  const chunks: Float32Array[] = [];
  for await (const chunk of decodeAudio(path, { maxSeconds: 600, ...options })) chunks.push(chunk);
  return join32(chunks);
}

function join32(chunks: Float32Array[]): Float32Array {
  const samples = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    samples.set(chunk, offset);
    offset += chunk.length;
  }
  return samples;
}

async function failure(path: string, options: Partial<DecodeOptions> = {}): Promise<HearsayError> {
  const error = await decode(path, options).then(
    (samples) => expect.fail(`decoded ${samples.length} samples`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HearsayError);
  return error as HearsayError;
}

/** Correlation of `a` from half a second on with `b`, `lag` samples later. */
function correlation(a: Float32Array, b: Float32Array, lag: number, seconds = 1.5): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = RATE / 2; i < (0.5 + seconds) * RATE; i++) {
    const [x, y] = [a[i]!, b[i + lag] ?? 0];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

/** A hand-written wav file, so that expectations do not depend on the library under test. */
function wav({ samples, channels = 1, rate = RATE, format = 1, bits = 16 }: Wav): Buffer {
  const data = Buffer.alloc((samples.length * bits) / 8);
  for (let i = 0; i < samples.length; i++) {
    if (format === 3) data.writeFloatLE(samples[i]!, i * 4);
    else data.writeInt16LE(samples[i]!, i * 2);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(format, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE((rate * channels * bits) / 8 > 0xffffffff ? 0 : (rate * channels * bits) / 8, 28);
  header.writeUInt16LE(((channels * bits) / 8) & 0xffff, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
interface Wav {
  samples: ArrayLike<number>;
  channels?: number;
  rate?: number;
  format?: number;
  bits?: number;
}

async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function media(kind: MediaKind, samples = clip): Promise<string> {
  const path = join(directory, kind.replaceAll(' ', '-'));
  await writeMedia(path, kind, { samples, sampleRate: RATE });
  return path;
}

describe('decodeAudio', () => {
  // Raw ADTS, MPEG-TS and fragments cannot state AAC's delay of 1024 samples, nor ASF that of WMA.
  const shift: Partial<Record<MediaKind, number>> = {
    aac: 1024,
    'mpegts video': 1024,
    'm4a in fragments': 1024,
    wma: -512,
  };

  it.each(mediaKinds)('decodes %s', async (kind) => {
    const samples = await decode(await media(kind));
    const lag = shift[kind] ?? 0;
    expect(Math.abs(samples.length - clip.length)).toBeLessThanOrEqual(lag === 0 ? 80 : 2048);
    expect(correlation(clip, samples, lag)).toBeGreaterThan(0.9);
  });

  it.each(mediaKinds)('decodes %s in the middle of a file', async (kind) => {
    const whole = await media(kind);
    const bytes = await readFile(whole);
    const path = await file('parts', Buffer.concat([Buffer.alloc(777, 'ID3'), bytes, bytes]));
    const samples = await decode(path, { part: { start: 777, end: 777 + bytes.length } });
    expect(samples).toEqual(await decode(whole));
  });

  it('returns the exact samples of a 16 kHz mono wav, in chunks that stay valid', async () => {
    const integers = Int16Array.from({ length: 50_001 }, (_, i) => ((i * 7919) % 65_536) - 32_768);
    const path = await file('exact.wav', wav({ samples: integers }));
    const chunks: Float32Array[] = [];
    for await (const chunk of decodeAudio(path, { maxSeconds: 10 })) chunks.push(chunk);
    expect(chunks.slice(0, -1).every((chunk) => chunk.length === RATE / 2)).toBe(true);
    expect(join32(chunks)).toEqual(Float32Array.from(integers, (value) => value / 32_768));
  });

  it.each([2, 3, 6, 8, 11])('mixes %d channels to their mean', async (channels) => {
    const frames = 4_000;
    const samples = Int16Array.from({ length: frames * channels }, (_, i) => 20_000 * ((i % channels) % 2));
    const path = await file('channels.wav', wav({ samples, channels }));
    const mono = await decode(path);
    expect(mono.length).toBe(frames);
    const mean = (20_000 / 32_768) * (Math.floor(channels / 2) / channels);
    for (const value of mono) expect(value).toBeCloseTo(mean, 5);
  });

  it('mixes surround sound as for stereo, without dropping a channel', async () => {
    const frames = 4_000;
    // 5.1: front left, right, center, low frequencies, two at the back.
    for (const [channel, level] of [1, 1, Math.SQRT2, Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2].entries()) {
      const samples = Int16Array.from({ length: frames * 6 }, (_, i) => (i % 6 === channel ? 20_000 : 0));
      const plain = wav({ samples, channels: 6 });
      const extension = Buffer.from('160010003f0000000100000000001000800000aa00389b71', 'hex');
      const extensible = Buffer.concat([plain.subarray(0, 36), extension, plain.subarray(36)]);
      extensible.writeUInt32LE(plain.readUInt32LE(4) + extension.length, 4);
      extensible.writeUInt32LE(16 + extension.length, 16);
      extensible.writeUInt16LE(0xfffe, 20);
      const mono = await decode(await file('surround.wav', extensible));
      expect(mono.length).toBe(frames);
      const expected = ((20_000 / 32_768) * level) / (2 + Math.SQRT2 + 3 * Math.SQRT1_2);
      for (const value of mono) expect(value).toBeCloseTo(expected, 5);
    }
  });

  it.each([
    ['stereo', [1, -1]],
    ['stereo, one side quieter', [1, -0.8]],
    ['four microphones', [1, -1, 1, -1]],
  ])('keeps the speech of channels in antiphase: %s', async (_, levels) => {
    const channels = levels.length;
    const samples = Int16Array.from({ length: clip.length * channels }, (_, i) => {
      return 20_000 * clip[Math.floor(i / channels)]! * levels[i % channels]!;
    });
    const mono = await decode(await file('antiphase.wav', wav({ samples, channels })));
    expect(mono.length).toBe(clip.length);
    const level = (20_000 / 32_768) * (levels.reduce((sum, each) => sum + Math.abs(each), 0) / channels);
    for (let i = RATE / 2; i < RATE; i++) expect(mono[i]).toBeCloseTo(clip[i]! * level, 3);
  });

  it('keeps the speech of channels in antiphase above noise that they do not share', async () => {
    const random = generator(3);
    const noise = Float32Array.from({ length: clip.length * 2 }, () => 0.1 * (random() - 0.5));
    const samples = Int16Array.from(noise, (value, i) => {
      return 20_000 * (value + clip[Math.floor(i / 2)]! * (i % 2 === 0 ? 1 : -1));
    });
    const mono = await decode(await file('noisy.wav', wav({ samples, channels: 2 })));
    expect(correlation(clip, mono, 0)).toBeGreaterThan(0.9);
  });

  it('keeps speech in both channels between sound in antiphase, even if it is quieter', async () => {
    const samples = Int16Array.from({ length: clip.length * 2 }, (_, i) => {
      const isSpeech = Math.floor(i / 2 / RATE) === 1;
      return 20_000 * clip[Math.floor(i / 2)]! * (isSpeech ? 0.3 : i % 2 === 0 ? 1 : -1);
    });
    const mono = await decode(await file('mixed.wav', wav({ samples, channels: 2 })));
    const loud = 20_000 / 32_768;
    for (let i = RATE + RATE / 4; i < 2 * RATE - RATE / 4; i++) expect(mono[i]).toBeCloseTo(0.3 * clip[i]! * loud, 3);
    for (let i = 2 * RATE + RATE / 2; i < 3 * RATE; i++) expect(mono[i]).toBeCloseTo(clip[i]! * loud, 3);
  });

  it('preserves full scale in both channels', async () => {
    const path = await file('loud.wav', wav({ samples: new Int16Array(8_000).fill(32_767), channels: 2 }));
    expect(Math.max(...(await decode(path)))).toBeCloseTo(32_767 / 32_768, 5);
  });

  it.each([8_000, 11_025, 44_100, 48_000, 192_000])(
    'preserves pitch and length when resampling from %d Hz',
    async (rate) => {
      const samples = Int16Array.from({ length: rate }, (_, i) => 16_000 * Math.sin((2 * Math.PI * 440 * i) / rate));
      const mono = await decode(await file('rate.wav', wav({ samples, rate })));
      expect(Math.abs(mono.length - RATE)).toBeLessThanOrEqual(16);
      const sine = Float32Array.from(mono, (_, i) => Math.sin((2 * Math.PI * 440 * i) / RATE));
      let product = 0;
      for (let i = 0; i < mono.length; i++) product += mono[i]! * sine[i]!;
      expect((2 * product) / mono.length).toBeCloseTo(16_000 / 32_768, 2);
    },
  );

  it('resamples to a given rate', async () => {
    expect((await decode(await media('wav s16'), { sampleRate: 24_000 })).length).toBe(clip.length * 1.5);
  });

  it('replaces NaN and limits infinite samples', async () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, -3e38, 0.25];
    const path = await file('nan.wav', wav({ samples: values, format: 3, bits: 32 }));
    expect([...(await decode(path))]).toEqual([0, 0, 0, 32_768, -32_768, 0.25]);
  });

  it.each([
    ['garbage', Buffer.from(Array.from({ length: 40_000 }, (_, i) => (i * i * 31) & 255))],
    ['empty', ''],
    ['text', 'Ask not what your country can do for you.\n'.repeat(100)],
    [
      'image',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    ['wav without a sample', wav({ samples: [] })],
    ['wav of 65535 channels', wav({ samples: new Int16Array(70_000), channels: 65_535 })],
    ['wav of 4 GHz', wav({ samples: new Int16Array(8_000), rate: 4_000_000_000 })],
    ['wav of 1 Hz', wav({ samples: new Int16Array(8_000), rate: 1 })],
    ['wav of 0 Hz', wav({ samples: new Int16Array(8_000), rate: 0 })],
  ])('rejects %s', async (name, content) => {
    const error = await failure(await file(name, content));
    expect(error).toMatchObject({ code: 'invalid_audio', param: 'file' });
    expect(error.message).not.toContain(directory);
  });

  it.each([
    ['speech.mp3', 'The file is not audio but the text "speech.mp3". With curl, put an @ before the name: @speech.mp3'],
    [
      '@speech.mp3',
      'The file is not audio but the text "@speech.mp3". Only curl -F reads the file named after an @; other programs must send its content.',
    ],
    ['/home/me/Übung 1.m4a\n', /the text "\/home\/me\/Übung 1\.m4a"/],
    ['https://example.com/speech.mp3', 'The file is not audio in a supported format.'],
    ['No. 1 is a text.', 'The file is not audio in a supported format.'],
    [`${'a'.repeat(2000)}.mp3`, 'The file is not audio in a supported format.'],
  ])('names the mistake in a file that holds only a name: %s', async (content, message) => {
    expect(await failure(await file('name', Buffer.from(content)))).toMatchObject({
      code: 'invalid_audio',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('rejects a file with only video', async () => {
    const path = join(directory, 'silent film');
    await writeMedia(path, 'mp4 video only', { samples: clip, sampleRate: RATE });
    expect(await failure(path)).toMatchObject({ code: 'invalid_audio', param: 'file' });
  });

  it('rejects a missing file with the error of the file system', async () => {
    await expect(decode(join(directory, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['wav s16', 'mp3', 'flac', 'ogg opus', 'm4a moov first', 'webm opus'] as const)(
    'decodes a truncated %s as far as it goes',
    async (kind) => {
      const path = await media(kind);
      await truncate(path, Math.floor((await readFile(path)).length * 0.6));
      const seconds = (await decode(path)).length / RATE;
      expect(seconds).toBeGreaterThan(0.9);
      expect(seconds).toBeLessThan(2.5);
    },
  );

  it.each(['matroska pcm', 'm4a moov first', 'mpegts video'] as const)(
    'decodes each of several tracks in %s, and nothing beyond the last one',
    async (kind) => {
      const path = join(directory, 'three-tracks');
      const tracks = [3, 2, 1].map((seconds) => ({ samples: band(seconds), sampleRate: RATE }));
      await writeMedia(path, kind, tracks[0]!, tracks.slice(1));
      const lengths = await Promise.all(
        [0, 1, 2, 3].map(async (track) => (await decode(path, { track })).length / RATE),
      );
      expect(lengths.map(Math.round)).toEqual([3, 2, 1, 0]);
      expect(lengths[3]).toBe(0);
    },
  );

  it('took a track of which nothing can be decoded for the end of the tracks', async () => {
    const path = join(directory, 'damaged-track');
    const whole = { samples: band(1), sampleRate: RATE };
    await writeMedia(path, 'matroska pcm', whole, [{ samples: new Float32Array(1), sampleRate: 8000 }, whole]);
    // Turns its only sample, of 16 bits, into an incomplete one of 24.
    const bytes = await readFile(path);
    const bitDepth = Buffer.of(0x62, 0x64, 0x81, 16);
    bytes[bytes.indexOf(bitDepth, bytes.indexOf(bitDepth) + 1) + 3] = 24;
    await writeFile(path, bytes);
    expect(await failure(path, { track: 1 })).toMatchObject({ code: 'invalid_audio' });
    expect((await decode(path, { track: 2 })).length).toBe(RATE);
  });

  it.each([
    ['in the audio', 0.6],
    ['in the index', -700],
  ])('says that an m4a cut off %s, whose index comes last, is incomplete', async (_, end) => {
    const path = await media('m4a moov last');
    const { length } = await readFile(path);
    await truncate(path, end < 0 ? length + end : Math.floor(length * end));
    const error = await failure(path);
    expect(error).toMatchObject({ code: 'invalid_audio', param: 'file' });
    expect(error.message).toBe('The file is incomplete: its index is missing or cut off.');
  });

  it.each(['mp3', 'm4a moov first', 'ogg opus', 'flac'] as const)(
    'skips corrupt packets in the middle of %s',
    async (kind) => {
      const path = await media(kind);
      const bytes = await readFile(path);
      const middle = Math.floor(bytes.length / 2);
      await writeFile(path, bytes.fill(0x55, middle, middle + 500));
      const samples = await decode(path);
      expect(samples.length).toBeGreaterThan(1.9 * RATE);
      expect(samples.length).toBeLessThan(3.2 * RATE);
      // A lost Ogg page is one second; everything before it must be unchanged.
      expect(correlation(clip, samples, 0, 0.4)).toBeGreaterThan(0.9);
    },
  );

  it('decodes a clip of one packet that was cut within a sample', async () => {
    const whole = wav({ samples: new Float32Array(100).fill(0.5) });
    const cut = await file('cut-within-a-sample.wav', whole.subarray(0, -1));
    expect((await decode(cut)).length).toBe(99);
    expect((await failure(await file('half-a-sample.wav', whole.subarray(0, 45)))).code).toBe('invalid_audio');
  });

  it.each(['aac', 'm4a moov first'] as const)('rejects %s of which most is damaged', async (kind) => {
    const path = await media(kind, band(20));
    const bytes = await readFile(path);
    const random = generator(2);
    for (let i = 4096; i < bytes.length; i++) bytes[i] = Math.floor(256 * random());
    await writeFile(path, bytes);
    const error = await failure(path);
    expect(error).toMatchObject({ code: 'invalid_audio', param: 'file' });
    expect(error.message).toMatch(/^Most of the recording is damaged: \d+ of \d+ packets could not be decoded\.$/);
  });

  it.each(mediaKinds)('stops at maxSeconds in %s', async (kind) => {
    const error = await failure(await media(kind), { maxSeconds: 1.5 });
    expect(error).toMatchObject({ code: 'audio_too_long', param: 'file' });
    expect(error.message).toContain('1.5 seconds');
  });

  it('accepts a recording of exactly maxSeconds', async () => {
    expect((await decode(await media('wav s16'), { maxSeconds: 3 })).length).toBe(clip.length);
  });

  it('enforces maxSeconds if a header understates the length', async () => {
    const path = await media('flac');
    const bytes = await readFile(path);
    // The low 32 of the 36 bits that count samples in STREAMINFO.
    bytes.writeUInt32BE(1_000, 4 + 4 + 14);
    await writeFile(path, bytes);
    expect(await failure(path, { maxSeconds: 1 })).toMatchObject({ code: 'audio_too_long' });
  });

  it('rejects a stated length above maxSeconds before decoding', async () => {
    const path = await media('flac', band(4));
    let samples = 0;
    const run = async () => {
      for await (const chunk of decodeAudio(path, { maxSeconds: 2 })) samples += chunk.length;
    };
    await expect(run()).rejects.toMatchObject({ code: 'audio_too_long' });
    expect(samples).toBe(0);
  });

  it('rejects with the abort reason before, at the start and in the middle of decoding', async () => {
    const path = await media('wav s16', band(60));
    const reason = new Error('gone');
    await expect(decode(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const early = new AbortController();
    const promise = decode(path, { signal: early.signal });
    early.abort(reason);
    await expect(promise).rejects.toBe(reason);

    const late = new AbortController();
    let chunks = 0;
    const run = async () => {
      for await (const _ of decodeAudio(path, { maxSeconds: 600, signal: late.signal })) {
        if (++chunks === 3) late.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(chunks).toBe(3);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('closes the file whichever way it ends', async () => {
    const path = await media('m4a moov last', band(10));
    const text = await file('prose', 'no audio at all');
    await decode(path);
    const open = (await readdir('/proc/self/fd')).length;
    for (let i = 0; i < 20; i++) {
      for await (const _ of decodeAudio(path, { maxSeconds: 600 })) break;
      await failure(path, { maxSeconds: 1 });
      await failure(text);
      const consumer = async () => {
        for await (const _ of decodeAudio(path, { maxSeconds: 600 })) throw new Error('consumer');
      };
      await expect(consumer()).rejects.toThrow('consumer');
    }
    expect((await readdir('/proc/self/fd')).length).toBeLessThan(open + 10);
  });

  it('does not block the event loop', async () => {
    const path = await media('flac', band(120));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await decode(path);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it('survives random damage', async () => {
    const random = generator(20);
    const originals = await Promise.all(
      mediaKinds.map(async (kind) => {
        const path = join(directory, `original ${kind.replaceAll(' ', '-')}`);
        await writeMedia(path, kind, { samples: clip.subarray(0, RATE), sampleRate: RATE });
        return readFile(path);
      }),
    );
    // For longer fuzzing: MUTATIONS=4000 npx vitest run src/audio/decode.integration.test.ts -t damage
    const rounds = Number(process.env.MUTATIONS ?? 150);
    let decoded = 0;
    for (let round = 0; round < rounds; round++) {
      const bytes = mutate(originals[round % originals.length]!, random);
      const path = await file('mutant', bytes);
      const samples = await decode(path).catch((error: unknown) => error);
      if (samples instanceof Float32Array) {
        decoded++;
        expect(samples.every(Number.isFinite)).toBe(true);
      } else {
        expect(samples, `round ${round}`).toBeInstanceOf(HearsayError);
      }
    }
    // Most damage leaves some audio; without any, no decoder was tested.
    expect(decoded).toBeGreaterThan(rounds / 4);
  }, 600_000);
});

function mutate(original: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(original);
  const at = (length = bytes.length) => Math.floor(random() * length);
  switch (at(5)) {
    case 0:
      return bytes.subarray(0, at());
    case 1: {
      const start = at();
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + at(2_000))]);
    }
    case 2:
      // Headers are at the start.
      for (let i = 0; i < 20; i++) bytes[at(Math.min(400, bytes.length))] = at(256);
      return bytes;
    case 3: {
      const start = at();
      return bytes.fill([0, 255, 128][at(3)]!, start, Math.min(bytes.length, start + at(5_000)));
    }
    default:
      for (let i = bytes.length / 200; i > 0; i--) bytes[at()] = at(256);
      return bytes;
  }
}

describe.skipIf(!existsSync(speech))('decodeAudio, on real speech (skipped where ../shared/audio is absent)', () => {
  it('preserves level and length of a 44.1 kHz stereo recording', async () => {
    const samples = await decode(join(speech, 'jfk.flac'));
    expect(samples.length).toBe(11 * RATE);
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(peak).toBeCloseTo(1.107 / Math.SQRT2, 2);
  });

  it('keeps the phase of two speakers in separate channels', async () => {
    const bytes = await readFile(join(speech, 'stereo.wav'));
    const mono = await decode(join(speech, 'stereo.wav'));
    const start = bytes.indexOf('data') + 8;
    for (let i = 0; i < mono.length; i++) {
      const sum = bytes.readInt16LE(start + 4 * i) + bytes.readInt16LE(start + 4 * i + 2);
      expect(mono[i]).toBeCloseTo(sum / 65_536, 5);
    }
  });

  it('decodes mp3', async () => {
    expect((await decode(join(speech, 'multilingual.mp3'))).length / RATE).toBeCloseTo(59.9, 1);
  });
});
