import { expect, it } from 'vitest';
import { audioLengths } from '../graph/encoder.ts';
import { encodedPositions } from './audio-length.ts';

it.each([
  [0.1, 250],
  [3, 250],
  [3.1, 350],
  [5, 350],
  [5.1, 500],
  [8.1, 600],
  [10.1, 750],
  [23.1, 1500],
  [30, 1500],
])('encodes %d s of audio as %d positions', (seconds, positions) => {
  expect(encodedPositions(seconds * 16_000, 'transcribe', { audioPositions: 1500 })).toBe(positions);
});

it('encodes audio to translate as a whole window', () => {
  expect(encodedPositions(3 * 16_000, 'translate', { audioPositions: 1500 })).toBe(1500);
});

it.each([1500, 500, 48])('splits each length of at most %d positions into equal parts', (audioPositions) => {
  const lengths = audioLengths({ audioPositions });
  const [shortest] = lengths as [number];
  for (const length of lengths) expect(length % Math.ceil(length / shortest)).toBe(0);
  expect(lengths.at(-1)).toBe(audioPositions);
});
