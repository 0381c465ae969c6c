import { describe, expect, it } from 'vitest';
import { spokenOutline } from '../../test/fixtures/spoken-outline.ts';
import { englishSegments } from './english/normalize.ts';
import { defaultNormalization } from './normalization.ts';

const segments = (input: string, options = {}) => [...englishSegments(input, { ...defaultNormalization, ...options })];

const outline = (input: string) => spokenOutline(segments(input));

const tokens = (input: string, options = {}) =>
  segments(input, options).flatMap((segment) => (segment.type === 'sentence' ? segment.tokens : []));

describe('control tokens', () => {
  it('pauses at any position', () => {
    expect(outline('[pause:1s]Hello [Pause:0.5s][pause:2S] there.[pause:1.5s]')).toEqual([
      1,
      'Hello',
      0.5,
      2,
      'there.',
      1.5,
    ]);
    expect(outline('[pause:3s]')).toEqual([3]);
    expect(outline('un[pause:1s]able')).toEqual(['un', 1, 'able']);
  });

  it('cuts a pause to a minute', () => {
    expect(outline('[pause:99s]')).toEqual([60]);
  });

  it('keeps a given pronunciation through normalization', () => {
    expect(tokens('Say ([Kokoro](/kˈOkəɹO/)), 2 [cats](/kæts/).')).toEqual([
      { written: 'Say', spoken: 'Say' },
      { written: '(', spoken: '(' },
      { written: 'Kokoro', spoken: 'Kokoro', ipa: 'kˈOkəɹO' },
      { written: '),', spoken: '),' },
      { written: '2', spoken: 'two' },
      { written: 'cats', spoken: 'cats', ipa: 'kæts' },
      { written: '.', spoken: '.' },
    ]);
  });

  it('keeps every sound of a pronunciation typed with the ASCII g', () => {
    expect(tokens('[good](/gʊd/) [bird](/bɝd/)').map(({ ipa }) => ipa)).toEqual(['ɡʊd', 'bɜɹd']);
  });

  it('speaks the word if its pronunciation has no sound', () => {
    expect(tokens('Say [two 2](/日本/), [b](/ˈː/)!')).toEqual([
      { written: 'Say', spoken: 'Say' },
      { written: 'two', spoken: 'two' },
      { written: '2,', spoken: 'two,' },
      { written: 'b!', spoken: 'B!' },
    ]);
  });

  it('pronounces the possessive of a word with a given pronunciation', () => {
    expect(
      tokens("[Kokoro](/kˈOkəɹO/)'s [Max](/mˈæks/)'s [Pat](/pˈæt/)’s").map(({ written, ipa }) => [written, ipa]),
    ).toEqual([
      ["Kokoro's", 'kˈOkəɹOz'],
      ["Max's", 'mˈæksᵻz'],
      ['Pat’s', 'pˈæts'],
    ]);
  });

  it('works without normalization', () => {
    expect(segments('Dr. Who[pause:1s]paid [$5](/faɪv/)!', { normalize: false })).toEqual([
      {
        type: 'sentence',
        tokens: [
          { written: 'Dr.', spoken: 'Dr.' },
          { written: 'Who', spoken: 'Who' },
        ],
      },
      { type: 'pause', seconds: 1 },
      {
        type: 'sentence',
        tokens: [
          { written: 'paid', spoken: 'paid' },
          { written: '$5', spoken: '$5', ipa: 'fIv' },
          { written: '!', spoken: '!' },
        ],
      },
    ]);
  });

  it('takes U+FFFC in the input as text', () => {
    expect(tokens('a \uFFFC b [c](/d/)').map(({ written, ipa }) => ipa ?? written)).toEqual(['a', '\uFFFC', 'b', 'd']);
  });
});

describe('paragraphs', () => {
  /** Spoken words, with ¶ where a paragraph starts. */
  const paragraphs = (input: string) =>
    segments(input).map((segment) => {
      if (segment.type !== 'sentence') return segment.type;
      const words = segment.tokens.map(({ spoken }) => spoken).join(' ');
      return segment.startsParagraph ? `¶ ${words}` : words;
    });

  it('start after a blank line, not at the beginning or the end', () => {
    const breaks = ['\n\n', '\r\n\r\n', '\n \t\n', '\n\n\n\n', '\u2029'];
    for (const each of breaks) {
      expect(paragraphs(`${each}One. Two.${each}Three\nfour.${each}`)).toEqual(['One.', 'Two.', '¶ Three four.']);
    }
    expect(paragraphs('One.\nTwo.')).toEqual(['One.', 'Two.']);
  });

  it('start after text that is not spoken', () => {
    expect(paragraphs('One.\n\n* * *\n\nTwo.')).toEqual(['One.', '¶ Two.']);
    expect(paragraphs('One.\n\n… …\nTwo.')).toEqual(['One.', '¶ Two.']);
    expect(paragraphs('… …\n\nOne.')).toEqual(['One.']);
  });

  it('set headings apart', () => {
    expect(paragraphs('One.\n# Title\nTwo.')).toEqual(['One.', '¶ Title', '¶ Two.']);
  });

  it('begin at block tags', () => {
    expect(paragraphs('<p>One<br>two</p><div>Three</div>')).toEqual(['One two', '¶ Three']);
    expect(paragraphs('<ul><li>One</li><li>Two</li></ul>')).toEqual(['One', '¶ Two']);
  });

  it('do not lengthen a given pause', () => {
    expect(paragraphs('One.\n\n[pause:1s]\n\nTwo.\n\nThree.')).toEqual(['One.', 'pause', 'Two.', '¶ Three.']);
  });
});
