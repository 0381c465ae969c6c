import { beforeAll, describe, expect, it } from 'vitest';
import { sharedModelsDir as modelsDir } from '../../../test/fixtures/shared-models.ts';
import {
  hasSpeech,
  joinSamples,
  readSpeech,
  seededNoise,
  speechFile,
  speechText,
  spokenWords,
  wordErrorRate,
} from '../../../test/fixtures/speech.ts';
import type { Segment, SpeechWindow } from '../../contracts/transcription.ts';
import { cpu } from '../../ort/device.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { speechWindows } from '../../vad/segmenter.ts';
import { VoiceActivityModel } from '../../vad/silero.ts';
import { compileMoonshine } from './graph/compile.ts';
import { MoonshineModel } from './model.ts';
import { windowLimits } from './recognizer.ts';
import { transcribeWindow } from './transcribe.ts';

describe.skipIf(!hasSpeech)('transcribeWindow', () => {
  let model: MoonshineModel;
  let voiceActivity: VoiceActivityModel;
  let reading: Float32Array;

  beforeAll(async () => {
    model = await MoonshineModel.load(await compileMoonshine({ modelsDir, device: cpu(), computeType: 'int8' }));
    voiceActivity = await VoiceActivityModel.load(cpu());
    reading = await readSpeech(speechFile('two_cities.wav'));
  });

  async function transcribe(samples: Float32Array): Promise<Segment[]> {
    const segments: Segment[] = [];
    async function* audio() {
      yield samples;
    }
    for await (const window of speechWindows(audio(), voiceActivity, windowLimits)) {
      segments.push(...(await transcribeWindow(model, window, { beamSize: 1, logprobs: true })));
    }
    return segments;
  }
  const textOf = (segments: Segment[]) => segments.map(({ text }) => text).join('');

  it('transcribes a reading without hallucinating at its end', async () => {
    const segments = await transcribe(reading);
    const text = textOf(segments);
    const reference = speechText('two_cities.txt');
    expect(wordErrorRate(text, reference)).toBeLessThanOrEqual(0.05);
    expect(spokenWords(text).slice(-5)).toEqual(spokenWords(reference).slice(-5));

    let end = 0;
    for (const segment of segments) {
      expect(segment.start).toBeGreaterThanOrEqual(end);
      expect(segment.end).toBeGreaterThan(segment.start);
      expect(segment.text.startsWith(' ')).toBe(true);
      expect(segment.words.map(({ word }) => word).join(' ')).toBe(segment.text.trim());
      expect(segment.words[0]!.start).toBe(segment.start);
      expect(segment.words.at(-1)!.end).toBe(segment.end);
      expect(segment.tokens.length).toBeGreaterThanOrEqual(segment.words.length);
      const logprobs = segment.logprobs!;
      expect(logprobs.map(({ token }) => token).join('')).toBe(segment.text);
      expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe(segment.text);
      const sum = logprobs.reduce((total, { logprob }) => total + logprob, 0);
      expect(sum / logprobs.length).toBeCloseTo(segment.avg_logprob, 5);
      expect(segment.avg_logprob).toBeLessThan(0);
      expect(segment.avg_logprob).toBeGreaterThan(-1);
      expect(segment.compression_ratio).toBeGreaterThan(0.5);
      expect(segment.no_speech_prob).toBeGreaterThanOrEqual(0);
      expect(segment.no_speech_prob).toBeLessThan(0.5);
      expect(segment.seek).toBeLessThanOrEqual(segment.start * 100);
      for (const { probability } of segment.words) {
        expect(probability).toBeGreaterThan(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
      end = segment.end;
    }
    expect(end).toBeLessThan(44);
  });

  it('shifts word times by the silence before the speech', async () => {
    const clip = reading.subarray(0, 8 * SAMPLE_RATE);
    const [alone, later] = [
      await transcribe(clip),
      await transcribe(joinSamples([new Float32Array(37 * SAMPLE_RATE), clip])),
    ];
    expect(textOf(later)).toBe(textOf(alone));
    for (const [index, word] of alone.flatMap(({ words }) => words).entries()) {
      expect(Math.abs(later.flatMap(({ words }) => words)[index]!.start - word.start - 37)).toBeLessThan(0.15);
    }
  });

  it('cuts off hallucinated text after the end of speech', async () => {
    // In one window, longer than voice activity makes them, the model hallucinates at the end.
    const window: SpeechWindow = {
      start: 0,
      end: reading.length,
      samples: reading,
      speech: [{ start: 1.2 * SAMPLE_RATE, end: 41.7 * SAMPLE_RATE }],
      probabilities: new Float32Array(Math.ceil(reading.length / 512)).fill(0.9),
    };
    const segments = await transcribeWindow(model, window, { beamSize: 1 });
    expect(textOf(segments)).toMatch(/comparison only\.?$/);
    expect(segments.at(-1)!.end).toBeLessThan(43);
  });

  it('half a sentence after the end: a click of 0.1 s is not speech', async () => {
    const start = 338 * 512;
    const samples = new Float32Array(6 * 512);
    samples.set((await readSpeech(speechFile('jfk.flac'))).slice(start));
    const probabilities = Float32Array.of(0.05, 0.08, 0.16, 0.51, 0.87, 0.64);
    const speech = [{ start: 3 * 512, end: samples.length }];
    const window = { start: 0, end: samples.length, samples, speech, probabilities };
    expect(await transcribeWindow(model, window, { beamSize: 1 })).toEqual([]);
  });

  it('gives no segments if voice activity was wrong', async () => {
    const noise = seededNoise(9);
    for (const make of [() => 0, () => 0.2 * noise(), () => 0.002 * noise()]) {
      const samples = Float32Array.from({ length: 3 * SAMPLE_RATE }, make);
      const window = { start: 0, end: samples.length, samples, speech: [], probabilities: new Float32Array(94) };
      expect(await transcribeWindow(model, window, { beamSize: 1 })).toEqual([]);
    }
  });
});
