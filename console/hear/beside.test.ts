import { expect, it } from 'vitest';
import { aligned } from './beside.ts';
import { plainLine } from './lines.ts';

const line = (start: number, end: number) => plainLine({ start, end, text: ` ${start}` });

it('puts each translated segment next to the line spoken halfway through it', () => {
  const lines = [line(1, 3), line(3, 6), line(10, 12)];
  const texts = aligned(lines, [
    { start: 0, end: 1.5, text: ' Before.' },
    { start: 1.5, end: 3.2, text: ' First.' },
    { start: 2.9, end: 6, text: ' Second.' },
    { start: 9, end: 30, text: ' Third.' },
  ]);
  expect(lines.map((line) => texts.get(line))).toEqual(['Before. First.', 'Second.', 'Third.']);
});

it('needs neither lines nor segments', () => {
  expect(aligned([], [{ start: 0, end: 1, text: 'x' }]).size).toBe(0);
  expect(aligned([line(0, 1)], []).size).toBe(0);
});
