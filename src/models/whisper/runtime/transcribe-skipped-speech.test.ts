import { describe, expect, it } from 'vitest';
import { at, sampled, saying, special } from '../../../../test/fixtures/scripted-decoder.ts';
import { ONE, silence, transcribe, windowOf } from '../../../../test/fixtures/scripted-windows.ts';

const WORDS = [1, 2, 3, 4, 5, 6, 7, 8];
const SPOKEN = ' one two three four five six seven eight';

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

  it('decodes speech before the first words whose parts before and after the timestamp are both short', async () => {
    const { texts } = await transcribe({
      window: windowOf(0, 10, [0, 0.9], [1.6, 4.5], [5.2, 9.5]),
      say: (
        (decodings) => () =>
          saying(decodings++ === 0 ? [at(1), 1, 2, 5, at(9.8)] : [at(0.4), 3, 4, at(4.6)])
      )(0),
      look: (fed) => [4.7, 4.8, 5.2, 8, 9.4, 9.8][sampled(fed).length] ?? 9.8,
    });
    expect(texts).toEqual([' three four', ' one two five']);
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

  it('decodes speech again over which the model writes one sentence again and again', async () => {
    const heard = (second: ReturnType<typeof saying>, times = 4) => {
      const repeated = Array.from({ length: times }, (_, index) => [at(2 + index), 3, at(3 + index)]).flat();
      let decodings = 0;
      return transcribe({
        window: windowOf(0, 2 + times, [0, 2 + times]),
        say: () => (++decodings === 1 ? saying([...ONE, ...repeated]) : second),
        look: (fed) => sampled(fed).filter((token) => token < special.endOfText).length,
        options: { context: { tokens: [7], language: 'en', lastSpeech: 0, levels: [] } },
      });
    };
    const { texts, starts, conditioning } = await heard(saying([at(0), 4, 5, at(4)]));
    expect(starts).toEqual([0, 2]);
    expect(texts).toEqual([' one two', ' four five']);
    expect(conditioning()).toEqual([]);
    expect((await heard(silence)).texts).toEqual([' one two', ...Array(4).fill(' three')]);
    expect((await heard(silence, 3)).starts).toEqual([0]);
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

  it('decodes long speech in halves if all of its texts are improbable', async () => {
    const say = (start: number) => saying([at(0), ...WORDS, at(2.4)], start === 5 ? 0.9 : 0.07);
    const { texts, starts } = await transcribe({ window: windowOf(0, 10, [0, 10]), say });
    expect(starts).toEqual([0, 0, 0, 2.5, 5, 7.4]);
    expect(texts).toEqual([SPOKEN]);
    // There is nothing to gain from halves of short speech.
    const short = await transcribe({ window: windowOf(0, 4, [0, 4]), say });
    expect(short.texts).toEqual([SPOKEN]);
  });

  it('does not decode live speech in halves after one improbable text', async () => {
    const { starts, texts } = await transcribe({
      window: windowOf(0, 6, [0, 6]),
      say: () => saying([at(0), ...WORDS, at(6)], 0.07),
      options: { isLive: true },
    });
    expect(starts).toEqual([0]);
    expect(texts).toEqual([SPOKEN]);
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
