import { describe, expect, it } from 'vitest';
import {
  ACUTE,
  at,
  type Distribution,
  type Script,
  ScriptedDecoder,
  sampled,
  saying,
  special,
  tokenizer,
} from '../../../../test/fixtures/scripted-decoder.ts';
import type { SpeechWindow } from '../../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../../vad/silero.ts';
import { type TranscribeOptions, transcribeWindow } from './transcribe.ts';

const { startOfTranscript, startOfPrevious, noSpeech, endOfText } = special;

/** Windows of at most 10 s. */
const POSITIONS = 500;

/** A window whose samples hold their own time, in seconds from the start of the recording. */
function windowOf(from: number, to: number, ...speech: [from: number, to: number][]): SpeechWindow {
  const start = from * SAMPLE_RATE;
  const end = to * SAMPLE_RATE;
  return {
    start,
    end,
    samples: Float32Array.from({ length: end - start }, (_, index) => (start + index) / SAMPLE_RATE),
    speech: speech.map(([start, end]) => ({ start: start * SAMPLE_RATE, end: end * SAMPLE_RATE })),
    probabilities: new Float32Array(Math.ceil((end - start) / 512)),
  };
}

interface Run {
  window: SpeechWindow;
  /** Script of the decoder for audio from these seconds on. */
  say: (seconds: number) => Script;
  /** Attention peak after these tokens, in seconds from the start of the decoded audio. */
  look?: (fed: readonly number[]) => number;
  options?: Partial<TranscribeOptions>;
  multilingual?: boolean;
}

async function transcribe({ window, say, look, options, multilingual = true }: Run) {
  const starts: number[] = [];
  /** Encoder positions of every run. */
  const lengths: number[] = [];
  /** The last audio whose spectrogram was computed, and whether it is the one before as a whole window. */
  let last: { samples: Float32Array; positions: number } | undefined;
  let isAgain = false;
  const states: ScriptedDecoder[] = [];
  const model = {
    configuration: {
      alignmentHeads: [[0, 0]] as const,
      audioPositions: POSITIONS,
      textPositions: 448,
      suppressTokens: [],
      beginSuppressTokens: [],
      multilingual,
    },
    async encode(mel: Float32Array) {
      const start = Math.round(mel[0]! * 1000) / 1000;
      if (!isAgain) starts.push(start);
      isAgain = false;
      return start;
    },
    decode(start: number, { attention }: { attention: boolean }) {
      const attend = (fed: readonly number[]) => {
        const peak = (look?.(fed) ?? 0.1 * sampled(fed).length) / 0.02;
        return Float32Array.from({ length: POSITIONS }, (_, position) => Math.exp(-(((position - peak) / 4) ** 2)));
      };
      states.push(new ScriptedDecoder(say(start), { attend: attention ? attend : () => new Float32Array(0) }));
      return states.at(-1)!;
    },
  };
  const mel = {
    compute(samples: Float32Array, frames: number) {
      expect(samples.length).toBeLessThanOrEqual(POSITIONS * 320);
      const positions = frames / 2;
      isAgain = last?.samples.length === samples.length && last.samples[0] === samples[0] && last.positions < positions;
      last = { samples, positions };
      lengths.push(positions);
      return samples.subarray(0, 1);
    },
  };
  const result = await transcribeWindow(model, tokenizer, mel, window, {
    task: 'transcribe',
    language: 'en',
    beamSize: 1,
    ...options,
  });
  /** Previous text that the last decoder was conditioned on. */
  const conditioning = () => {
    const [fed] = states.at(-1)!.fed;
    return fed![0] === startOfPrevious ? fed!.slice(1, fed!.indexOf(startOfTranscript)) : [];
  };
  return { ...result, starts, lengths, states, conditioning, texts: result.segments.map(({ text }) => text) };
}

const ONE = [at(0), 1, 2, at(2)];
const silence: Script = (fed) =>
  fed.at(-1) === startOfTranscript ? { [noSpeech]: 0.9 } : saying([at(0), 1, 2, 3, 4, at(1)], 0.07)(fed);

