import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasSpeech, readSpeech, seededNoise, speechFile } from '../../../../test/fixtures/speech.ts';
import { hasTokenTables, tokenTableFile } from '../../../../test/fixtures/whisper-tokenizer.ts';
import { MelSpectrogram, melBands } from './mel.ts';
import { PowerSpectrum } from './power-spectrum.ts';

/** Made by scripts/whisper-goldens/mel.py. */
interface Golden {
  name: string;
  /** Seconds. */
  window: number;
  frames: number[];
  80: string;
  128: string;
}
const goldens: Golden[] = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/whisper/mel.json', import.meta.url), 'utf8'),
);

const noise = (seed: number, count: number, gain = 1) => {
  const next = seededNoise(seed);
  return Float32Array.from({ length: count }, () => next() * gain);
};

const signals: Record<string, () => Float32Array | Promise<Float32Array>> = {
  noise: () => noise(1, 12_345),
  'noise that fills the window': () => noise(2, 16_000),
  'noise that is longer': () => noise(3, 20_000),
  'quiet noise': () => noise(4, 16_000, 2 ** -12),
  'a square wave': () => Float32Array.from({ length: 8000 }, (_, i) => (i % 37 < 18.5 ? 0.5 : -0.5)),
  'one sample': () => Float32Array.of(0.75),
  'less than half a frame': () => noise(5, 150),
  nothing: () => new Float32Array(),
  'jfk.flac': () => readSpeech(speechFile('jfk.flac'), 44_100),
  'two_cities.wav': () => readSpeech(speechFile('two_cities.wav')),
};

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a, (value, i) => Math.abs(value - b[i]!)).reduce((max, value) => Math.max(max, value), 0);

describe('MelSpectrogram', () => {
  const cases = goldens.flatMap((golden) => ([80, 128] as const).map((mels) => ({ golden, name: golden.name, mels })));
  const isRecording = (name: string) => /\.\w+$/.test(name);

  it.for(cases)('matches the reference for $name, $mels bands', async ({ golden, name, mels }, { skip }) => {
    if (isRecording(name) && !hasSpeech) skip();
    const length = golden.window * 100;
    const values = new MelSpectrogram(mels).compute(await signals[name]!(), length);
    expect(values).toHaveLength(mels * length);
    const chosen = Array.from({ length: mels }, (_, mel) =>
      golden.frames.map((frame) => values[mel * length + frame]!),
    );
    expect(chosen.flat()).not.toContain(Number.NaN);
    const expected = floats(golden[mels]);
    expect(expected).toHaveLength(mels * golden.frames.length);
    expect(largestDifference(expected, chosen.flat())).toBeLessThan(1e-4);
  });

  it('keeps no state between calls', () => {
    const spectrogram = new MelSpectrogram(80);
    const first = spectrogram.compute(noise(6, 16_000), 100);
    spectrogram.compute(noise(7, 16_000), 100);
    expect(spectrogram.compute(noise(6, 16_000), 100)).toEqual(first);
  });

  it.skipIf(!hasTokenTables).each([80, 128])('uses the official filters for %i bands', (mels) => {
    const official = readArray(`mel_${mels}.npy`);
    const { first, end, weights } = melBands(mels);
    const ours = new Float32Array(mels * 201);
    let weight = 0;
    for (let mel = 0; mel < mels; mel++) {
      for (let i = first[mel]!; i < end[mel]!; i++) ours[mel * 201 + i] = weights[weight++]!;
    }
    expect(weight).toBe(weights.length);
    expect(official).toHaveLength(ours.length);
    expect(largestDifference(official, ours)).toBeLessThan(1e-8);
  });
});

/** One array of the official mel_filters.npz: a zip archive of float32 arrays, each after a header. */
function readArray(name: string): Float32Array {
  const archive = readFileSync(tokenTableFile('mel_filters.npz'));
  const local = archive.indexOf(name) - 30;
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const array = inflateRawSync(archive.subarray(start));
  const data = array.subarray(10 + array.readUInt16LE(8));
  return Float32Array.from({ length: data.length / 4 }, (_, i) => data.readFloatLE(4 * i));
}

describe('PowerSpectrum', () => {
  it('matches the definition of the Fourier transform', () => {
    const window = noise(8, 400);
    const samples = noise(9, 500);
    const power = new Float64Array(201);
    new PowerSpectrum(window).compute(samples, 77, power);
    const expected = Array.from(power, (_, frequency) => {
      let real = 0;
      let imaginary = 0;
      for (let i = 0; i < 400; i++) {
        const angle = (2 * Math.PI * ((frequency * i) % 400)) / 400;
        real += samples[77 + i]! * window[i]! * Math.cos(angle);
        imaginary += samples[77 + i]! * window[i]! * Math.sin(angle);
      }
      return real ** 2 + imaginary ** 2;
    });
    expect(largestDifference(power, expected)).toBeLessThan(1e-10);
  });
});
