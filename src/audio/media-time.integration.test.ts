import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clip, type MediaKind, mediaKinds, writeMedia } from '../../test/fixtures/media.ts';
import { decodeAudio } from './decode.ts';
import { MediaClock } from './media-clock.ts';

const RATE = 16_000;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'media-time-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Five seconds with a beep of 0.2 s at the start of each. */
const beeps = new Float32Array(5 * RATE).map((_, index) => (index % RATE < RATE / 5 ? 0.5 * Math.sin(index / 4) : 0));

async function decode(path: string, maxSeconds = 600): Promise<Float32Array> {
  const samples: number[] = [];
  for await (const chunk of decodeAudio(path, { maxSeconds })) for (const sample of chunk) samples.push(sample);
  return Float32Array.from(samples);
}

/** Times at which beeps start, in seconds. */
function onsets(samples: Float32Array): number[] {
  const found: number[] = [];
  let lastLoud = Number.NEGATIVE_INFINITY;
  for (const [index, sample] of samples.entries()) {
    if (Math.abs(sample) < 0.2) continue;
    if (index - lastLoud > RATE / 10) found.push(index / RATE);
    lastLoud = index;
  }
  return found;
}

async function write(kind: MediaKind, moves: Clip['moves'] = [], samples = beeps): Promise<string> {
  const path = join(directory, kind.replaceAll(' ', '-'));
  await writeMedia(path, kind, { samples, sampleRate: RATE, moves });
  return path;
}

function expectOnsets(samples: Float32Array, expected: number[], tolerance = 0.12): void {
  const found = onsets(samples);
  expect(found, String(found)).toHaveLength(expected.length);
  for (const [index, time] of expected.entries())
    expect(Math.abs(found[index]! - time), String(found)).toBeLessThan(tolerance);
}

const films = ['mp4 video', 'matroska video', 'webm video', 'mpegts video'] as const;

describe.each(films)('the audio of a film: %s', (kind) => {
  it('starts with the film', async () => {
    expectOnsets(await decode(await write(kind)), [0, 1, 2, 3, 4]);
  });

  it('starts late after silence', async () => {
    expectOnsets(await decode(await write(kind, [{ from: -1, by: 5 }])), [5, 6, 7, 8, 9]);
  });

  it('starts very late', async () => {
    expectOnsets(await decode(await write(kind, [{ from: -1, by: 25 }])), [25, 26, 27, 28, 29]);
  });

  it('fills a gap with silence', async () => {
    const samples = await decode(await write(kind, [{ from: 1.6, by: 10 }]));
    expectOnsets(samples, [0, 1, 12, 13, 14]);
    expect(Math.abs(samples.length / RATE - 15)).toBeLessThan(0.15);
  });

  it('fills a late start and two gaps with silence', async () => {
    const moves = [
      { from: -1, by: 2 },
      { from: 1.6, by: 3 },
      { from: 3.6, by: 0.5 },
    ];
    expectOnsets(await decode(await write(kind, moves)), [2, 3, 7, 8, 9.5]);
  });

  it('keeps its times after corrupt packets', async () => {
    const long = new Float32Array(20 * RATE).map((_, index) => beeps[index % beeps.length]!);
    const path = await write(kind, [], long);
    const bytes = await readFile(path);
    const middle = Math.floor(bytes.length * 0.4);
    await writeFile(path, bytes.fill(0x55, middle, middle + 700));
    const found = onsets(await decode(path));
    // Beeps in the damaged second may be lost or broken.
    const inTime = found.filter((onset) => Math.abs(onset - Math.round(onset)) < 0.12);
    expect(inTime.length, String(found)).toBeGreaterThan(13);
    expect(found.length - inTime.length, String(found)).toBeLessThanOrEqual(1);
    expect(Math.abs(found.at(-1)! - 19), String(found)).toBeLessThan(0.12);
  });

  it('counts gaps toward the maximum length', async () => {
    const path = await write(kind, [{ from: 1.6, by: 3000 }]);
    await expect(decode(path, 100)).rejects.toMatchObject({ code: 'audio_too_long' });
  });
});

