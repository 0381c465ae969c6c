import { describe, expect, it } from 'vitest';
import { EventReader, LineReader } from './streams.ts';

/** The text cut in two at every index, and into single characters. */
function* cuts(text: string): Generator<string[]> {
  for (let index = 0; index <= text.length; index++) yield [text.slice(0, index), text.slice(index)];
  yield [...text];
}

describe('LineReader', () => {
  it('returns the same lines for every chunking', () => {
    for (const chunks of cuts('{"a":1}\r\n\n{"b":"é"}\nrest')) {
      const reader = new LineReader();
      expect(chunks.flatMap((chunk) => reader.push(chunk))).toEqual(['{"a":1}', '', '{"b":"é"}']);
      expect(reader.rest()).toBe('rest');
    }
  });

  it('has no rest after a line break', () => {
    const reader = new LineReader();
    expect(reader.push('a\n')).toEqual(['a']);
    expect(reader.rest()).toBe('');
  });
});

describe('EventReader', () => {
  it('returns the same events for every chunking', () => {
    const text =
      'data: {"x":1}\n\n: comment\nevent: error\r\ndata:two\r\ndata:  lines\n\nid: 3\n\ndata\n\ndata: cut off\n';
    for (const chunks of cuts(text)) {
      const reader = new EventReader();
      expect(chunks.flatMap((chunk) => reader.push(chunk))).toEqual([
        { event: 'message', data: '{"x":1}' },
        { event: 'error', data: 'two\n lines' },
        { event: 'message', data: '' },
      ]);
    }
  });
});
