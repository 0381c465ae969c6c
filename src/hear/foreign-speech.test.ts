import { expect, it } from 'vitest';
import { isForeignSpeech } from './foreign-speech.ts';

const segment = (seconds: number, avg_logprob: number) => ({ start: 10, end: 10 + seconds, avg_logprob });

it('speech of low probability is foreign, weighted by time', () => {
  expect(isForeignSpeech([segment(4, -1.1), segment(1, -0.1)])).toBe(true);
  expect(isForeignSpeech([segment(1, -1.1), segment(4, -0.1)])).toBe(false);
});

it('short text is not judged', () => {
  expect(isForeignSpeech([])).toBe(false);
  expect(isForeignSpeech([segment(0.9, -2)])).toBe(false);
});