describe('a recording of audio alone', () => {
  it.each(['mp3', 'm4a moov first', 'm4a moov last', 'ogg opus', 'webm opus', 'aac', 'flac', 'wma'] as const)(
    'gets no silence for the delay of its encoder: %s',
    async (kind) => {
      const samples = await decode(await write(kind));
      expectOnsets(samples, [0, 1, 2, 3, 4]);
      expect(Math.abs(samples.length / RATE - 5)).toBeLessThan(0.15);
    },
  );

  it.each(['m4a moov first', 'matroska pcm', 'webm opus'] as const)(
    'starts at its time on the clock of its container: %s',
    async (kind) => {
      expectOnsets(await decode(await write(kind, [{ from: -1, by: 5 }])), [5, 6, 7, 8, 9]);
    },
  );
});

describe('a transport stream of two joined', () => {
  async function joined(...pieces: { from: number; to: number; at: number }[]): Promise<string> {
    const parts: Buffer[] = [];
    for (const { from, to, at } of pieces) {
      const path = await write('mpegts video', [{ from: -1, by: at }], beeps.slice(from * RATE, to * RATE));
      parts.push(await readFile(path));
    }
    const path = join(directory, 'joined.ts');
    await writeFile(path, Buffer.concat(parts));
    return path;
  }

  it('drops duplicates', async () => {
    expectOnsets(await decode(await joined({ from: 0, to: 3, at: 0 }, { from: 2.4, to: 5, at: 2.4 })), [0, 1, 2, 3, 4]);
  });

  it('keeps everything if the second file restarts the clock', async () => {
    const samples = await decode(await joined({ from: 0, to: 5, at: 0 }, { from: 0, to: 5, at: 0 }));
    // Each has the delay of its encoder.
    expectOnsets(samples, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0.2);
  });
});

describe('MediaClock', () => {
  const frame = (time: number | undefined, nextTime?: number, isAfterLoss = false) => ({
    time,
    seconds: 0.02,
    nextTime: nextTime ?? (time === undefined ? undefined : time + 0.02),
    isAfterLoss,
  });
  const open = (hasOneClock = true, start: number | undefined = 10) => new MediaClock({ start, hasOneClock });

  it('ignores rounding, jitter and frames without a timestamp', () => {
    const clock = open();
    for (const time of [10.06, undefined, 10.04, 10.001, 10.1]) expect(clock.place(frame(time))).toBe(0);
  });

  it('follows a clock that drifts', () => {
    const clock = open();
    let silence = 0;
    for (let index = 0; index < 10_000; index++) silence += clock.place(frame(10 + index * 0.0202));
    expect(silence).toBeGreaterThan(1.8);
    expect(silence).toBeLessThan(2.1);
  });

  it('fills the gap that a lost packet leaves', () => {
    const clock = open();
    clock.place(frame(10));
    expect(clock.place(frame(10.04, undefined, true))).toBeCloseTo(0.02, 6);
  });

  it('ignores a single wrong timestamp', () => {
    const clock = open();
    clock.place(frame(10));
    expect(clock.place(frame(40, 10.04))).toBe(0);
    expect(clock.place(frame(10.04))).toBe(0);
  });

  it('continues after a reset of the clock, and returns to the first clock', () => {
    const clock = open(false);
    for (let index = 0; index < 500; index++) clock.place(frame(10 + index * 0.02));
    expect(clock.place(frame(0))).toBe(0);
    expect(clock.place(frame(0.02))).toBe(0);
    expect(clock.place(frame(20.04))).toBe(0);
    expect(clock.place(frame(21.06))).toBeCloseTo(1, 6);
  });

  it('ignores a gap of more than an hour', () => {
    const clock = open();
    expect(clock.place(frame(8000))).toBe(0);
    expect(clock.place(frame(8000.02))).toBe(0);
  });

  it('drops no more than the frame', () => {
    const clock = open();
    for (let index = 0; index < 100; index++) clock.place(frame(10 + index * 0.02));
    expect(clock.place(frame(11.5))).toBeCloseTo(-0.02, 6);
    expect(clock.place(frame(11.52))).toBeCloseTo(-0.02, 6);
  });

  it('starts with the first frame if the container has no start', () => {
    expect(new MediaClock({ start: undefined, hasOneClock: true }).place(frame(77))).toBe(0);
  });
});

// Every kind is decoded with its length unchanged in decode.test.ts.
it('tests every film that the fixtures can write', () => {
  expect(mediaKinds.filter((kind) => kind.endsWith(' video')).sort()).toEqual([...films].sort());
});
