import { describe, expect, it } from 'vitest';
import { spokenOutline } from '../../test/fixtures/spoken-outline.ts';
import { englishSegments } from './english/normalize.ts';
import { defaultNormalization } from './normalization.ts';

const spoken = (text: string) =>
  spokenOutline([...englishSegments(text, defaultNormalization)].filter(({ type }) => type === 'sentence'));

const subRip = `1
00:01:23,456 --> 00:01:25,000
I have never seen

2
00:01:25,500 --> 00:01:27,000
such a thing.

3
00:01:28,000 --> 00:01:29,000
1984
`;

describe('a file of subtitles', () => {
  it('is read without its numbers and times, and its sentences go on in the next subtitle', () => {
    expect(spoken(subRip)).toEqual(['I have never seen such a thing.', 'nineteen eighty four']);
    expect(spoken(subRip.replaceAll('\n', '\r\n'))).toEqual(spoken(subRip));
  });

  it('may be WebVTT', () => {
    expect(spoken('01:23.456 --> 01:25.000 align:start\nYes.\n\nintro\n00:01:26.000 --> 00:01:27.000\nNo.')).toEqual([
      'Yes.',
      'intro',
      'No.',
    ]);
  });

  it('keeps times without text, and numbers beside other lines', () => {
    expect(spoken('00:01:23,456 --> 00:01:25,000')).toEqual([
      'one minute twenty three point four five six seconds to one minute twenty five seconds',
    ]);
    expect(spoken('7\n\nmen')).toEqual(['seven', 'men']);
  });
});
