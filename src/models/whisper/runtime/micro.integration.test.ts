import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { microModel } from '../../../../test/fixtures/micro-model.ts';
import { readSpeech } from '../../../../test/fixtures/speech.ts';
import { microCheckpoint, recordingFile, recordings } from '../../../../test/fixtures/whisper-micro.ts';
import type { EncodedAudio } from './batch.ts';
import { DecodingTask } from './decoding.ts';
import { detectLanguage } from './language-detector.ts';
import { MelSpectrogram } from './mel.ts';
import type { WhisperModel } from './model.ts';
import { WhisperTokenizer } from './tokenizer.ts';

/** Results of Hugging Face's implementation for the same recordings (scripts/whisper-micro/goldens.py). */
const reference: Record<string, { languages: Record<string, number>; tokens: number[] }> = JSON.parse(
  readFileSync(`${microCheckpoint}reference.json`, 'utf8'),
);
const names = Object.keys(reference);

let model: WhisperModel;
let tokenizer: WhisperTokenizer;
beforeAll(async () => {
  tokenizer = await WhisperTokenizer.read(microCheckpoint);
  model = await microModel('float32');
});

async function encode(name: string): Promise<EncodedAudio> {
  const { mels, audioPositions } = model.configuration;
  const samples = await readSpeech(recordingFile(name));
  return model.encode(new MelSpectrogram(mels).compute(samples, 2 * audioPositions));
}

describe('a trained checkpoint', () => {
  it.each(names)('scores the languages of %s as the reference does', async (name) => {
    const { language, probabilities } = await detectLanguage(model.decode(await encode(name)), tokenizer.special);
    expect(language).toBe(recordings[name]!.language);
    for (const [code, score] of Object.entries(reference[name]!.languages)) {
      expect(Math.abs((probabilities.get(code) ?? 0) - score), code).toBeLessThan(1e-4);
    }
  });

  it.each(names)('decodes %s to the tokens of the reference', async (name) => {
    const audio = await encode(name);
    const { startOfTranscript, languages, transcribe } = tokenizer.special;
    const { tokens, temperature } = await new DecodingTask(model.configuration, tokenizer, 1).decodeWithFallback({
      start: () => model.decode(audio),
      previous: [],
      sequence: [startOfTranscript, languages.get(recordings[name]!.language)!, transcribe],
      audioPositions: model.configuration.audioPositions,
      seed: 1,
    });
    expect(temperature).toBe(0);
    expect(tokens).toEqual(reference[name]!.tokens);
  });
});
