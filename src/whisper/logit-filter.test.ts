import { describe, expect, it } from 'vitest';
import { at, special, tokenizer, VOCABULARY } from '../../test/fixtures/scripted-decoder.ts';
import { seededNoise } from '../../test/fixtures/speech.ts';
import { LogitFilter } from './logit-filter.ts';
import reference from './reference.golden.json' with { type: 'json' };

const filter = new LogitFilter({ suppressTokens: [16, -1], beginSuppressTokens: [at(0.5)] }, tokenizer);

/** Which tokens are allowed after these, where text is as probable as anything. */
function allowed(sampled: number[], prepare: (logits: Float32Array) => void = () => {}): number[] {
  const logits = new Float32Array(VOCABULARY + 3).fill(-8, special.timestampBegin);
  prepare(logits);
  filter.apply(logits, sampled);
  return [...logits.keys()].filter((token) => logits[token]! > Number.NEGATIVE_INFINITY);
}
const isTimestamp = (token: number) => token >= special.timestampBegin;
const isText = (token: number) => token < special.endOfText;

describe('LogitFilter', () => {
  it('never lets control tokens, listed tokens and annotations through', () => {
    const tokens = allowed([at(0), 5]);
    const { startOfTranscript, startOfPrevious, startOfLm, noSpeech, noTimestamps, transcribe, translate } = special;
    const control = [startOfTranscript, startOfPrevious, startOfLm, noSpeech, noTimestamps, transcribe, translate];
    for (const token of [...control, 16, 17, 18]) expect(tokens).not.toContain(token);
    for (const token of [0, 15, 19, special.endOfText]) expect(tokens).toContain(token);
  });

  it('leaves annotations alone where the checkpoint does not forbid them', () => {
    const lenient = new LogitFilter({ suppressTokens: [], beginSuppressTokens: [] }, tokenizer);
    const logits = new Float32Array(VOCABULARY).fill(-8, special.timestampBegin);
    lenient.apply(logits, [at(0), 5]);
    expect(logits[17]).toBe(0);
    expect(logits[special.noSpeech]).toBe(Number.NEGATIVE_INFINITY);
  });

  it('begins with a timestamp of at most a second', () => {
    const tokens = allowed([]);
    expect(tokens.every(isTimestamp)).toBe(true);
    expect(tokens[0]).toBe(at(0));
    expect(tokens.at(-1)).toBe(at(1));
  });

  it('keeps to what the checkpoint forbids at the beginning, there alone', () => {
    expect(allowed([])).not.toContain(at(0.5));
    expect(allowed([at(0), 5])).toContain(at(0.5));
  });

  it('wants text after the first timestamp, and after a pair', () => {
    expect(allowed([at(0)]).some(isTimestamp)).toBe(false);
    expect(allowed([at(0), 5, at(1), at(1)]).some(isTimestamp)).toBe(false);
  });

  it('wants a second timestamp, or the end, after one that closes a segment', () => {
    const tokens = allowed([at(0), 5, at(1)]);
    expect(tokens.some(isText)).toBe(false);
    expect(tokens).toContain(special.endOfText);
    // The next segment may begin right there, but not before.
    expect(tokens.find(isTimestamp)).toBe(at(1));
  });

  it('lets time neither run back nor stand still within a segment', () => {
    expect(allowed([at(0.4), 5]).find(isTimestamp)).toBe(at(0.42));
    expect(allowed([at(0), 5, at(1), at(2), 5]).find(isTimestamp)).toBe(at(2.02));
  });

  it('forces a timestamp where all together are more probable than any text', () => {
    const spread = (logits: Float32Array) => logits.fill(-7, special.timestampBegin);
    // 1,500 · e⁻⁷ is more than one, 1,500 · e⁻⁸ is not.
    expect(allowed([at(0), 5], spread).every(isTimestamp)).toBe(true);
    expect(allowed([at(0), 5]).some(isText)).toBe(true);
  });

  it('does not take the padding of a vocabulary for timestamps', () => {
    const tokens = allowed([at(0), 5], (logits) => logits.fill(20, VOCABULARY));
    expect(Math.max(...tokens)).toBe(special.timestampEnd);
    expect(tokens.some(isText)).toBe(true);
  });

  it('agrees with the reference', () => {
    const { timestampRules } = reference;
    const small = { ...tokenizer, nonSpeechTokens: [], special: { ...special, timestampEnd: 109 } };
    const rules = new LogitFilter({ suppressTokens: [], beginSuppressTokens: [] }, small);
    for (const { seed, sampled, allowed } of timestampRules) {
      const noise = seededNoise(Math.imul(1000 + seed, 2654435761));
      const penalty = 4 * (seed % 3);
      const logits = Float32Array.from({ length: 110 }, (_, token) => 3 * noise() - (token >= 30 ? penalty : 0));
      rules.apply(logits, sampled);
      const ours = [...logits.keys()].filter((token) => logits[token]! > Number.NEGATIVE_INFINITY);
      const theirs = allowed.flatMap(([from, to]) => Array.from({ length: to! - from! }, (_, index) => from! + index));
      expect(ours, `seed ${seed}`).toEqual(theirs);
    }
    expect(timestampRules).toHaveLength(60);
  });
});
