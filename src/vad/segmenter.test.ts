import { describe, expect, it } from 'vitest';
import { hasSpeech, joinSamples, readSpeech, seededNoise, speechFile } from '../../test/fixtures/speech.ts';
import type { SpeechWindow, VoiceActivityOptions } from '../contracts/transcription.ts';
import { cpu } from '../ort/device.ts';
import { FRAME, SAMPLE_RATE } from './frames.ts';
import { speechWindows, splitAtPause, WindowCutter } from './segmenter.ts';
import { VoiceActivityModel } from './silero.ts';

const limits = { maxLength: 28, enoughSpeech: 10, longPause: 1.5 };
const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME;

/** Windows cut from made-up speech probabilities; each sample is the index of its frame. */
function cut(...course: [seconds: number, probability: number][]): SpeechWindow[] {
  return cutBy({}, ...course);
}

function cutBy(options: VoiceActivityOptions, ...course: [seconds: number, probability: number][]): SpeechWindow[] {
  const cutter = new WindowCutter(limits, options);
  const windows: SpeechWindow[] = [];
  let index = 0;
  for (const [seconds, probability] of course) {
    for (let frame = 0; frame < Math.round(seconds * FRAMES_PER_SECOND); frame++) {
      const window = cutter.push(new Float32Array(FRAME).fill(index++), probability);
      if (window) windows.push(window);
    }
  }
  const last = cutter.finish();
  if (last) windows.push(last);
  return windows;
}

const seconds = ({ start, end }: { start: number; end: number }) => [start / SAMPLE_RATE, end / SAMPLE_RATE];

function expectSound(windows: SpeechWindow[]): void {
  let end = 0;
  for (const window of windows) {
    expect(window.start).toBeGreaterThanOrEqual(end);
    expect(window.samples).toHaveLength(window.end - window.start);
    expect(window.end - window.start).toBeLessThanOrEqual(30 * SAMPLE_RATE);
    // The samples are the frame indices of this stretch of the recording.
    expect(window.samples[0]).toBe(Math.floor(window.start / FRAME));
    expect(window.samples.at(-1)).toBe(Math.floor((window.end - 1) / FRAME));
    expect(window.probabilities.length).toBeGreaterThanOrEqual(Math.floor(window.samples.length / FRAME));
    for (const span of window.speech) {
      expect(span.start).toBeGreaterThanOrEqual(window.start);
      expect(span.end).toBeLessThanOrEqual(window.end);
      expect(span.end).toBeGreaterThan(span.start);
    }
    end = window.end;
  }
}

