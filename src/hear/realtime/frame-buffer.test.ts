import { expect, it } from 'vitest';
import { FRAME } from '../../vad/frames.ts';
import { FrameBuffer } from './frame-buffer.ts';

function buffer(probabilities: readonly number[]): FrameBuffer {
  const frames = new FrameBuffer();
  for (const [index, probability] of probabilities.entries())
    frames.push(new Float32Array(FRAME).fill(index), probability);
  return frames;
}

it('copies a part of its frames', () => {
  const { samples, probabilities } = buffer([0, 0.5, 1, 0.25]).slice(1, 3);
  expect([...new Set(samples)]).toEqual([1, 2]);
  expect(samples).toHaveLength(2 * FRAME);
  expect([...probabilities]).toEqual([0.5, 1]);
});

it('drops frames from the front', () => {
  const frames = buffer([0, 0.5, 1]);
  frames.drop(2);
  expect(frames).toHaveLength(1);
  expect(frames.slice(0, 1).samples[0]).toBe(2);
});

it('finds the frame with the least speech near it, the last one among equals', () => {
  const frames = buffer([1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1]);
  expect(frames.quietest([1, 4, 10])).toBe(4);
  expect(frames.quietest([3, 4, 5, 6])).toBe(5);
  expect(frames.quietest([])).toBeUndefined();
});
