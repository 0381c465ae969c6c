import { expect, it } from 'vitest';
import { SAMPLE_RATE } from './microphone.ts';
import { Replay } from './replay.ts';

const second = (value: number) => new Int16Array(SAMPLE_RATE).fill(value);

it('keeps the audio from the block on that holds a second', () => {
  const replay = new Replay();
  for (let value = 0; value < 5; value++) replay.push(second(value), true);
  replay.dropUntil(2.5);
  expect([replay.start, replay.seconds]).toEqual([2, 5]);
  expect(replay.blocks.map(([first]) => first)).toEqual([2, 3, 4]);
  replay.dropUntil(9);
  expect([replay.start, replay.seconds, replay.blocks]).toEqual([5, 5, []]);
});

it('keeps the last five minutes, and reports the loss of older audio that was not transcribed', () => {
  const replay = new Replay();
  for (let value = 0; value < 310; value++) replay.push(second(0), true);
  expect([replay.start, replay.seconds, replay.hasLost]).toEqual([10, 310, false]);
  replay.push(second(0), false);
  expect(replay.hasLost).toBe(true);
});
