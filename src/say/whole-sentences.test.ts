import { expect, it } from 'vitest';
import { wholeSentencesEnd } from './whole-sentences.ts';

const whole = (text: string) => text.slice(0, wholeSentencesEnd(text));

it.each([
  ['I saw Dr. Smith at 5 p.m. on Monday. He left. And so', 'I saw Dr. Smith at 5 p.m. on Monday. He left. '],
  ['It costs $3.50. Pay in Washington, D.C. offices', 'It costs $3.50. '],
  [' Hi! "Is it?" she asked. We do', ' Hi! "Is it?" she asked. '],
  ['To do:\n1. Buy eggs\n2. Buy milk\n3. Co', 'To do:\n1. Buy eggs\n2. Buy milk\n'],
  ['A title\n\nIt begins here. And', 'A title\n\n'],
  ['你好。世', '你好。'],
  ['はい! 元', 'はい! '],
  ['Vive aquí. Mañana se', 'Vive aquí. '],
])('finds the whole sentences of %j', (text, sentences) => {
  expect(whole(text)).toBe(sentences);
});

it.each(['I saw Dr. ', 'I saw Dr. Sm', 'It is 3.', 'It is 3. ', 'Hello there. ', '你好。', 'No end', '', ' '])(
  'waits for what follows %j',
  (text) => {
    expect(whole(text)).toBe('');
  },
);

it('cuts a sentence that never ends where a whole text is cut', () => {
  const words = 'word '.repeat(200);
  expect(whole(words).length).toBeGreaterThan(500);
  expect(whole(words)).toMatch(/ $/);
});

it('finds the last end of a long text', () => {
  const sentences = 'This is a sentence. '.repeat(50_000);
  expect(whole(`${sentences}And th`)).toBe(sentences);
});
