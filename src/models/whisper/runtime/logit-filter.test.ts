import { describe, expect, it } from 'vitest';
import { at, special, summarized, tokenizer, VOCABULARY } from '../../../../test/fixtures/scripted-decoder.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { Logits } from '../../common/logits.ts';
import { LogitFilter } from './logit-filter.ts';
import reference from './reference.golden.json' with { type: 'json' };

const filter = new LogitFilter({ suppressTokens: [16, -1], beginSuppressTokens: [at(0.5)] }, tokenizer);

const WINDOW = 1500;

/** Tokens allowed after these, if all logits are equal. */
function allowed(sampled: number[], prepare: (logits: Float32Array) => void = () => {}): number[] {
  const logits = new Float32Array(VOCABULARY + 3).fill(-8, special.timestampBegin);
  prepare(logits);
  return possible(filter, logits, sampled);
}

function possible(
  filter: LogitFilter,
  values: Float32Array,
  sampled: number[],
  { audioPositions = WINDOW } = {},
): number[] {
  const logits = new Logits(values);
  filter.apply(logits, sampled, audioPositions);
  return [...values.keys()].filter((token) => logits.of(token) > Number.NEGATIVE_INFINITY);
}
const isTimestamp = (token: number) => token >= special.timestampBegin;
const isText = (token: number) => token < special.endOfText;

describe('LogitFilter', () => {
  it('suppresses control tokens, listed tokens and annotations', () => {
    const tokens = allowed([at(0), 5]);
    const { startOfTranscript, startOfPrevious, startOfLm, noSpeech, noTimestamps, transcribe, translate } = special;
    const control = [startOfTranscript, startOfPrevious, startOfLm, noSpeech, noTimestamps, transcribe, translate];
    for (const token of [...control, 16, 17, 18]) expect(tokens).not.toContain(token);
    for (const token of [0, 15, 19, special.endOfText]) expect(tokens).toContain(token);
  });

  it('allows annotations unless the checkpoint lists −1', () => {
    const lenient = new LogitFilter({ suppressTokens: [], beginSuppressTokens: [] }, tokenizer);
    const tokens = possible(lenient, new Float32Array(VOCABULARY).fill(-8, special.timestampBegin), [at(0), 5]);
    expect(tokens).toContain(17);
    expect(tokens).not.toContain(special.noSpeech);
  });

  it('starts with a timestamp of at most one second', () => {
    const tokens = allowed([]);
    expect(tokens.every(isTimestamp)).toBe(true);
    expect(tokens[0]).toBe(at(0));
    expect(tokens.at(-1)).toBe(at(1));
  });

  it('applies beginSuppressTokens at the beginning only', () => {
    expect(allowed([])).not.toContain(at(0.5));
    expect(allowed([at(0), 5])).toContain(at(0.5));
  });

  it('requires text after the first timestamp and after a pair', () => {
    expect(allowed([at(0)]).some(isTimestamp)).toBe(false);
    expect(allowed([at(0), 5, at(1), at(1)]).some(isTimestamp)).toBe(false);
  });

  it('requires a timestamp or the end after a closing timestamp', () => {
    const tokens = allowed([at(0), 5, at(1)]);
    expect(tokens.some(isText)).toBe(false);
    expect(tokens).toContain(special.endOfText);
    // The next segment may start at this timestamp, not before.
    expect(tokens.find(isTimestamp)).toBe(at(1));
  });

  it('ends with the segment that reaches the end of the audio', () => {
    const following = (sampled: number[]) =>
      possible(filter, new Float32Array(VOCABULARY).fill(-8, special.timestampBegin), sampled, { audioPositions: 139 });
    for (const end of [2.78, 3]) expect(following([at(0), 5, at(end)])).toEqual([special.endOfText]);
    expect(following([at(0), 5, at(2.76)]).some(isTimestamp)).toBe(true);
    expect(following([at(0), 5]).some(isText)).toBe(true);
  });

  it('keeps timestamps increasing within a segment', () => {
    expect(allowed([at(0.4), 5]).find(isTimestamp)).toBe(at(0.42));
    expect(allowed([at(0), 5, at(1), at(2), 5]).find(isTimestamp)).toBe(at(2.02));
  });

  it('forces a timestamp if all together are more probable than any text token', () => {
    const spread = (logits: Float32Array) => logits.fill(-7, special.timestampBegin);
    // 1,500 · e⁻⁷ is more than one, 1,500 · e⁻⁸ is not.
    expect(allowed([at(0), 5], spread).every(isTimestamp)).toBe(true);
    expect(allowed([at(0), 5]).some(isText)).toBe(true);
  });

  it('suppresses padding after the timestamps', () => {
    const tokens = allowed([at(0), 5], (logits) => logits.fill(20, VOCABULARY));
    expect(Math.max(...tokens)).toBe(special.timestampEnd);
    expect(tokens.some(isText)).toBe(true);
  });

  it('gives the same choice with summarized text', () => {
    const histories = [[], [at(0)], [at(0), 5], [at(0), 5, at(1)], [at(0), 5, at(1), at(1)], [at(0), at(30)]];
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 300; seed++) {
      const noise = seededNoise(seed);
      const [text, control, timestamps] = [6 * noise(), 6 * noise(), 6 * noise()];
      // With padding after the timestamps, which would win.
      const values = Float32Array.from({ length: VOCABULARY + 3 }, (_, token) => {
        if (token >= VOCABULARY) return 9;
        return 2 * noise() + (token < special.endOfText ? text : token < special.timestampBegin ? control : timestamps);
      });
      const sampled = histories[seed % histories.length]!;
      const [summed, each] = [summarized(values, filter.never), new Logits(values)].map((logits) => {
        filter.apply(logits, sampled, WINDOW);
        return logits.mostProbable();
      });
      expect(summed!.token, `seed ${seed}`).toBe(each!.token);
      expect(summed!.logprob).toBeCloseTo(each!.logprob, 5);
      const { token } = each!;
      kinds.add(isText(token) ? 'text' : isTimestamp(token) ? 'time' : 'control');
    }
    expect(kinds.size).toBe(3);
  });

  it('matches the reference', () => {
    const { timestampRules } = reference;
    const small = { ...tokenizer, nonSpeechTokens: [], special: { ...special, timestampEnd: 109 } };
    const rules = new LogitFilter({ suppressTokens: [], beginSuppressTokens: [] }, small);
    for (const { seed, sampled, allowed } of timestampRules) {
      const noise = seededNoise(Math.imul(1000 + seed, 2654435761));
      const penalty = 4 * (seed % 3);
      const logits = Float32Array.from({ length: 110 }, (_, token) => 3 * noise() - (token >= 30 ? penalty : 0));
      const ours = possible(rules, logits, sampled);
      const theirs = allowed.flatMap(([from, to]) => Array.from({ length: to! - from! }, (_, index) => from! + index));
      expect(ours, `seed ${seed}`).toEqual(theirs);
    }
    expect(timestampRules).toHaveLength(60);
  });
});
