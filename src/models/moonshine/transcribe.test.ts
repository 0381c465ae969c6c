import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../test/fixtures/speech.ts';
import type { SpeechWindow } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import { moonshineTiny } from './graph/network.ts';
import type { DecoderState, MoonshineModel } from './model.ts';
import { encode } from './tokenizer.ts';
import { transcribeWindow } from './transcribe.ts';

const END = 2;

interface Said {
  text: string;
  from: number;
  to: number;
  logprob: number;
}

/** A model that says texts, each of whose tokens attends to its share of the time. */
function saying(texts: readonly Said[]): MoonshineModel {
  const steps = texts.flatMap(({ text, from, to, logprob }) => {
    const tokens = encode(text);
    return tokens.map((token, index) => ({ token, logprob, at: from + ((to - from) * (index + 0.5)) / tokens.length }));
  });
  const encodeAudio = async ({ length }: Float32Array) => {
    let next = 0;
    const step = async () => {
      const { token, logprob, at } = steps[next++] ?? { token: END, logprob: -0.01, at: 0 };
      const attention = new Float32Array(Math.floor(length / moonshineTiny.frameStride)).fill(1e-3);
      attention[Math.floor((at * SAMPLE_RATE) / moonshineTiny.frameStride)] = 0.9;
      return { token, logprob, attention };
    };
    const state = { step, feed: async () => [await step()], truncate: () => {} };
    return state as unknown as DecoderState;
  };
  return { encode: encodeAudio } as unknown as MoonshineModel;
}

describe('transcribeWindow', () => {
  it('wrote what voices in the background said in a pause, and still does in live speech', async () => {
    const noise = seededNoise(5);
    // Ten seconds of a speaker, then ten of voices that rise and fall by 6 dB.
    const samples = Float32Array.from({ length: 20 * SAMPLE_RATE }, (_, index) => {
      const murmur = Math.floor(index / 800) % 2 === 0 ? 0.01 : 0.02;
      return (index < 10 * SAMPLE_RATE ? 0.3 : murmur) * noise();
    });
    const window: SpeechWindow = {
      start: 0,
      end: samples.length,
      samples,
      speech: [{ start: 0, end: samples.length }],
      probabilities: new Float32Array(Math.ceil(samples.length / 512)).fill(0.9),
    };
    const model = saying([
      { text: 'Good morning, everybody.', from: 0.5, to: 9.5, logprob: -0.1 },
      { text: 'We are the ones.', from: 11, to: 19, logprob: -0.5 },
    ]);
    const said = async (isLive: boolean) =>
      (await transcribeWindow(model, window, { beamSize: 1, isLive })).map(({ text }) => text);
    expect(await said(false)).toEqual([' Good morning, everybody.']);
    expect(await said(true)).toEqual([' Good morning, everybody.', ' We are the ones.']);
  });
});