describe('transcribeWindow', () => {
  it('gives segments with times from the start of the recording', async () => {
    const { segments, starts, language } = await transcribe({
      window: windowOf(100, 105, [100.2, 102], [103, 104.6]),
      say: () => saying([...ONE, at(3), 3, 4, at(4.6)]),
      look: (fed) => [0.2, 0.2, 1, 1.8, 3, 3, 3.8, 4.6][sampled(fed).length]!,
    });
    expect(starts).toEqual([100]);
    expect(language).toBe('en');
    expect(segments.map(({ text }) => text)).toEqual([' one two', ' three four']);
    expect(segments[0]).toMatchObject({
      seek: 10_000,
      tokens: ONE,
      temperature: 0,
      avg_logprob: expect.closeTo(-0.06, 1),
      compression_ratio: expect.closeTo(19 / 27, 1),
      no_speech_prob: expect.closeTo(0, 3),
    });
    // Any moment between two attention peaks may separate their words.
    const near = (value: number, meant: number) => expect(Math.abs(value - meant)).toBeLessThan(0.45);
    near(segments[0]!.start, 100.2);
    near(segments[0]!.end, 101.9);
    near(segments[1]!.start, 103);
    near(segments[1]!.end, 104.6);
    expect(segments[1]!.words.map(({ word }) => word)).toEqual(['three', 'four']);
    near(segments[1]!.words[1]!.start, 103.7);
    for (const { words } of segments) for (const word of words) expect(word.probability).toBeCloseTo(0.9, 1);
  });

  it.each([1, 5])('has the tokens of the text on request, with %i beams', async (beamSize) => {
    const window = windowOf(100, 105, [100.2, 102], [103, 104.6]);
    const say = () => saying([...ONE, at(3), 3, 13, 14, at(4.6)]);
    const look = (fed: readonly number[]) => [0.2, 0.2, 1, 1.8, 3, 3, 3.4, 3.8, 4.6][sampled(fed).length]!;
    const { segments } = await transcribe({ window, say, look, options: { beamSize, logprobs: true } });
    expect(segments.map(({ text }) => text)).toEqual([' one two', ' threeé']);
    expect(segments.map(({ logprobs }) => logprobs!.map(({ token }) => token))).toEqual([
      [' one', ' two'],
      [' three', '\\xc3', '\\xa9'],
    ]);
    for (const { text, logprobs } of segments) {
      expect(Buffer.from(logprobs!.flatMap(({ bytes }) => bytes)).toString()).toBe(text);
      for (const { logprob } of logprobs!) expect(logprob).toBeCloseTo(Math.log(0.9), 1);
    }
    const without = await transcribe({ window, say, look, options: { beamSize } });
    expect(without.segments[0]).not.toHaveProperty('logprobs');
  });

  it('detects only the language on request, in as much audio as fits the encoder', async () => {
    const { segments, language, probability, starts } = await transcribe({
      window: windowOf(3, 27, [3, 27]),
      say: () => () => ({ 22: 0.05, 23: 0.15 }),
      options: { language: undefined, detectOnly: true },
      multilingual: true,
    });
    expect(segments).toEqual([]);
    expect([language, probability]).toEqual(['fr', expect.closeTo(0.75, 3)]);
    expect(starts).toEqual([3]);
  });

  it('uses a given spectrogram for the start of a window only', async () => {
    const { starts } = await transcribe({
      window: windowOf(10, 19, [10, 19]),
      say: (start) => saying(start === 77 ? [at(0), 1, at(4), at(4), 2] : [at(0), 2, 3, at(5)]),
      options: { mel: Float32Array.of(77) },
    });
    expect(starts).toEqual([77, 14]);
  });

  it('continues from the last pair of timestamps without repeating text', async () => {
    const { texts, starts, segments } = await transcribe({
      window: windowOf(0, 9, [0, 9]),
      say: (start) => saying(start === 0 ? [at(0), 1, at(4), at(4), 2] : [at(0), 2, 3, at(5)]),
      look: (fed) => 1 + sampled(fed).length / 2,
    });
    expect(starts).toEqual([0, 4]);
    expect(texts).toEqual([' one', ' two three']);
    expect(segments.map(({ seek }) => seek)).toEqual([0, 400]);
    expect(segments[1]!.start).toBeGreaterThanOrEqual(4);
    expect(segments[1]!.start).toBeGreaterThanOrEqual(segments[0]!.end);
  });

  it('transcribes a window longer than the encoder takes', async () => {
    const { texts, starts, segments } = await transcribe({
      window: windowOf(3, 27, [3, 27]),
      say: (start) => saying([at(0), Math.round(start) % 10, at(start > 20 ? 3 : 9.9)]),
      look: () => 5,
    });
    expect(starts).toEqual([3, 13, 23]);
    expect(texts).toEqual([' three', ' three', ' three']);
    let end = 3;
    for (const segment of segments) {
      expect(segment.start).toBeGreaterThanOrEqual(end);
      expect(segment.end).toBeGreaterThan(segment.start);
      end = segment.end;
    }
    expect(end).toBeLessThanOrEqual(27);
  });

  it('encodes a short window without most of the silence after it', async () => {
    const { lengths, states } = await transcribe({ window: windowOf(0, 3, [0, 3]), say: () => saying(ONE) });
    expect(lengths).toEqual([250]);
    expect(states).toHaveLength(1);
  });

  it('encodes a short window as a whole one before it samples', async () => {
    const window = windowOf(0, 3, [0, 3]);
    const unsure = saying([at(0), 1, 2, 3, 4, at(2)], 0.07);
    for (const first of [unsure, saying([at(0), ...new Array<number[]>(50).fill([4, 5, 6]).flat()]), silence]) {
      let tries = 0;
      const { lengths, segments, texts } = await transcribe({
        window,
        say: () => (tries++ === 0 ? first : saying(ONE)),
      });
      expect(lengths).toEqual([250, POSITIONS]);
      expect(texts).toEqual([' one two']);
      expect(segments[0]!.temperature).toBe(0);
      expect(tries).toBe(2);
    }
  });

  it('decodes live speech at one temperature, over its own length and in one piece', async () => {
    for (const [end, window] of [
      [3, windowOf(0, 3, [0, 3])],
      [9, windowOf(0, 9, [0, 4], [5, 9])],
    ] as const) {
      const { lengths, states, segments } = await transcribe({
        window,
        say: () => saying([at(0), 1, 2, 3, 4, at(end)], 0.07),
        look: (fed) => (end / 6) * sampled(fed).length,
        options: { isLive: true },
      });
      expect(lengths).toHaveLength(1);
      expect(states).toHaveLength(1);
      expect(segments).toMatchObject([{ text: ' one two three four', temperature: 0 }]);
    }
  });

  it('decodes live speech that no segment covers again', async () => {
    const { texts, starts } = await transcribe({
      window: windowOf(0, 9, [0, 9]),
      say: (start) => saying(start === 0 ? [at(0), 1, 2, at(4)] : [at(0), 3, 4, at(4.8)]),
      look: (fed) => sampled(fed).length,
      options: { isLive: true },
    });
    expect(starts).toEqual([0, 4]);
    expect(texts).toEqual([' one two', ' three four']);
  });

  it('stops if voice activity found no more speech', async () => {
    const { starts } = await transcribe({
      window: windowOf(0, 9, [0.2, 4.1]),
      say: () => saying([at(0), 1, at(4), at(4)]),
    });
    expect(starts).toEqual([0]);
    const { starts: none, segments } = await transcribe({ window: windowOf(0, 9), say: () => saying(ONE) });
    expect(none).toEqual([]);
    expect(segments).toEqual([]);
  });

  it('always advances', async () => {
    const { starts } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => saying([at(0), 1, at(0.02), at(0.02), 2]),
    });
    expect(starts).toEqual([0, 0.5, 1, 1.5, 2, 2.5]);
    // After a failure, by more.
    const { starts: failing } = await transcribe({
      window: windowOf(0, 5, [0, 5]),
      say: () => saying([at(0), 1, 2, 3, 4, 5, at(0.04), at(0.04), 2], 0.07),
    });
    expect(failing).toEqual([0, 2, 4]);
  });

  it('gives no segments for silence', async () => {
    const { segments, context, starts } = await transcribe({
      window: windowOf(0, 18, [0, 4], [10, 18]),
      say: (start) => (start === 0 ? silence : saying([at(0), 1, 2, at(8)])),
      options: { context: { tokens: [7], language: 'en', lastSpeech: 0, levels: [] } },
    });
    expect(starts).toEqual([0, 10]);
    expect(segments).toHaveLength(1);
    // Silence keeps the context.
    expect(context.tokens).toEqual([7, at(0), 1, 2, at(8)]);
  });

  it('keeps confident text despite a high no-speech probability', async () => {
    const { texts } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => (fed) => (fed.at(-1) === startOfTranscript ? { [noSpeech]: 0.9 } : saying(ONE)(fed)),
    });
    expect(texts).toEqual([' one two']);
  });

  it('gives no text for a bark, which the model considers silence', async () => {
    const bark = async (seconds: number) =>
      (
        await transcribe({
          window: windowOf(0, 1, [0, seconds]),
          say: () => (fed) => (fed.at(-1) === startOfTranscript ? { [noSpeech]: 0.9 } : saying([at(0), 1, at(1)])(fed)),
        })
      ).texts;
    expect(await bark(0.2)).toEqual([]);
    expect(await bark(0.6)).toEqual([' one']);
  });

  it('drops a segment that overlaps no speech from text and context', async () => {
    const { texts, context } = await transcribe({
      window: windowOf(0, 9, [0.5, 2], [7, 9]),
      say: () => saying([...ONE, at(4), 8, 9, at(5), at(7), 3, at(8.5)]),
      look: (fed) => [0.5, 0.5, 1, 2, 4, 4, 4.5, 5, 7, 7, 8.5][sampled(fed).length]!,
    });
    expect(texts).toEqual([' one two', ' three']);
    expect(context.tokens).toEqual([...ONE, at(7), 3, at(8.5)]);
  });

  it('leaves voices in the background out of text and context, unless speech is live', async () => {
    // It begins at second 0, and changes by 6 dB every tenth of a second.
    const murmur = Float32Array.from({ length: 10 * SAMPLE_RATE }, (_, index) => (index % 3200 < 1600 ? 0.5 : 1));
    murmur[0] = 0;
    const heard = (levels: number[], options: Partial<TranscribeOptions> = {}) =>
      transcribe({
        window: { ...windowOf(0, 10, [0, 2]), samples: murmur },
        say: () => saying(ONE, 0.6),
        options: { ...options, context: { tokens: [7], language: 'en', lastSpeech: 0, levels } },
      });
    const loudBefore = await heard([40]);
    expect(loudBefore.texts).toEqual([]);
    expect(loudBefore.context).toMatchObject({ tokens: [7], levels: [40] });
    const alone = await heard([]);
    expect(alone.texts).toEqual([' one two']);
    expect(alone.context.tokens).toEqual([7, ...ONE]);
    const live = await heard([40], { isLive: true });
    expect(live.texts).toEqual([' one two']);
    expect(live.context.tokens).toEqual([7, ...ONE]);
  });

  it('allows some slack between voice activity and timestamps', async () => {
    const say = (to: number) => () => saying([at(0), 1, at(to)]);
    const window = windowOf(0, 5, [2, 2.9]);
    expect((await transcribe({ window, say: say(1.8) })).segments).toHaveLength(1);
    expect((await transcribe({ window, say: say(1.6) })).segments).toHaveLength(0);
  });

  it('drops segments without text', async () => {
    const { texts } = await transcribe({
      window: windowOf(0, 5, [0, 5]),
      say: () => saying([at(0), 12, at(1), at(1), 1, at(4)]),
    });
    expect(texts).toEqual([' one']);
  });

  it('joins segments split within a character', async () => {
    const { texts } = await transcribe({
      window: windowOf(0, 5, [0, 5]),
      say: () => saying([at(0), 1, ACUTE[0], at(2), at(2), ACUTE[1], 2, at(4)]),
    });
    expect(texts).toEqual([' oneé two']);
  });

  it('keeps words off pauses, in order and within the window', async () => {
    const window = windowOf(50, 58, [50.5, 52], [55, 57.5]);
    const { segments } = await transcribe({
      window,
      say: () => saying([at(0.4), 1, 2, 3, 4, at(7.9)]),
      look: (fed) => [0.4, 1, 3.2, 4, 5.2, 7.9][sampled(fed).length]!,
    });
    let last = 50;
    for (const word of segments.flatMap(({ words }) => words)) {
      expect(word.start).toBeGreaterThanOrEqual(last);
      expect(word.end).toBeGreaterThanOrEqual(word.start);
      // Voice activity is 30 ms late.
      expect(word.start <= 52.04 ? word.end : word.start).not.toSatisfy((at: number) => at > 52.04 && at < 54.96);
      last = word.end;
    }
    expect(last).toBeLessThanOrEqual(58);
    expect(segments[0]!.start).toBe(segments[0]!.words[0]!.start);
    expect(segments[0]!.end).toBe(last);
  });

  it('keeps text whose only timestamp is after the audio', async () => {
    const { segments } = await transcribe({
      window: windowOf(0, 0.5, [0, 0.5]),
      say: () => saying([at(0.8), 1]),
    });
    expect(segments).toEqual([expect.objectContaining({ text: ' one' })]);
    expect(segments[0]!.end).toBeLessThanOrEqual(0.5);
  });

  it('drops text repeated after the speech, faster than anybody can speak', async () => {
    const text = Array.from({ length: 8 }, (_, index) => 1 + (index % 7));
    const { texts } = await transcribe({
      window: windowOf(0, 4, [0, 3.8]),
      say: () => saying([at(0), ...text, at(3.7), at(3.7), ...text, at(7.4)]),
      look: (fed) => Math.min(3.7, 0.4 * sampled(fed).length),
    });
    expect(texts).toHaveLength(1);
  });

  it('gives every segment some time, wherever attention is', async () => {
    for (const moment of [0, 2.2, 3.1, 4.98]) {
      const { texts, segments } = await transcribe({
        window: windowOf(0, 5, [0, 5]),
        say: () => saying([at(0), 1, 2, at(2), at(2), 3, at(2.2), at(2.2), 4, at(4)]),
        look: (fed) => (sampled(fed).length < 2 ? 0.1 : moment),
      });
      expect(texts).toEqual([' one two', ' three', ' four']);
      let last = 0;
      for (const { start, end } of segments) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
    }
  });
});

