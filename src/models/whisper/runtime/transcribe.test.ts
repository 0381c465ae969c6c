import { describe, expect, it } from 'vitest';
import { ACUTE, at, type Script, sampled, saying, special } from '../../../../test/fixtures/scripted-decoder.ts';
import { ONE, POSITIONS, silence, transcribe, windowOf } from '../../../../test/fixtures/scripted-windows.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import type { TranscribeOptions } from './transcribe.ts';

const { startOfTranscript, noSpeech, endOfText } = special;

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

  it('does not end a translation at the moment that its last word attends to', async () => {
    const heard = (task: 'transcribe' | 'translate') =>
      transcribe({
        window: windowOf(0, 8, [0, 3.6], [4, 7.6]),
        say: () => saying([at(0), 1, 2, at(3.8), at(3.8), 3, 4, at(7.8)]),
        // As in a language whose verb comes last: after the first part of the speech, attention goes back to it.
        look: (fed) => [0, 0, 0.6, 1.2, 4, 4, 4.6, 5.2][sampled(fed).length] ?? 5.2,
        options: { task },
      });
    const spans = ({ segments }: Awaited<ReturnType<typeof heard>>) => segments.map(({ start, end }) => [start, end]);
    const transcribed = spans(await heard('transcribe'));
    const { segments } = await heard('translate');
    expect(segments.map(({ end }) => end)).toEqual([expect.closeTo(3.6, 1), expect.closeTo(7.6, 1)]);
    expect(segments.map(({ start }) => start)).toEqual(transcribed.map(([start]) => start));
    expect(transcribed[1]![1]).toBeLessThan(6);
    for (const { words, end } of segments) expect(words.at(-1)!.end).toBeCloseTo(end, 3);
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

  it('decodes live speech at one temperature and in one piece, over its own length unless that fails', async () => {
    const short = windowOf(0, 3, [0, 3]);
    for (const { window, probability, isDraft = false, expected } of [
      { window: short, probability: 0.3, expected: [250] },
      { window: short, probability: 0.07, expected: [250, POSITIONS] },
      { window: short, probability: 0.07, isDraft: true, expected: [250] },
      { window: windowOf(0, 9, [0, 4], [5, 9]), probability: 0.07, expected: [POSITIONS] },
    ]) {
      const end = window.end / SAMPLE_RATE;
      const { lengths, states, segments } = await transcribe({
        window,
        say: () => saying([at(0), 1, 2, 3, 4, at(end)], probability),
        look: (fed) => (end / 6) * sampled(fed).length,
        options: { isLive: true, isDraft },
      });
      expect(lengths).toEqual(expected);
      expect(states).toHaveLength(expected.length);
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
      window: windowOf(0, 4.8, [0, 4.8]),
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

  it('gives no text for a laugh, if every temperature fails', async () => {
    const laugh = async (seconds: number) =>
      (await transcribe({ window: windowOf(0, 1, [0, seconds]), say: () => saying([at(0), 1, 2, 3, at(1)], 0.05) }))
        .texts;
    expect(await laugh(0.4)).toEqual([]);
    expect(await laugh(0.6)).not.toEqual([]);
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
