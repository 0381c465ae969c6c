import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { devices } from '../../../../test/fixtures/devices.ts';
import {
  formulaHarmonics,
  type KokoroGolden,
  kokoroGolden,
  relativeError,
  smallKokoro,
  voiceStyle,
} from '../../../../test/fixtures/kokoro.ts';
import { modelsDir } from '../../../../test/fixtures/models-dir.ts';
import { cpu } from '../../../ort/device.ts';
import { GraphBuilder } from '../../../ort/graph/builder.ts';
import { float32, int64s, Session } from '../../../ort/session.ts';
import { type KokoroConfiguration, readKokoroConfiguration } from '../configuration.ts';
import { albert } from '../graph/albert.ts';
import type { KokoroForm } from '../graph/compile.ts';
import { decoder } from '../graph/decoder.ts';
import { readHarmonicMix } from '../graph/harmonic-mix.ts';
import { Layers } from '../graph/layers.ts';
import { durationEncoder } from '../graph/prosody.ts';
import { KokoroWeights } from '../graph/weights.ts';
import { fourierTransform, harmonicSource } from './harmonic-source.ts';
import { compileKokoro, loadCompiledKokoro } from './load.ts';
import { alignmentOf, type KokoroModel, roundedFrames, spokenFrames } from './model.ts';

// HEARSAY_TEST_KOKORO names the directory of a checkpoint of full size with its goldens (scripts/kokoro-goldens.py).
const checkpoint = process.env.HEARSAY_TEST_KOKORO ?? smallKokoro;
/** Of the signal's peak. */
const TOLERANCE = 2e-5;
/** Decibels of signal to noise of the 8-bit form. */
const LEAST_RATIO = 15;
/** Of the waveform against the one in double precision, by the form of the convolutions: root mean squares. */
const errors = new Map<KokoroForm | 'published', number>();

let golden: KokoroGolden;
let configuration: KokoroConfiguration;
let style: Float32Array;
let tokens: number[];

beforeAll(async () => {
  golden = kokoroGolden(checkpoint);
  configuration = await readKokoroConfiguration(join(checkpoint, 'config.json'));
  style = voiceStyle(golden.voice, golden.phonemes.length);
  tokens = [...golden.phonemes].map((phoneme) => configuration.tokens.get(phoneme)!);
});

function report(stage: string, error: number): number {
  if (process.env.HEARSAY_TEST_KOKORO) console.log(`${stage}: ${error.toExponential(1)} of the peak`);
  return error;
}

describe('the stages, against the published modules', () => {
  let weights: KokoroWeights;
  beforeAll(() => {
    weights = new KokoroWeights(readFileSync(join(checkpoint, 'kokoro-v1_0.pth')));
  });

  it('ALBERT and the duration encoder', async () => {
    const graph = new GraphBuilder('stages');
    const layers = new Layers(graph, weights);
    const { albert: size, width, style: styleWidth } = configuration;
    const states = albert(layers, graph.input('tokens', 'int64', ['n']), configuration);
    graph.output('albert', states, 'float32', ['n', size.width]);
    const text = layers.linear(states, 'bert_encoder', size.width, width);
    const encoded = durationEncoder(layers, text, graph.input('style', 'float32', [styleWidth]), configuration);
    graph.output('states', encoded, 'float32', ['n', width + styleWidth]);
    const session = await Session.load(graph.build(), cpu());
    const outputs = await session.run({
      tokens: int64s([0, ...tokens, 0]),
      style: float32(style.subarray(styleWidth), [styleWidth]),
    });
    const error = (name: string, expected: string) =>
      report(expected, relativeError(outputs[name]!.data as Float32Array, golden.values(expected)));
    expect(error('albert', 'albert')).toBeLessThan(TOLERANCE);
    expect(error('states', 'durationStates')).toBeLessThan(TOLERANCE);
  });

  it('the decoder', async () => {
    const graph = new GraphBuilder('decoder');
    const values = ['values'];
    const inputs = {
      text: graph.input('text', 'float32', ['frames', configuration.width]),
      pitch: graph.input('pitch', 'float32', values),
      energy: graph.input('energy', 'float32', values),
      style: graph.input('style', 'float32', [configuration.style]),
    };
    const x = decoder(new Layers(graph, weights), inputs, configuration);
    graph.output('x', x, 'float32', [1, configuration.generator.channels, 1, 'length']);
    const session = await Session.load(graph.build(), cpu());
    const { width } = configuration;
    const text = golden.values('text');
    const rows = alignmentOf(golden.frames).map((row) => text.subarray(row * width, (row + 1) * width));
    const { x: signal } = await session.run({
      text: float32(Float32Array.from(rows.flatMap((row) => [...row])), [rows.length, width]),
      pitch: float32(golden.values('f0'), [2 * rows.length]),
      energy: float32(golden.values('energy'), [2 * rows.length]),
      style: float32(style.subarray(0, configuration.style), [configuration.style]),
    });
    expect(report('decoder', relativeError(signal!.data as Float32Array, golden.values('decoder')))).toBeLessThan(
      TOLERANCE,
    );
  });

  it('the harmonic source and its transform', () => {
    const source = harmonicSource(golden.values('f0'), 300, readHarmonicMix(weights));
    const sparse = source.filter((_, index) => index % 7 === 0);
    expect(report('source', relativeError(sparse, golden.values('source')))).toBeLessThan(1e-6);
    const { values, frames } = fourierTransform(source, configuration.generator);
    expect(frames).toBe(source.length / 5 + 1);
    const bins = 11;
    const at = (part: number, bin: number, frame: number) => values[(part * bins + bin) * frames + frame]!;
    const chosen = golden.spectrumFrames.map((frame) => (frame < 0 ? frames + frame : frame));
    const complex = (projection: (angle: number) => number) =>
      Float32Array.from(
        Array.from({ length: bins }, (_, bin) =>
          chosen.map((frame) => at(0, bin, frame) * projection(at(1, bin, frame))),
        ).flat(),
      );
    expect(report('spectrum', relativeError(complex(Math.cos), golden.values('spectrumReal')))).toBeLessThan(1e-5);
    expect(relativeError(complex(Math.sin), golden.values('spectrumImaginary'))).toBeLessThan(1e-5);
  });
});