describe('WindowCutter', () => {
  it('drops silence except 0.4 s before speech and 0.2 s after', () => {
    const windows = cut([60, 0], [2, 0.9], [60, 0]);
    expectSound(windows);
    expect(windows).toHaveLength(1);
    const [start, end] = seconds(windows[0]!);
    expect(start).toBeCloseTo(59.6, 1);
    expect(end).toBeCloseTo(62.2, 1);
    expect(seconds(windows[0]!.speech[0]!)[0]).toBeCloseTo(60, 1);
  });

  it('gives no window for silence or a click', () => {
    expect(cut([30, 0.1])).toEqual([]);
    expect(cut([5, 0], [0.06, 0.9], [5, 0])).toEqual([]);
  });

  it('keeps short pauses inside and cuts at long ones', () => {
    const windows = cut([2, 0.9], [0.5, 0], [2, 0.9], [2, 0], [3, 0.9]);
    expectSound(windows);
    expect(windows.map((window) => window.speech.length)).toEqual([2, 1]);
  });

  it('cuts at the next pause once there is enough speech', () => {
    const windows = cut([6, 0.9], [0.5, 0], [6, 0.9], [0.5, 0], [6, 0.9]);
    expectSound(windows);
    expect(windows).toHaveLength(2);
    expect(windows[0]!.end / SAMPLE_RATE).toBeCloseTo(12.7, 1);
  });

  it('cuts endless speech at its longest gap in the later half', () => {
    const windows = cut([5, 0.9], [0.28, 0], [13, 0.9], [0.25, 0.1], [4, 0.9], [0.18, 0.1], [30, 0.9]);
    expectSound(windows);
    expect(windows[0]!.end / SAMPLE_RATE).toBeCloseTo(18.4, 1);
  });

  it('cuts endless speech without a gap at its quietest moment, and loses nothing', () => {
    const windows = cut([20, 0.9], [0.1, 0.5], [60, 0.9]);
    expectSound(windows);
    expect(windows[0]!.end / SAMPLE_RATE).toBeCloseTo(20.05, 1);
    const total = windows.reduce((sum, window) => sum + window.samples.length, 0);
    expect(total / SAMPLE_RATE).toBeCloseTo(80.1, 1);
  });

  it('finds speech at the threshold of the request', () => {
    const course: [number, number][] = [
      [2, 0],
      [3, 0.4],
      [3, 0.2],
      [3, 0],
    ];
    expect(cutBy({ threshold: 0.5 }, ...course)).toEqual([]);
    const [found, ...rest] = cutBy({ threshold: 0.3 }, ...course);
    expect(rest).toEqual([]);
    const [start, end] = seconds(found!.speech[0]!);
    // It ends 0.15 below.
    expect([start, end]).toEqual([expect.closeTo(2, 1), expect.closeTo(8, 1)]);
    expect(cutBy({ threshold: 0 }, [100, 0]).length).toBeGreaterThan(3);
    expect(cutBy({ threshold: 1 }, [10, 0.99])).toEqual([]);
  });

  it('keeps as much audio before speech as the request says', () => {
    for (const prefixPadding of [0, 0.1, 1, 5]) {
      const windows = cutBy({ prefixPadding }, [10, 0], [2, 0.9], [10, 0], [2, 0.9], [10, 0]);
      expectSound(windows);
      expect(windows.map(({ start }) => start / SAMPLE_RATE)).toEqual([
        expect.closeTo(10 - prefixPadding, 1),
        expect.closeTo(22 - prefixPadding, 1),
      ]);
    }
  });

  it('ends a window after as much silence as the request says, and after no less', () => {
    const course: [number, number][] = [
      [2, 0.9],
      [0.25, 0],
      [2, 0.9],
      [0.6, 0],
      [12, 0.9],
      [1, 0],
      [2, 0.9],
      [2.5, 0],
      [2, 0.9],
    ];
    const windowsBy = (silence: number) => {
      const windows = cutBy({ silence }, ...course);
      expectSound(windows);
      return windows.length;
    };
    expect([0.1, 0.2, 0.5, 0.9, 2, 5].map(windowsBy)).toEqual([5, 5, 4, 3, 2, 1]);
  });

  it.each([{}, { threshold: 0.1, prefixPadding: 5, silence: 0.1 }, { threshold: 0.9, silence: 10 }])(
    'keeps its limits for random speech, with %j',
    (options) => {
      const noise = seededNoise(7);
      for (let round = 0; round < 100; round++) {
        const course = Array.from({ length: 40 }, (): [number, number] => [
          (noise() + 1) ** 4 * (noise() > 0.8 ? 3 : 0.3),
          (noise() + 1) / 2,
        ]);
        expectSound(cutBy(options, ...course));
      }
    },
  );
});

describe('splitAtPause', () => {
  it('cuts at the pause nearest to the middle', () => {
    const [window] = cut([2, 0.9], [0.5, 0], [4, 0.9], [0.5, 0], [2, 0.9]);
    const halves = splitAtPause(window!)!;
    expectSound(halves);
    expect(halves[0].end).toBe(halves[1].start);
    expect(halves.map((half) => half.speech.length).sort()).toEqual([1, 2]);
  });

  it('returns undefined for a window without pauses', () => {
    const [window] = cut([8, 0.9]);
    expect(splitAtPause(window!)).toBeUndefined();
  });
});

