import { describe, expect, it } from 'vitest';
import { hasSpeech, readSpeech, speechFile } from '../../test/fixtures/speech.ts';
import { cpu } from '../ort/device.ts';
import { float32, int64, Session } from '../ort/session.ts';
import { FRAME, publishedModel, SAMPLE_RATE, VoiceActivityModel } from './silero.ts';

/** Probabilities of the published graph, which takes a frame and the end of the one before. */
async function reference(samples: Float32Array): Promise<number[]> {
  const session = await Session.load(publishedModel(), cpu());
  const context = 64;
  let state = float32(new Float32Array(256), [2, 1, 128]);
  const probabilities: number[] = [];
  for (let start = 0; start + FRAME <= samples.length; start += FRAME) {
    const input = new Float32Array(context + FRAME);
    input.set(samples.subarray(Math.max(0, start - context), start + FRAME), start === 0 ? context : 0);
    const sr = int64(SAMPLE_RATE, []);
    const { output, stateN } = await session.run({ input: float32(input, [1, input.length]), state, sr });
    state = stateN!;
    probabilities.push((output!.data as Float32Array)[0]!);
  }
  return probabilities;
}

describe.skipIf(!hasSpeech)('VoiceActivityDetector', async () => {
  const samples = hasSpeech ? (await readSpeech(speechFile('jfk.flac'))).subarray(0, 300 * FRAME) : new Float32Array(0);
  const model = await VoiceActivityModel.load(cpu());

  it.each([[[300]], [[1, 299]], [[100, 1, 1, 98, 50, 50]]])(
    'gives the probabilities of the published graph in runs of %j',
    async (runs) => {
      const detector = model.detector();
      const probabilities: number[] = [];
      let start = 0;
      for (const count of runs) {
        probabilities.push(...(await detector.next(samples.subarray(start, start + count * FRAME))));
        start += count * FRAME;
      }
      const expected = await reference(samples);
      expect(Math.max(...expected)).toBeGreaterThan(0.9);
      expect(Math.min(...expected)).toBeLessThan(0.1);
      expect(probabilities).toHaveLength(expected.length);
      for (const [index, probability] of probabilities.entries()) expect(probability).toBeCloseTo(expected[index]!, 4);
    },
  );

  it('keeps the state of recordings separate', async () => {
    const [alone, interleaved] = [model.detector(), model.detector()];
    await interleaved.next(samples.subarray(0, 200 * FRAME));
    const first = samples.subarray(0, 50 * FRAME);
    const other = model.detector();
    const expected = await alone.next(first);
    expect([...(await other.next(first))]).toEqual([...expected]);
    expect([...(await interleaved.next(first))]).not.toEqual([...expected]);
  });
});
