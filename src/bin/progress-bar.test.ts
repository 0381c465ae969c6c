import { describe, expect, it } from 'vitest';
import { clock, ProgressBar } from './progress-bar.ts';

function terminal({ isTTY = true, columns = 100 } = {}) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

describe('ProgressBar', () => {
  it('draws the part that is done, and clears its line at the end', () => {
    const out = terminal();
    const bar = new ProgressBar(out);
    bar.update('talk', 0.5, '0:10 of 0:20');
    bar.clear();
    bar.clear();
    expect(out.written).toEqual([`\r\x1b[Ktalk [${'#'.repeat(15)}${'.'.repeat(15)}]  50 % 0:10 of 0:20`, '\r\x1b[K']);
  });

  it('draws nothing if nothing has changed', () => {
    const out = terminal();
    const bar = new ProgressBar(out);
    for (let i = 0; i < 5; i++) bar.update('talk', 0.5, '0:10');
    expect(out.written.length).toBe(1);
  });

  it('shows the state alone if the length is unknown, and no more than 100 %', () => {
    const out = terminal();
    const bar = new ProgressBar(out);
    bar.update('talk', undefined, '0:10');
    bar.update('talk', 1.7, '0:20');
    expect(out.written[0]).toBe('\r\x1b[Ktalk 0:10');
    expect(out.written[1]).toContain('] 100 % 0:20');
  });

  it('never wraps, and drops control characters of a file name', () => {
    const out = terminal({ columns: 20 });
    new ProgressBar(out).update(`\x1b]0;title\x07${'long '.repeat(20)}`, undefined, '');
    expect(out.written[0]).toBe(`\r\x1b[K${' ]0;title long long long'.slice(0, 19)}`);
  });

  it('writes nothing into a file or a pipe', () => {
    const out = terminal({ isTTY: false });
    const bar = new ProgressBar(out);
    bar.update('talk', 0.5, '0:10');
    bar.clear();
    expect(out.written).toEqual([]);
  });
});

it.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3600, '1:00:00'],
  [3725, '1:02:05'],
])('%d seconds are %s', (seconds, expected) => {
  expect(clock(seconds)).toBe(expected);
});
