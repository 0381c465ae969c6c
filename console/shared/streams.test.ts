import { describe, expect, it } from 'vitest';
import { EventReader, LineReader } from './streams.ts';

/** Every way to cut a text in two, and character by character. */
function* cuts(text: string): Generator<string[]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield [...text];
}

describe('LineReader', () => {
  it('finds the same lines however the text arrives', () => {
    for (const pieces of cuts('{"a":1}\r\n\n{"b":"é"}\nrest')) {
      const reader = new LineReader();
      expect(pieces.flatMap((piece) => reader.push(piece))).toEqual(['{"a":1}', '', '{"b":"é"}']);
      expect(reader.rest()).toBe('rest');
    }
  });

  it('has no rest after a line end', () => {
    const reader = new LineReader();
    expect(reader.push('a\n')).toEqual(['a']);
    expect(reader.rest()).toBe('');
  });
});

describe('EventReader', () => {
  it('finds the same events however the text arrives', () => {
    const text =
      'data: {"x":1}\n\n: comment\nevent: error\r\ndata:two\r\ndata:  lines\n\nid: 3\n\ndata\n\ndata: cut off\n';
    for (const pieces of cuts(text)) {
      const reader = new EventReader();
      expect(pieces.flatMap((piece) => reader.push(piece))).toEqual([
        { event: 'message', data: '{"x":1}' },
        { event: 'error', data: 'two\n lines' },
        { event: 'message', data: '' },
      ]);
    }
  });
});