describe('speechWindows', async () => {
  const model = await VoiceActivityModel.load(cpu());
  async function* inChunks(samples: Float32Array, size: number) {
    for (let offset = 0; offset < samples.length; offset += size) yield samples.subarray(offset, offset + size);
  }
  async function windowsOf(samples: Float32Array, size = 4000): Promise<SpeechWindow[]> {
    const windows: SpeechWindow[] = [];
    for await (const window of speechWindows(inChunks(samples, size), model, limits)) windows.push(window);
    return windows;
  }
  const make = (of: (index: number) => number) =>
    Float32Array.from({ length: 10 * SAMPLE_RATE }, (_, index) => of(index));

  it('finds no speech in silence, noise, a tone and chords', async () => {
    const noise = seededNoise(1);
    const chord = (index: number) => {
      const root = [262, 330, 392, 523][Math.floor(index / 4000) % 4]!;
      const decay = Math.exp((-4 * (index % 4000)) / SAMPLE_RATE);
      const partial = (ratio: number) => Math.sin((2 * Math.PI * root * ratio * index) / SAMPLE_RATE) / ratio;
      return 0.15 * decay * (partial(1) + partial(2) + partial(3) + partial(1.5) + partial(1.25));
    };
    expect(await windowsOf(make(() => 0))).toEqual([]);
    expect(await windowsOf(make(() => 0.3 * noise()))).toEqual([]);
    expect(await windowsOf(make((index) => 0.5 * Math.sin((2 * Math.PI * 440 * index) / SAMPLE_RATE)))).toEqual([]);
    expect(await windowsOf(make(chord))).toEqual([]);
    expect(await windowsOf(new Float32Array(0))).toEqual([]);
  });

  it.skipIf(!hasSpeech)('finds quiet speech, and raises it', async () => {
    const samples = await readSpeech(speechFile('two_cities.wav'));
    const windows = await windowsOf(samples);
    const quiet = await windowsOf(samples.map((sample) => sample / 100));
    const spoken = ({ speech }: SpeechWindow) => speech.reduce((sum, { start, end }) => sum + end - start, 0);
    const total = (all: SpeechWindow[]) => all.reduce((sum, window) => sum + spoken(window), 0) / SAMPLE_RATE;
    expect(total(quiet)).toBeCloseTo(total(windows), 0);
    const peak = quiet[0]!.samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    expect(20 * Math.log10(peak)).toBeCloseTo(-30, 1);
  });

  it.skipIf(!hasSpeech)('finds speech that the noise before it hides once it is raised', async () => {
    const speech = await readSpeech(speechFile('two_cities.wav'));
    const noise = seededNoise(1);
    const samples = Float32Array.from({ length: 14 * SAMPLE_RATE }, (_, index) => {
      const said = index < 8 * SAMPLE_RATE ? 0 : speech[index - 7 * SAMPLE_RATE]!;
      return 0.2 * (said + 0.09 * noise());
    });
    const spans = (await windowsOf(samples)).flatMap((window) => window.speech);
    expect(spans.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(SAMPLE_RATE);
  });

  it.skipIf(!hasSpeech)('raises quiet speech beside louder speech in its window', async () => {
    const speech = (await readSpeech(speechFile('two_cities.wav'))).subarray(SAMPLE_RATE, 4 * SAMPLE_RATE);
    const pause = new Float32Array(SAMPLE_RATE / 2);
    const [window, ...others] = await windowsOf(joinSamples([speech, pause, speech.map((sample) => sample / 100)]));
    expect(others).toEqual([]);
    const peakFrom = (from: number, to: number) =>
      window!.samples.subarray(from - window!.start, to - window!.start).reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    const loud = speech.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    expect(peakFrom(0, speech.length)).toBe(loud);
    expect(20 * Math.log10(peakFrom(speech.length + pause.length, window!.end))).toBeCloseTo(-30, 1);
  });

  it.skipIf(!hasSpeech)('ends the last window with the recording', async () => {
    const samples = (await readSpeech(speechFile('two_cities.wav'))).subarray(0, 4 * SAMPLE_RATE + 100);
    const windows = await windowsOf(samples);
    expect(windows.at(-1)!.end).toBe(samples.length);
    expect(windows.at(-1)!.samples.length).toBe(samples.length - windows.at(-1)!.start);
  });

  it.skipIf(!hasSpeech)('cuts the same windows whatever the size of the chunks', async () => {
    const samples = (await readSpeech(speechFile('two_cities.wav'))).subarray(0, 20 * SAMPLE_RATE);
    const windows = await windowsOf(samples, 4000);
    expect(windows.length).toBeGreaterThan(1);
    for (const window of windows) {
      expect(window.samples).toEqual(samples.slice(window.start, window.end));
    }
    expect(await windowsOf(samples, 77)).toEqual(windows);
  });
});