describe.each<KokoroForm>(['winograd', 'direct'])('KokoroModel with %s convolutions', (form) => {
  let model: KokoroModel;
  beforeAll(async () => {
    model = await loadCompiledKokoro(await compileKokoro({ checkpoint, modelsDir, device: cpu(), form }));
  }, 300_000);

  it('matches the published modules stage by stage', async () => {
    const encoded = await model.encode(tokens, style);
    expect(report('durations', relativeError(encoded.durations, golden.values('durations')))).toBeLessThan(TOLERANCE);
    expect(report('text', relativeError(encoded.rows.text!.data as Float32Array, golden.values('text')))).toBeLessThan(
      TOLERANCE,
    );
    const frames = [...encoded.durations].map((duration) => roundedFrames(duration, golden.speed));
    expect(frames).toEqual(golden.frames);
    const alignment = alignmentOf(frames);
    const { pitch, energy } = await model.prosody(encoded, alignment, style);
    expect(report('f0', relativeError(pitch, golden.values('f0')))).toBeLessThan(TOLERANCE);
    expect(report('energy', relativeError(energy, golden.values('energy')))).toBeLessThan(TOLERANCE);
    const harmonics = formulaHarmonics(11, 120 * alignment.length + 1);
    const samples = await model.generate(encoded, alignment, { pitch, energy, harmonics }, style);
    const error = report(`waveform, ${form}`, relativeError(samples, golden.values('waveform')));
    expect(error).toBeLessThan(TOLERANCE);
  });

  it('stays close to the waveform in double precision', async () => {
    const text = float32(golden.values('text'), [golden.frames.length, configuration.width]);
    const alignment = alignmentOf(golden.frames);
    const harmonics = formulaHarmonics(11, 120 * alignment.length + 1);
    const contours = { pitch: golden.values('f0'), energy: golden.values('energy') };
    const encoded = { durations: golden.values('durations'), rows: { text } };
    const samples = await model.generate(encoded, alignment, { ...contours, harmonics }, style);
    const exact = golden.values('exactWaveform');
    errors.set(form, rootMeanSquareError(everyThird(samples), exact));
    const error = report(`waveform in double precision, ${form}`, relativeError(everyThird(samples), exact));
    expect(error).toBeLessThan(TOLERANCE);
  });

  it('returns the same samples for the same seed, and the samples of each phoneme', async () => {
    const first = await model.speak(tokens, style, { speed: golden.speed, seed: 7 });
    const again = await model.speak(tokens, style, { speed: golden.speed, seed: 7 });
    expect(Buffer.from(again.samples.buffer).equals(Buffer.from(first.samples.buffer))).toBe(true);
    const other = await model.speak(tokens, style, { speed: golden.speed, seed: 8 });
    expect(relativeError(other.samples, first.samples)).toBeGreaterThan(1e-3);
    const frames = spokenFrames(golden.values('durations'), golden.speed);
    expect(first.durations).toEqual(frames.map((count) => 600 * count));
    expect(first.samples).toHaveLength(first.durations.reduce((sum, count) => sum + count, 0));
    expect(first.samples.every(Number.isFinite)).toBe(true);
  });

  it('speaks chunks of any length', async () => {
    for (const count of [1, 2, 3, 5, model.maxPhonemes].filter((count) => count <= 64)) {
      const chunk = Array.from({ length: count }, (_, index) => tokens[index % tokens.length]!);
      const { samples, durations } = await model.speak(chunk, style, { speed: 4, seed: 1 });
      expect(durations).toHaveLength(count + 2);
      expect(samples.every(Number.isFinite)).toBe(true);
    }
  });

  it('rejects chunks that are empty, too long or unknown, and styles of the wrong size', async () => {
    await expect(model.speak([], style, { speed: 1 })).rejects.toThrow(RangeError);
    await expect(model.speak(new Array(model.maxPhonemes + 1).fill(1), style, { speed: 1 })).rejects.toThrow(
      RangeError,
    );
    await expect(model.speak([configuration.vocabulary], style, { speed: 1 })).rejects.toThrow(RangeError);
    await expect(model.speak([1], style.subarray(1), { speed: 1 })).rejects.toThrow(RangeError);
  });
});

