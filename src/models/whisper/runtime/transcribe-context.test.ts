import { describe, expect, it } from 'vitest';
import { at, saying } from '../../../../test/fixtures/scripted-decoder.ts';
import { ONE, transcribe, windowOf } from '../../../../test/fixtures/scripted-windows.ts';

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
