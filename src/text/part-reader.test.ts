import { describe, expect, it } from 'vitest';
import { englishSegments } from './english/normalize.ts';
import { defaultNormalization } from './normalization.ts';
import type { TextPart, TextSegment } from './types.ts';

const segments = (parts: readonly TextPart[], options = {}): TextSegment[] => [
  ...englishSegments(parts, { ...defaultNormalization, ...options }),
];
const text = (text: string): TextPart => ({ type: 'text', text });
const pause = (seconds: number): TextPart => ({ type: 'pause', seconds });
const mark = (name: string): TextPart => ({ type: 'mark', name });

/** Sentences as their spoken words, pauses as seconds, marks between sentences as `@name`. */
const outline = (parts: readonly TextPart[]) =>
  segments(parts).map((segment) => {
    if (segment.type === 'pause') return segment.seconds;
    if (segment.type === 'mark') return `@${segment.name}`;
    return segment.tokens.map(({ spoken }) => spoken).join(' ');
  });

/** Marks by the written word that they are before. */
const marksIn = (segment: TextSegment) =>
  segment.type === 'sentence' &&
  segment.marks?.map(({ name, token }) => [name, segment.tokens[token]?.written ?? 'the end']);

describe('segments of the parts of a text', () => {
  it('takes control tokens, tags, references and Markdown for text', () => {
    expect(outline([text('[pause:1s] &amp; <b>')])).toEqual(outline([text('[pause:1s] &'), text('amp; <b>')]));
    expect(outline([text('[pause:1s]')])).not.toContain(1);
    expect(segments([text('**a** `b`')])[0]).toMatchObject({ tokens: [{ written: '**a**' }, { written: '`b`' }] });
  });

  it('ends sentences at pauses, also of 0 s, and reads text of any length', () => {
    expect(outline([text('One'), pause(0), text('Two '), text('three.'), pause(1.5), pause(2)])).toEqual([
      'One',
      'Two three.',
      1.5,
      2,
    ]);
    const long = 'A sentence of some length. '.repeat(1000);
    expect(outline([text(long)])).toHaveLength(1000);
  });

  it('finds the word after a mark, whatever is written around it', () => {
    const reading: TextPart = { type: 'reading', written: 'W3C', reading: { alias: 'World Wide Web' } };
    const phonemes: TextPart = { type: 'reading', written: 'pecan', reading: { ipa: 'pɪkˈɑn' } };
    const parts = [
      ...[mark('a'), text('It cost '), mark('b'), text('$5, '), mark('c'), reading, mark('d'), text(' '), mark('e')],
      ...[phonemes, text(', W3C W3C '), mark('f'), text('W3C.'), mark('g')],
    ];
    expect(marksIn(segments(parts)[0]!)).toEqual([
      ['a', 'It'],
      ['b', '$5,'],
      ['c', 'World'],
      ['d', 'pecan'],
      ['e', 'pecan'],
      ['f', 'W3C.'],
    ]);
    expect(outline(parts).at(-1)).toBe('@g');
  });

  it('keeps the order of marks next to pauses and in silent text', () => {
    const parts = [text('One.'), mark('a'), pause(1), mark('b'), text('…'), mark('c'), pause(2), mark('d')];
    expect(outline(parts)).toEqual(['One.', '@a', 1, '@b', '@c', 2, '@d']);
  });

  it('puts a mark at the next sentence or at the end of its own', () => {
    const [first, second] = segments([text('One'), mark('a'), text('. '), mark('b'), text('Two.')]);
    expect(marksIn(first!)).toEqual([['a', 'One.']]);
    expect(marksIn(second!)).toEqual([['b', 'Two.']]);
  });

  it('shows several tokens of a reading as one caption', () => {
    const [sentence] = segments([
      text('The '),
      { type: 'reading', written: 'W3C', reading: { alias: 'Web Consortium' } },
      text(', yes.'),
    ]);
    expect(sentence).toMatchObject({
      tokens: [
        { written: 'The' },
        { spoken: 'Web', caption: 'W3C' },
        { spoken: 'Consortium', caption: '' },
        { written: ',' },
        { written: 'yes.' },
      ],
    });
  });

  it('speaks the written word if its phonemes hold no sound', () => {
    expect(outline([{ type: 'reading', written: 'pecan', reading: { ipa: 'ˈ' } }])).toEqual(['pecan']);
  });
});
