import { expect, it } from 'vitest';
import type { Segment } from '../../../contracts/transcription.ts';
import { withoutEchoes } from './echoes.ts';

const segment = (start: number, end: number, text: string) => ({ start, end, text, words: [] }) as unknown as Segment;
const texts = (...segments: Segment[]) => withoutEchoes(segments).map(({ text }) => text);

it('drops text that the previous segment has at the same time', () => {
  const whole = segment(128.29, 131.27, ' Wait, no, that is not what I said.');
  expect(texts(whole, segment(130.47, 131.27, ' That is not what I said.'))).toEqual([whole.text]);
  expect(texts(whole, segment(128.5, 131.4, ' Wait no. That is not what I said'))).toEqual([whole.text]);
});

it('keeps a repeated sentence with its own time', () => {
  const once = segment(1, 2, ' Turn left.');
  expect(texts(once, segment(2, 3, ' Turn left.'))).toHaveLength(2);
  expect(texts(once, segment(1.8, 3, ' Turn left.'))).toHaveLength(2);
});

it('drops a repeated sentence that is too fast for speech', () => {
  const once = segment(130, 136.9, ' The lecture was long, but the questions were excellent.');
  expect(texts(once, segment(137, 138.9, once.text))).toEqual([once.text]);
  expect(texts(once, segment(137, 140, once.text))).toHaveLength(2);
});

it('keeps a short answer that is repeated quickly', () => {
  expect(texts(segment(1, 1.3, ' No.'), segment(1.3, 1.35, ' No.'))).toHaveLength(2);
});

it('keeps other words at the same time', () => {
  expect(texts(segment(1, 4, ' Turn left here.'), segment(2, 4, ' Turn right here.'))).toHaveLength(2);
});

it('compares with the last segment that is kept', () => {
  const kept = segment(1, 4, ' We turned left.');
  expect(texts(kept, segment(2, 4, ' turned left'), segment(3, 4, ' left'))).toEqual([kept.text]);
});

it('compares letters of any script', () => {
  const kept = segment(1, 4, '今日は、雨です。');
  expect(texts(kept, segment(2, 4, '雨です'))).toEqual([kept.text]);
});