describe('transcribeWindow on speech that no segment covers', () => {
  const whole = [at(0), 3, 4, at(4)];

  it('decodes the rest after a single closing timestamp', async () => {
    const { texts, starts, conditioning } = await transcribe({
      window: windowOf(0, 9, [0, 2], [5, 9]),
      say: (start) => saying(start === 0 ? ONE : [at(1), 3, 4, at(7)]),
    });
    expect(starts).toEqual([0, 2]);
    expect(texts).toEqual([' one two', ' three four']);
    expect(conditioning()).toEqual([]);
  });

  it('decodes speech that the last segment covers, but none of its words', async () => {
    const { texts, starts, segments } = await transcribe({
      window: windowOf(0, 10, [0, 4], [6, 9.5]),
      say: (start) => saying(start === 0 ? [at(0), 1, 2, 10, at(9.8)] : [at(0.4), 3, 4, at(4)]),
      look: (fed) => [0, 1, 2.5, 3.6, 4][sampled(fed).length]!,
    });
    expect(starts).toEqual([0, 5.5]);
    expect(texts).toEqual([' one two.', ' three four']);
    expect(segments[0]!.end).toBeLessThan(4.1);
    expect(segments[1]!.start).toBeGreaterThan(5.9);
  });

  it('decodes speech that another segment covers, but none of its words', async () => {
    const { texts, starts } = await transcribe({
      window: windowOf(0, 10, [0, 2], [3.5, 5.8], [6.5, 9.5]),
      say: (start) => saying(start === 0 ? [at(0), 1, 2, at(6), at(6), 5, 6, at(9.5)] : [at(0.4), 3, 4, at(2.5)]),
      look: (fed) => [0, 0.5, 1.6, 1.9, 6.5, 6.8, 8, 9.5][sampled(fed).length] ?? 9.5,
    });
    expect(starts).toEqual([0, 3]);
    expect(texts).toEqual([' one two', ' three four', ' five six']);
  });

  it('decodes speech before the first words that the first segment covers', async () => {
    const { texts, starts, segments } = await transcribe({
      window: windowOf(0, 10, [0.2, 3], [5, 9.5]),
      // Both start with the window; the part is decoded second.
      say: (
        (decodings) => () =>
          saying(decodings++ === 0 ? [at(0), 1, 2, at(9.8)] : [at(0.2), 3, 4, at(3)])
      )(0),
      look: (fed) => [5, 5.6, 8, 9.4, 9.8][sampled(fed).length] ?? 9.8,
    });
    expect(starts).toEqual([0, 0]);
    expect(texts).toEqual([' three four', ' one two']);
    expect(segments[1]!.start).toBeGreaterThan(4.5);
  });

  it('writes words once that follow their closing pair of timestamps', async () => {
    const { texts, starts } = await transcribe({
      window: windowOf(0, 10, [0, 4], [4.3, 7], [7.2, 9.6]),
      say: (start) => saying(start === 0 ? [at(0), 1, 2, 3, 4, 10, at(6), at(6)] : [at(0), 4, 10, at(3)]),
      look: (fed) => [0, 0.5, 3, 5, 9.1, 9.7, 9.8][sampled(fed).length] ?? 9.8,
    });
    expect(starts).toEqual([0]);
    expect(texts).toEqual([' one two three four.']);
  });

  it('leaves a segment alone whose words attention finds before all speech', async () => {
    const { texts, starts } = await transcribe({
      window: windowOf(0, 10, [3, 9]),
      say: () => saying([at(0), 1, 2, at(9)]),
      look: () => 0.5,
    });
    expect(starts).toEqual([0]);
    expect(texts).toEqual([' one two']);
  });

  it('does not decode a rest that is only a breath', async () => {
    const { starts } = await transcribe({
      window: windowOf(0, 9, [0, 2], [5, 5.9]),
      say: () => saying(ONE),
    });
    expect(starts).toEqual([0]);
  });

  it('decodes a gap between segments, without the text before', async () => {
    const { texts, starts, segments, states } = await transcribe({
      window: windowOf(0, 10, [0, 10]),
      say: (start) =>
        saying(start === 0 ? [at(1), 1, at(3), at(7), 2, at(10)] : [at(0), start === 3 ? 3 : 4, at(2), at(2)]),
      look: (fed) => 1 + sampled(fed).length / 4,
      options: { context: { tokens: [7], language: 'en', lastSpeech: 0, levels: [] } },
    });
    expect(starts).toEqual([0, 3, 5]);
    expect(texts).toEqual([' one', ' three', ' four', ' two']);
    expect(states.map(({ fed }) => fed[0]!.includes(7))).toEqual([true, false, false]);
    expect(segments.map(({ start }) => start)).toEqual(segments.map(({ start }) => start).sort((a, b) => a - b));
  });

  it('decodes speech within the timestamps of a segment that its words leave out', async () => {
    let decodings = 0;
    const { texts, starts } = await transcribe({
      window: windowOf(0, 10, [0, 9.9]),
      say: () => saying(++decodings === 1 ? [at(0), 1, 2, at(10)] : [at(0), 3, 4, at(6)]),
      look: (fed) => (decodings === 1 ? [6, 6, 8, 10][sampled(fed).length]! : 1 + sampled(fed).length),
    });
    expect(starts).toEqual([0, 0]);
    expect(texts).toEqual([' three four', ' one two']);
  });

  it('decodes long speech again whose text is far too short for it, without the text before', async () => {
    let decodings = 0;
    const { texts, starts, conditioning } = await transcribe({
      window: windowOf(0, 10, [0, 10]),
      say: () => saying(++decodings === 1 ? [at(0), 1, 2, at(10)] : [at(0), 3, 4, at(4), at(4), 5, 6, at(9)]),
      look: (fed) => sampled(fed).length,
      options: { context: { tokens: [1, 2], language: 'en', lastSpeech: 0, levels: [] } },
    });
    expect(starts).toEqual([0, 0]);
    expect(texts).toEqual([' three four', ' five six']);
    expect(conditioning()).toEqual([]);
  });

  it('keeps a short text for long speech if there is no clear alternative, unless it repeats the text before', async () => {
    const heard = (tokens: number[]) => {
      let decodings = 0;
      return transcribe({
        window: windowOf(0, 10, [0, 10]),
        say: () => (++decodings === 1 ? saying([at(0), 1, 2, at(10)]) : silence),
        look: (fed) => 2 * sampled(fed).length,
        options: { context: { tokens, language: 'en', lastSpeech: 0, levels: [] } },
      });
    };
    expect((await heard([3, 4])).texts).toEqual([' one two']);
    expect((await heard([4, 1, 2])).texts).toEqual([]);
  });

  it('decodes long speech that the model takes for silence in halves, without the text before', async () => {
    const { texts, starts, states } = await transcribe({
      window: windowOf(0, 10, [0, 10]),
      say: (start) => (start < 5 ? silence : saying([at(0), 3, 4, at(4.4)])),
      options: { context: { tokens: [7], language: 'en', lastSpeech: 0, levels: [] } },
    });
    expect(starts).toEqual([0, 0, 0, 2.5, 5]);
    expect(texts).toEqual([' three four']);
    expect(states.findLastIndex(({ fed }) => fed[0]!.includes(7))).toBe(0);
  });

  it('ends a segment with its words even if the model has closed it before them, and repeats nothing', async () => {
    const { texts, starts, segments } = await transcribe({
      window: windowOf(0, 10, [0, 6.8]),
      say: () => saying([at(0), 1, 2, 3, 4, 10, at(4)]),
      look: (fed) => [0.5, 0.5, 2, 3, 5, 6.8, 7][sampled(fed).length]!,
    });
    expect(starts).toEqual([0]);
    expect(texts).toEqual([' one two three four.']);
    expect(segments[0]!.end).toBeGreaterThan(5.5);
  });

  it('decodes long speech in halves if its text is not clear after it was skipped', async () => {
    const { texts, starts } = await transcribe({
      window: windowOf(0, 10, [0, 10]),
      say: (start) => (start === 2 ? saying([at(0), 5, 6, 7, at(7)], 0.1) : saying(start === 0 ? ONE : whole)),
      look: (fed) => 0.3 * sampled(fed).length,
    });
    expect(starts).toEqual([0, 2, 2, 6]);
    expect(texts).toEqual([' one two', ' three four']);
  });

  it('keeps the timestamps of a text that attention finds all at once, and decodes the speech after it', async () => {
    let decodings = 0;
    const text = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1];
    const { texts, starts } = await transcribe({
      window: windowOf(0, 10, [0, 10]),
      say: () => saying(++decodings === 1 ? [at(0), ...text, at(4)] : [at(0), 3, 4, at(5.8)]),
      look: (fed) => (decodings > 1 ? 1 + sampled(fed).length : sampled(fed).length < 3 ? 0.5 : 9.9),
    });
    expect(starts).toEqual([0, 4]);
    expect(texts).toEqual([' one two three four five six seven eight nine zero one', ' three four']);
  });

  it('moves text whose timestamps precede its attention, and decodes the speech that it skipped', async () => {
    let decodings = 0;
    const { texts, starts, segments } = await transcribe({
      window: windowOf(0, 10, [0, 4.5], [5.5, 9.5]),
      say: () => saying(++decodings === 1 ? [at(0), 1, 2, 5, at(3)] : [at(0), 3, 4, at(4.4)]),
      look: (fed) => (decodings === 1 ? [6, 6, 7.5, 9, 9.4][sampled(fed).length]! : 1 + sampled(fed).length),
    });
    // The first start is the whole window, the second the speech before the text; nothing follows it.
    expect(starts).toEqual([0, 0]);
    expect(texts).toEqual([' three four', ' one two five']);
    expect(segments[1]!.start).toBeGreaterThan(5);
    expect(segments[1]!.end).toBeGreaterThan(8);
  });

  it('drops an unclear phrase for speech that was skipped', async () => {
    const say = (probability: number) => (start: number) =>
      saying(start === 0 ? ONE : [at(0), 3, 4, at(2)], start === 0 ? 0.9 : probability);
    const window = windowOf(0, 5, [0, 2], [3, 5]);
    const dropped = await transcribe({ window, say: say(0.1) });
    expect(dropped.texts).toEqual([' one two']);
    // Not heard once more as a whole window.
    expect(dropped.lengths).toHaveLength(2);
    expect((await transcribe({ window, say: say(0.6) })).texts).toEqual([' one two', ' three four']);
  });

  it('decodes the rest of skipped speech without the text before, which it would repeat', async () => {
    const { texts, starts, conditioning } = await transcribe({
      window: windowOf(0, 10, [0, 2], [3, 6], [7, 10]),
      say: (start) => (start === 0 ? saying(ONE) : saying([at(0), 3, 4, at(3)], start === 2 ? 0.1 : 0.9)),
    });
    expect(starts).toEqual([0, 2, 2, 6.5]);
    expect(texts).toEqual([' one two', ' three four']);
    expect(conditioning()).toEqual([]);
  });

  it('keeps a translation of skipped speech that is less clear than a transcript must be', async () => {
    const translated = await transcribe({
      window: windowOf(0, 5, [0, 2], [3, 5]),
      say: (start) => saying(start === 0 ? ONE : [at(0), 3, 4, at(2)], start === 0 ? 0.9 : 0.42),
      options: { task: 'translate' },
    });
    expect(translated.texts).toEqual([' one two', ' three four']);
  });

  it('shortens a piece without text to a pause, and continues after it', async () => {
    const { texts, starts } = await transcribe({
      window: windowOf(0, 9, [0, 4], [5, 9]),
      say: (start) => (start === 0 ? silence : saying(whole)),
    });
    expect(starts).toEqual([0, 0, 4.5]);
    expect(texts).toEqual([' three four']);
  });

  it('shortens a piece whose text fails before it tries higher temperatures', async () => {
    let encoded = 0;
    const { segments, starts } = await transcribe({
      window: windowOf(0, 9, [0, 4], [5, 9]),
      say: () => saying([at(0), 1, 2, 3, 4, at(4.5)], ++encoded === 1 ? 0.07 : 0.9),
    });
    expect(starts).toEqual([0, 0, 4.5]);
    expect(segments.map(({ temperature }) => temperature)).toEqual([0, 0]);
  });
});

