import { describe, expect, it } from 'vitest';
import { Captions } from './timeline.ts';

const tokens = ['Hello,', '$5', 'world.'].map((written) => ({ written, spoken: written }));
const second = new Float32Array(10);

describe('Captions', () => {
  it('gives each token of a chunk its time from the start of the chunk', () => {
    const captions = new Captions(tokens, 10);
    const times = [
      { token: 0, start: 0.1, end: 0.4 },
      { token: 2, start: 0.5, end: 0.9 },
    ];
    expect(captions.of({ samples: second, times }, undefined)).toEqual([
      { word: 'Hello,', start_time: 0.1, end_time: 0.4 },
      { word: 'world.', start_time: 0.5, end_time: 0.9 },
    ]);
    expect(captions.of({ samples: second, times: [] }, undefined)).toEqual([]);
  });

  it('captions a token that spans chunks with the last one', () => {
    const captions = new Captions(tokens, 10);
    const times = (start: number) => [{ token: 1, start, end: start + 0.5 }];
    expect(captions.of({ samples: second, times: times(0.5) }, 1)).toEqual([]);
    expect(captions.of({ samples: second, times: times(0) }, 1)).toEqual([]);
    expect(captions.of({ samples: second, times: times(0) }, 2)).toEqual([
      { word: '$5', start_time: -1.5, end_time: 0.5 },
    ]);
  });

  it('shows tokens of one reading as one word, also across chunks', () => {
    const parts = [
      { written: 'World', spoken: 'world', caption: 'WWW' },
      { written: 'Wide', spoken: 'wide', caption: '' },
      { written: 'Web', spoken: 'web', caption: '' },
      { written: 'works.', spoken: 'works.' },
    ];
    const captions = new Captions(parts, 10);
    const times = (first: number) => [
      { token: first, start: 0, end: 0.5 },
      { token: first + 1, start: 0.5, end: 1 },
    ];
    expect(captions.of({ samples: second, times: times(0) }, 2)).toEqual([]);
    expect(captions.of({ samples: second, times: times(2) }, undefined)).toEqual([
      { word: 'WWW', start_time: -1, end_time: 0.5 },
      { word: 'works.', start_time: 0.5, end_time: 1 },
    ]);
  });

  it('reaches marks with the next word that is heard, and the last ones when the last word has been spoken', () => {
    const marks = [
      { name: 'a', token: 0 },
      { name: 'silent', token: 1 },
      { name: 'c', token: 2 },
      { name: 'end', token: 3 },
    ];
    const captions = new Captions(tokens, 10, marks);
    expect(captions.marksOf({ samples: second, times: [{ token: 0, start: 0.1, end: 0.4 }] }, false)).toEqual([
      { name: 'a', time: 0.1 },
    ]);
    expect(captions.marksOf({ samples: second, times: [{ token: 2, start: 0.2, end: 0.4 }] }, true)).toEqual([
      { name: 'silent', time: 0.2 },
      { name: 'c', time: 0.2 },
      { name: 'end', time: 0.4 },
    ]);
  });
});