/** The golden holds every third sample. */
const everyThird = (samples: Float32Array) => samples.filter((_, index) => index % 3 === 0);

/** Error of a signal, relative to the root mean square of the exact one. */
function rootMeanSquareError(actual: Float32Array, exact: Float32Array): number {
  const energy = (values: Float32Array) => values.reduce((sum, value) => sum + value ** 2, 0);
  return Math.sqrt(energy(actual.map((value, index) => value - exact[index]!)) / energy(exact));
}

describe('the Winograd form', () => {
  it('loses no more precision than the direct form and the published modules in float32', () => {
    const exact = golden.values('exactWaveform');
    errors.set('published', rootMeanSquareError(everyThird(golden.values('waveform')), exact));
    for (const [form, error] of errors) {
      if (process.env.HEARSAY_TEST_KOKORO) console.log(`${form}: ${error.toExponential(2)} root mean square`);
    }
    // Sums over the few channels of the small checkpoint lose so little that the loss of the transforms matters.
    const allowed = process.env.HEARSAY_TEST_KOKORO ? 1 : 1.25;
    for (const other of errors.values()) expect(errors.get('winograd')).toBeLessThanOrEqual(allowed * other);
  });
});

describe('the 8-bit form', () => {
  it.each(devices)(
    'keeps durations and pitch, and the sound near enough, %s',
    async (_, device) => {
      const [float, bytes] = await Promise.all(
        (['winograd', 'int8'] as const).map(async (form) =>
          loadCompiledKokoro(await compileKokoro({ checkpoint, modelsDir, device, form })),
        ),
      );
      const options = { speed: golden.speed, seed: 7 };
      const expected = await float!.speak(tokens, style, options);
      const actual = await bytes!.speak(tokens, style, options);
      expect(actual.durations).toEqual(expected.durations);
      const ratio = report8bit(signalToNoise(actual.samples, expected.samples));
      expect(ratio).toBeGreaterThan(LEAST_RATIO);
      const unheard = await bytes!.speak(tokens, voiceStyle('bm_lewis', tokens.length), options);
      expect(unheard.samples.every(Number.isFinite)).toBe(true);
    },
    300_000,
  );
});

/** Decibels. */
function signalToNoise(actual: Float32Array, expected: Float32Array): number {
  let [signal, noise] = [0, 0];
  for (const [index, value] of expected.entries()) {
    signal += value ** 2;
    noise += (actual[index]! - value) ** 2;
  }
  return 10 * Math.log10(signal / noise);
}

function report8bit(ratio: number): number {
  if (process.env.HEARSAY_TEST_KOKORO) console.log(`int8: ${ratio.toFixed(1)} dB`);
  return ratio;
}

describe('roundedFrames', () => {
  it('rounds halves to even, and to at least one', () => {
    expect([0.2, 1.5, 2.5, 2.6, 3.4999].map((duration) => roundedFrames(duration, 1))).toEqual([1, 2, 2, 3, 3]);
    expect(roundedFrames(10, 4)).toBe(2);
  });
});

describe('spokenFrames', () => {
  const durations = Array.from({ length: 60 }, (_, index) => 1.2 + ((7 * index) % 11) / 3);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

  it('are rounded one by one at a speed of 1, as published', () => {
    expect(spokenFrames(durations, 1)).toEqual(durations.map((duration) => roundedFrames(duration, 1)));
  });

  it.each([0.5, 0.8, 1.1, 1.2])('have the whole length asked for at %f', (speed) => {
    expect(Math.abs(sum(spokenFrames(durations, speed)) - sum(spokenFrames(durations, 1)) / speed)).toBeLessThan(1);
  });

  it('are at least one', () => {
    expect(Math.min(...spokenFrames(new Float32Array(20).fill(0.3), 1.2))).toBe(1);
  });
});

describe('generateFrames', () => {
  it('gives the samples of the whole for all of its frames, and as many for some', async () => {
    const model = await loadCompiledKokoro(
      await compileKokoro({ checkpoint, modelsDir, device: cpu(), form: 'winograd' }),
    );
    const options = { speed: golden.speed, seed: 7 };
    const phrase = await model.prepare(tokens, style, options);
    const all = phrase.alignment.map((_, frame) => frame);
    const { samples } = await model.speak(tokens, style, options);
    expect(await model.generateFrames(phrase, all)).toEqual(samples);
    const some = all.filter((frame) => frame % 3 !== 1);
    const part = await model.generateFrames(phrase, some);
    expect(part).toHaveLength(some.length * model.frameSamples);
    expect(part.every(Number.isFinite)).toBe(true);
  });
});
