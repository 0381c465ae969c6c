import { beforeAll, describe, expect, it } from 'vitest';
import { randomCheckpoint } from '../../../../test/fixtures/random-whisper.ts';
import { special, tokenizer } from '../../../../test/fixtures/scripted-decoder.ts';
import { sharedModelsDir as modelsDir } from '../../../../test/fixtures/shared-models.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import type { SpeechWindow } from '../../../contracts/transcription.ts';
import { cpu } from '../../../ort/device.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { compileWhisper } from '../graph/compile.ts';
import { LogitFilter } from './logit-filter.ts';
import { MelSpectrogram } from './mel.ts';
import { WhisperModel } from './model.ts';
import { type TranscribeOptions, transcribeWindow } from './transcribe.ts';

/** The text is nonsense, but the rules for text hold. */
describe('a model with random weights', () => {
  let model: WhisperModel;
  let mel: MelSpectrogram;
  const vocabulary = { ...tokenizer, special: { ...special, timestampEnd: 199 } };

  beforeAll(async () => {
    const checkpoint = randomCheckpoint('sharded-f32', 'end-to-end');
    const compiled = await compileWhisper({
      checkpoint,
      modelsDir,
      device: cpu(),
      computeType: 'float32',
      endOfText: special.endOfText,
    });
    const { never } = new LogitFilter(compiled.configuration, vocabulary);
    model = await WhisperModel.load(compiled, { never });
    mel = new MelSpectrogram(compiled.configuration.mels);
  });

  function windowOf(seed: number, seconds: number): SpeechWindow {
    const noise = seededNoise(seed);
    const start = 3 * SAMPLE_RATE;
    const length = seconds * SAMPLE_RATE;
    return {
      start,
      end: start + length,
      samples: Float32Array.from({ length }, (_, index) => 0.3 * noise() * Math.sin(index / 900)),
      speech: [
        { start: start + 2000, end: start + 0.4 * length },
        { start: start + 0.6 * length, end: start + length },
      ],
      probabilities: new Float32Array(Math.ceil(length / 512)).fill(0.9),
    };
  }
  const transcribe = (window: SpeechWindow, options: Partial<TranscribeOptions> = {}) =>
    transcribeWindow({ model, tokenizer: vocabulary, mel }, window, { task: 'transcribe', beamSize: 1, ...options });

  it.each([
    ['greedily', {}],
    ['with beams', { beamSize: 3 }],
    ['after a prompt', { prompt: 'x one two', language: 'fr' }],
    [
      'after another window',
      { context: { tokens: [1, 2, 3], language: 'en', lastSpeech: 2, levels: [] }, task: 'translate' as const },
    ],
  ])('follows the rules of transcripts %s', async (_, options) => {
    for (const seed of [1, 2]) {
      const window = windowOf(seed, 5);
      const { segments, language, context } = await transcribe(window, options);
      expect(['en', 'fr']).toContain(language);
      expect(context.tokens.length).toBeLessThanOrEqual(223);
      let last = window.start / SAMPLE_RATE;
      for (const segment of segments) {
        expect(segment.start).toBeGreaterThanOrEqual(last - 1e-9);
        expect(segment.end).toBeGreaterThan(segment.start);
        expect(segment.text.trim()).not.toBe('');
        expect(segment.tokens.every((token) => token <= 199 && token !== special.noTimestamps)).toBe(true);
        expect(segment.tokens[0]).toBeGreaterThanOrEqual(special.timestampBegin);
        expect([0, 0.2, 0.4, 0.6, 0.8, 1]).toContain(segment.temperature);
        expect(segment.no_speech_prob).toBeGreaterThanOrEqual(0);
        expect(segment.no_speech_prob).toBeLessThanOrEqual(1);
        expect(segment.avg_logprob).toBeLessThan(0);
        let word = last;
        for (const { start, end, probability } of segment.words) {
          expect(start).toBeGreaterThanOrEqual(word - 1e-9);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(probability).toBeGreaterThan(0);
          expect(probability).toBeLessThanOrEqual(1);
          word = end;
        }
        last = segment.end;
      }
      expect(last).toBeLessThanOrEqual(window.end / SAMPLE_RATE + 1e-9);
    }
  });

  it('gives the same text again', async () => {
    const window = windowOf(3, 5);
    const first = await transcribe(window, { language: 'en' });
    expect(first.segments.length).toBeGreaterThan(0);
    // No temperature passes the thresholds.
    expect(first.segments.some(({ temperature }) => temperature > 0)).toBe(true);
    expect(await transcribe(window, { language: 'en' })).toEqual(first);
  });
});
