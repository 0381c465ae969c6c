import { describe, expect, it } from 'vitest';
import { segment } from '../../../test/fixtures/transcription-app.ts';
import { later, segmentAfter } from './segment-times.ts';

const heard = {
  ...segment(' Well, it “was”. The best!', 1, 6),
  logprobs: [' Well', ',', ' it', ' “was”', '.', ' The', ' best', '!'].map((token) => ({
    token,
    bytes: [...Buffer.from(token)],
    logprob: -1,
  })),
};

describe('segmentAfter', () => {
  it('keeps the words after a moment, with their text and tokens', () => {
    const [, , , the] = heard.words;
    const kept = segmentAfter(heard, the!.start)!;
    expect(kept).toMatchObject({ text: ' The best!', start: the!.start, end: 6 });
    expect(kept.words).toEqual(heard.words.slice(3));
    expect(kept.logprobs!.map(({ token }) => token)).toEqual([' The', ' best', '!']);
  });

  it('keeps a word whose middle is after it', () => {
    const [, it] = heard.words;
    const middle = (it!.start + it!.end) / 2;
    expect(segmentAfter(heard, middle)!.text).toBe(' it “was”. The best!');
    expect(segmentAfter(heard, middle + 0.01)!.text).toBe(' “was”. The best!');
  });

  it('keeps all or nothing of a segment that lies on one side', () => {
    expect(segmentAfter(heard, 0)).toBe(heard);
    expect(segmentAfter(heard, 7)).toBeUndefined();
  });
});

describe('later', () => {
  it('moves a segment with its words', () => {
    const moved = later(heard, -1);
    expect([moved.start, moved.end]).toEqual([0, 5]);
    expect(moved.words[0]).toEqual({ ...heard.words[0], start: 0, end: heard.words[0]!.end - 1 });
  });
});
