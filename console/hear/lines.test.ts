import { describe, expect, it } from 'vitest';
import { linesOf, transcriptOf } from './lines.ts';
import { joined, retimed, split } from './retime.ts';
import type { Transcript } from './transcript.ts';

const word = (text: string, start: number, probability = 0.9) => ({ word: text, start, end: start + 0.9, probability });
const segments = [
  { id: 0, tokens: [1], start: 0, end: 5, text: ' Ask not what — “your” country.' },
  { id: 1, tokens: [2], start: 5, end: 8, text: ' country. 你好吗' },
];
const transcript: Transcript = {
  task: 'transcribe',
  language: 'en',
  duration: 12,
  text: 'Ask not what — “your” country. country. 你好吗',
  segments,
  words: [
    ...['Ask', 'not', 'what', '“your”', 'country.'].map((text, i) => word(text, i)),
    ...['country.', '你好', '吗'].map((text, i) => word(text, 5 + i)),
  ],
};
const [first, second] = linesOf(transcript) as [(typeof lines)[number], (typeof lines)[number]];
const lines = linesOf(transcript);

/** Words of a line with their start times. */
const times = ({ parts }: (typeof lines)[number]) =>
  parts.flatMap(({ word }) => (word ? [[word.word, word.start]] : []));

describe('linesOf', () => {
  it('holds all text, and each word in its segment', () => {
    expect(lines.map(({ parts }) => parts.map(({ text }) => text).join(''))).toEqual([
      'Ask not what — “your” country.',
      'country. 你好吗',
    ]);
    expect(lines.map((line) => times(line).length)).toEqual([5, 3]);
    expect(second.parts[0]).toMatchObject({ text: 'country.', word: { start: 5 } });
  });

  it('takes no words of later lines for a line that was emptied and written anew', () => {
    const [last] = linesOf({
      segments: [{ text: ' So it is.', start: 8, end: 11 }],
      words: ['So', 'it', 'is.'].map((text, i) => word(text, 8 + i)),
    });
    for (const anew of ['country. 你好 no.', 'A country.', 'So it was.']) {
      const lines = linesOf(transcriptOf(transcript, [retimed(retimed(first, ''), anew), second, last!]));
      expect(lines.map(times)).toEqual([[], times(second), times(last!)]);
    }
  });

  it('finds the words of the lines after one whose words are not in its text', () => {
    const segments = ['So it is.', 'The end.'].map((text, i) => ({ text, start: 2 * i, end: 2 * i + 2 }));
    const [, end] = linesOf({ segments, words: [word('Was', 0), word('The', 2), word('end.', 3)] });
    expect(times(end!)).toEqual([
      ['The', 2],
      ['end.', 3],
    ]);
  });

  it('works without words', () => {
    const { words: _, ...translated } = transcript;
    expect(linesOf(translated).map(({ parts }) => parts.length)).toEqual([1, 1]);
    expect(linesOf({ segments: [] })).toEqual([]);
  });
});

describe('transcriptOf', () => {
  it('returns the original if nothing was changed', () => {
    expect(transcriptOf(transcript, lines)).toEqual(transcript);
  });

  it("omits the model's values of a changed segment, and numbers the segments", () => {
    const changed = transcriptOf(transcript, [...split(first, 8), second]);
    expect(changed.segments).toEqual([
      { id: 0, start: 0, end: 1.9, text: ' Ask not' },
      { id: 1, start: 2, end: 5, text: ' what — “your” country.' },
      { ...transcript.segments[1], id: 2 },
    ]);
    expect(changed.text).toBe(transcript.text);
    expect(changed.words).toEqual(transcript.words);
  });

  it('drops a line without text', () => {
    expect(transcriptOf(transcript, [retimed(first, ' '), second])).toMatchObject({ text: 'country. 你好吗' });
  });
});

describe('retimed', () => {
  it('keeps the line if only spaces differ', () => {
    expect(retimed(first, ' Ask  not what — “your” country. ')).toBe(first);
  });

  it('gives a replaced word the time of the old one, and certainty', () => {
    const line = retimed(first, 'Ask not what — “our” country.');
    expect(times(line)).toEqual([
      ['Ask', 0],
      ['not', 1],
      ['what', 2],
      ['“our”', 3],
      ['country.', 4],
    ]);
    expect(line.parts.find(({ text }) => text === '“our”')?.word).toEqual({
      word: '“our”',
      start: 3,
      end: 3.9,
      probability: 1,
    });
    expect(line.text).toBe('Ask not what — “our” country.');
  });

  it('spreads the time of a word over the words in its place', () => {
    const line = retimed(first, 'Ask no thing what — “your” country.');
    expect(times(line).slice(0, 4)).toEqual([
      ['Ask', 0],
      ['no', 1],
      ['thing', 1.257],
      ['what', 2],
    ]);
  });

  it('joins two words into the time of both', () => {
    const line = retimed(first, 'Asknot what — “your” country.');
    expect(line.parts[0]).toEqual({ text: 'Asknot', word: { word: 'Asknot', start: 0, end: 1.9, probability: 1 } });
  });

  it('puts new words into the pause before the next one', () => {
    const line = retimed({ ...first, start: -1 }, 'And so Ask not what — “your” country.');
    expect(times(line).slice(0, 3)).toEqual([
      ['And', -1],
      ['so', -0.4],
      ['Ask', 0],
    ]);
  });

  it('keeps times on both sides of several edits', () => {
    const line = retimed(first, 'ask not that — “your” nation.');
    expect(times(line).map(([, start]) => start)).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps times in scripts without spaces', () => {
    expect(times(retimed(second, 'country. 你好吗？'))).toEqual([
      ['country.', 5],
      ['你好', 6],
      ['吗？', 7],
    ]);
  });

  it('never makes times run backwards, whatever is typed', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    let line = first;
    for (let round = 0; round < 300; round++) {
      const at = random(line.text.length + 1);
      const typed = [' ', 'ab ', '你', '—', ''][random(5)]!;
      line = retimed(line, line.text.slice(0, at) + typed + line.text.slice(at + random(4)));
      if (line.text === '') line = first;
      const starts = line.parts.flatMap(({ word }) => (word ? [word.start, word.end] : []));
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect(line.parts.map(({ text }) => text).join('')).toBe(line.text);
    }
  });
});

describe('split and joined', () => {
  it('are each other’s opposite between words', () => {
    const [left, right] = split(first, 8);
    expect([left.text, right.text]).toEqual(['Ask not', 'what — “your” country.']);
    const { segment: _, ...whole } = first;
    expect(joined(left, right)).toEqual(whole);
  });

  it('cut a word and its time', () => {
    const [left, right] = split(first, 5);
    expect([left.text, right.text]).toEqual(['Ask n', 'ot what — “your” country.']);
    expect([left.end, right.start]).toEqual([1.3, 1.3]);
  });

  it('work on lines without words, and join scripts without spaces', () => {
    const [plain] = linesOf({ segments: [{ text: ' One two', start: 0, end: 8 }] });
    const [left, right] = split(plain!, 4);
    expect([left, right]).toMatchObject([
      { text: 'One', start: 0, end: 4.571 },
      { text: 'two', start: 4.571, end: 8 },
    ]);
    expect(joined(left, right).text).toBe('One two');
    expect(joined(second, second).text).toBe('country. 你好吗country. 你好吗');
  });
});
