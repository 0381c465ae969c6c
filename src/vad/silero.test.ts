import { describe, expect, it, vi } from 'vitest';
import { hasSpeech, readSpeech, speechFile } from '../../test/fixtures/speech.ts';
import type { VoiceActivityState } from '../contracts/transcription.ts';
import { cpu } from '../ort/device.ts';
import { float32, int64, Session } from '../ort/session.ts';
import { FRAME, SAMPLE_RATE } from './frames.ts';
import { publishedModel, VoiceActivityModel } from './silero.ts';

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

  it('continues from a state in another detector', async () => {
    const whole = await model.detector().next(samples);
    const parts: number[] = [];
    let state: VoiceActivityState | undefined;
    for (let start = 0; start < 20; start++) {
      const detector = model.detector(state);
      parts.push(...(await detector.next(samples.subarray(start * FRAME, (start + 1) * FRAME))));
      // As the engine process gets it back.
      state = structuredClone({ ...detector.state, peak: 0 });
    }
    for (const [index, probability] of parts.entries()) expect(probability).toBeCloseTo(whole[index]!, 5);
    const silent = model.detector(state);
    await silent.next(new Float32Array(200 * FRAME));
    expect(model.detector({ ...silent.state, peak: 0 }).state.silentFrames).toBe(200);
  });

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

describe('VoiceActivityDetector, in digital silence', () => {
  it('stops computing after four seconds, and finds the speech that follows', async () => {
    const run = vi.spyOn(Session.prototype, 'run');
    const detector = (await VoiceActivityModel.load(cpu())).detector();
    run.mockClear();
    for (let chunk = 0; chunk < 7200; chunk++) {
      const probabilities = await detector.next(new Float32Array(16 * FRAME));
      expect(Math.max(...probabilities)).toBeLessThan(0.35);
    }
    // An hour in chunks of half a second.
    expect(run.mock.calls.length).toBeLessThanOrEqual(8);
    const sound = Float32Array.from({ length: 16 * FRAME }, (_, index) => 0.1 * Math.sin(index / 3));
    await detector.next(sound);
    await detector.next(new Float32Array(16 * FRAME));
    expect(run.mock.calls.length).toBeLessThanOrEqual(10);
    expect(run.mock.calls.length).toBeGreaterThanOrEqual(9);
    run.mockRestore();
  });

  it.skipIf(!hasSpeech)('gives the speech that follows almost the same probabilities', async () => {
    const speech = (await readSpeech(speechFile('jfk.flac'))).subarray(0, 300 * FRAME);
    const padded = new Float32Array(640 * FRAME + speech.length);
    padded.set(speech, 640 * FRAME);
    const expected = (await reference(padded)).slice(640);
    const detector = (await VoiceActivityModel.load(cpu())).detector();
    const probabilities: number[] = [];
    for (let at = 0; at < padded.length; at += 4 * FRAME) {
      probabilities.push(...(await detector.next(padded.subarray(at, at + 4 * FRAME))));
    }
    const differences = probabilities.slice(640).map((probability, index) => Math.abs(probability - expected[index]!));
    expect(Math.max(...differences)).toBeLessThan(0.2);
    expect(differences.reduce((sum, difference) => sum + difference) / differences.length).toBeLessThan(0.01);
  });
});
