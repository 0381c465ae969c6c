import { expect, it } from 'vitest';
import { SpeechPace } from './speech-pace.ts';

it('reads 30 s of speech at once, then 2 s per second', () => {
  const pace = new SpeechPace();
  expect(pace.take(30, 5000)).toBe(0);
  expect(pace.take(0.5, 5000)).toBe(250);
  expect(pace.take(0.5, 5250)).toBe(250);
  expect(pace.take(4, 7500)).toBe(0);
});

it('never delays speech that is sent in real time', () => {
  const pace = new SpeechPace();
  for (let ms = 0; ms < 3_600_000; ms += 500) expect(pace.take(0.5, ms)).toBe(0);
});

it('lets a client catch up after its network was interrupted', () => {
  const pace = new SpeechPace();
  for (let ms = 0; ms < 60_000; ms += 500) pace.take(0.5, ms);
  expect(pace.take(25, 85_000)).toBe(0);
});