describe('transcribeWindow language', () => {
  const bilingual =
    (language: number, script: Script): Script =>
    (fed): Distribution =>
      fed.length === 1 ? { [language]: 0.8, 22: 0.05 } : script(fed);

  it('is detected with every decoding if none is given', async () => {
    const { language, states, context } = await transcribe({
      window: windowOf(0, 12, [0, 12]),
      say: (start) => bilingual(23, saying(start === 0 ? [at(0), 1, at(9), at(9)] : ONE)),
      options: { language: undefined as never },
    });
    expect(language).toBe('fr');
    expect(context.language).toBe('fr');
    expect(states).toHaveLength(4);
    expect(states[0]!.fed).toEqual([[startOfTranscript]]);
    expect(states[1]!.fed[0]!.slice(0, 3)).toEqual([startOfTranscript, 23, special.transcribe]);
  });

  it('is detected over a whole window if short audio leaves it unsure', async () => {
    for (const [probability, expected] of [
      [0.95, [250]],
      [0.6, [250, POSITIONS]],
    ] as const) {
      let tries = 0;
      const { language, lengths, segments } = await transcribe({
        window: windowOf(0, 3, [0, 3]),
        say: () => {
          const detects = tries++ < expected.length;
          const language = tries < expected.length ? 22 : 23;
          const other = language === 22 ? 23 : 22;
          return detects ? () => ({ [language]: probability, [other]: 1 - probability }) : saying(ONE);
        },
        options: { language: undefined as never },
      });
      expect(lengths).toEqual(expected);
      expect(language).toBe('fr');
      expect(segments).toHaveLength(1);
    }
  });

  const detecting =
    (probability: number, script: Script): Script =>
    (fed): Distribution =>
      fed.length === 1 ? { 23: probability, 22: 1 - probability } : script(fed);

  it('is detected in a shorter piece if it is unsure', async () => {
    let decoders = 0;
    const { starts, states } = await transcribe({
      window: windowOf(0, 9, [0, 4], [5, 9]),
      say: () => detecting([0.7, 0.01, 0, 0.99][decoders++] ?? 0, saying([at(0), 1, at(4.5)])),
      options: { language: undefined as never },
    });
    expect(starts).toEqual([0, 0, 4.5]);
    const decoded = states.filter(({ fed }) => fed[0]!.length > 1);
    expect(decoded.map(({ fed }) => fed[0]![fed[0]!.indexOf(startOfTranscript) + 1])).toEqual([22, 23]);
  });

  it.each<[string, Partial<TranscribeOptions>]>([
    ['text before', { context: { tokens: [], language: 'en', lastSpeech: 0, levels: [] } }],
    ['speech before', { languageBefore: 'en', isLive: true }],
  ])('stays that of the %s if an unsplittable piece is unsure', async (_, before) => {
    const spoken = async (probability: number) =>
      (
        await transcribe({
          window: windowOf(0, 3, [0, 3]),
          say: () => detecting(probability, saying([at(0), 1, at(3)])),
          options: { language: undefined as never, ...before },
        })
      ).language;
    expect(await spoken(0.7)).toBe('en');
    expect(await spoken(0.9)).toBe('fr');
  });

  it('is that of the surer text if two are about as probable', async () => {
    const inEnglish = (fed: readonly number[]) => fed.includes(22);
    const spoken = (likely: number) =>
      transcribe({
        window: windowOf(0, 4, [0, 4]),
        say: () => detecting(likely, (fed) => saying([at(0), 1, 2, at(4)], inEnglish(fed) ? 0.9 : 0.2)(fed)),
        options: { language: undefined as never },
      });
    const { language, segments } = await spoken(0.7);
    expect(language).toBe('en');
    expect(segments[0]!.avg_logprob).toBeGreaterThan(-0.5);
    expect(segments[0]!.temperature).toBe(0);
    expect((await spoken(0.9)).language).toBe('fr');
  });

  it('is detected again in segments that are unsure in the language of the rest', async () => {
    const unsure: Script = (fed) =>
      saying([at(0), 2, 3, at(3), at(3), 1, at(6), at(6), 4, at(9)], sampled(fed).length < 3 ? 0.3 : 0.9)(fed);
    const { texts, starts, language, context } = await transcribe({
      window: windowOf(0, 9, [0, 9]),
      say: (start) => (start === 77 ? detecting(0.01, unsure) : detecting(0.97, saying([at(0), 7, at(3)]))),
      // The spectrogram of the whole window is not that of its first segment.
      options: { language: undefined as never, mel: Float32Array.of(77) },
    });
    expect(starts).toEqual([77, 0, 0]);
    expect(texts).toEqual([' seven', ' one', ' four']);
    expect(language).toBe('en');
    expect(context.tokens).not.toContain(7);
  });

  it('is the requested one, as is the task', async () => {
    const { language, states } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => saying(ONE),
      options: { language: 'fr', task: 'translate' },
    });
    expect(language).toBe('fr');
    expect(states).toHaveLength(1);
    expect(states[0]!.fed[0]!.slice(0, 3)).toEqual([startOfTranscript, 23, special.translate]);
  });

  it('is implicit in an English-only model', async () => {
    const { language, states } = await transcribe({
      window: windowOf(0, 3, [0, 3]),
      say: () => saying(ONE),
      options: { language: undefined as never },
      multilingual: false,
    });
    expect(language).toBe('en');
    expect(states[0]!.fed[0]!.slice(0, 2)).toEqual([startOfTranscript, at(0)]);
  });

  it('is rejected if it is not in the vocabulary', async () => {
    await expect(
      transcribe({ window: windowOf(0, 3, [0, 3]), say: () => saying(ONE), options: { language: 'xx' } }),
    ).rejects.toMatchObject({ code: 'unsupported_language' });
  });
});

describe('transcribeWindow context', () => {
  const window = windowOf(10, 13, [10, 13]);
  const before = { tokens: [5, 6], language: 'en', lastSpeech: 9, levels: [] };

  it('is the prompt at the start of a recording', async () => {
    const { conditioning, context } = await transcribe({
      window,
      say: () => saying(ONE),
      options: { prompt: ' seven nine ' },
    });
    expect(conditioning()).toEqual([7, 9]);
    expect(context).toMatchObject({ tokens: [7, 9, ...ONE], language: 'en' });
    expect(context.lastSpeech).toBeGreaterThan(10);
    const { conditioning: nothing } = await transcribe({ window, say: () => saying(ONE), options: { prompt: '  ' } });
    expect(nothing()).toEqual([]);
  });

  it('is the prompt whatever the language of earlier speech was', async () => {
    const { conditioning } = await transcribe({
      window,
      say: () => saying(ONE),
      options: { prompt: 'seven', languageBefore: 'fr' },
    });
    expect(conditioning()).toEqual([7]);
  });

  it('is the previous context later, which includes the prompt', async () => {
    const { conditioning, context } = await transcribe({
      window,
      say: () => saying(ONE),
      options: { prompt: ' seven', context: before },
    });
    expect(conditioning()).toEqual([5, 6]);
    expect(context.tokens).toEqual([5, 6, ...ONE]);
  });

  it('keeps at most maxPreviousTokens', async () => {
    const tokens = new Array<number>(223).fill(5);
    const { context } = await transcribe({
      window,
      say: () => saying(ONE),
      options: { context: { ...before, tokens } },
    });
    expect(context.tokens).toEqual([...tokens.slice(4), ...ONE]);
  });

  it('is cleared after text from a high temperature', async () => {
    let attempt = 0;
    const say = (good: number) => () => {
      attempt++;
      return attempt < good ? saying([at(0), 1, 2, 3, 4, at(2)], 0.07) : saying(ONE);
    };
    // After the one over short audio, the fourth attempt is at temperature 0.6.
    const { context, segments } = await transcribe({ window, say: say(5), options: { context: before } });
    expect(segments[0]!.temperature).toBe(0.6);
    expect(context.tokens).toEqual([]);
    attempt = 0;
    const { context: kept, segments: cooler } = await transcribe({ window, say: say(4), options: { context: before } });
    expect(cooler[0]!.temperature).toBe(0.4);
    expect(kept.tokens).toEqual([5, 6, ...cooler[0]!.tokens]);
  });

  it('is cleared after a failure at all temperatures', async () => {
    const { context, segments } = await transcribe({
      window,
      say: () => saying([at(0), 1, 2, 3, 4, at(2)], 0.07),
      options: { context: before },
    });
    expect(segments[0]!.avg_logprob).toBeLessThan(-1);
    expect(context.tokens).toEqual([]);
  });

  it('is cleared after a change of language', async () => {
    const { conditioning } = await transcribe({
      window,
      say: () => saying(ONE),
      options: { language: 'fr', context: before },
    });
    expect(conditioning()).toEqual([]);
  });

  it('conditions the next decoding within a window', async () => {
    const { conditioning } = await transcribe({
      window: windowOf(0, 9, [0, 9]),
      say: (start) => saying(start === 0 ? [at(0), 1, at(4), at(4)] : [at(0), 2, at(5)]),
    });
    expect(conditioning()).toEqual([at(0), 1, at(4)]);
  });
});

describe('transcribeWindow seeds', () => {
  it('come from the audio, so that the same window gives the same text', async () => {
    const vague: Script = (fed) => {
      const { length } = sampled(fed);
      if (length === 0) return { [at(0)]: 1 };
      return length < 9 ? { 1: 0.2, 2: 0.2, 3: 0.2, 4: 0.2, 5: 0.2 } : { [endOfText]: 1 };
    };
    const said = async (from: number) =>
      (await transcribe({ window: windowOf(from, from + 3, [from, from + 3]), say: () => vague })).texts;
    expect(await said(1)).toEqual(await said(1));
    expect(await said(1)).not.toEqual(await said(2));
  });
});
