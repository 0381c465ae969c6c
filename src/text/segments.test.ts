import { describe, expect, it } from 'vitest';
import { maxSentenceLength } from './english/normalize/sentences.ts';
import { defaultNormalization } from './normalize.ts';
import { textSegments } from './segments.ts';
import type { TextSegment } from './types.ts';

const segments = (input: string, options = {}) => [...textSegments(input, { ...defaultNormalization, ...options })];

/** Sentences as they are said, pauses as their seconds. */
function outline(input: string): (string | number)[] {
  const join = (segment: TextSegment) =>
    segment.type === 'pause'
      ? segment.seconds
      : segment.tokens
          .map(({ spoken }) => spoken)
          .filter(Boolean)
          .join(' ');
  return segments(input).map(join);
}

const tokens = (input: string, options = {}) =>
  segments(input, options).flatMap((segment) => (segment.type === 'sentence' ? segment.tokens : []));

describe('sentences', () => {
  it.each<[string, string[]]>([
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['“Why?” he asked. “Go!” She went.', ['“Why?” he asked.', '“Go!”', 'She went.']],
    ['(He left.) She stayed.', ['(He left.)', 'She stayed.']],
    ['I met Mr. Smith and Dr. King. They ate.', ['I met Mister Smith and Doctor King.', 'They ate.']],
    ['The U.S. Army left the U.S. The war ended.', ['The U S Army left the U S.', 'The war ended.']],
    ['J. K. Rowling wrote it. It sold.', ['J K Rowling wrote it.', 'It sold.']],
    ['At 5 p.m. Monday he ate. At 6 p.m. He slept.', ['At five P M Monday he ate.', 'At six P M.', 'He slept.']],
    ['No. 5 is alive. He said no. Nobody came.', ['Number five is alive.', 'He said no.', 'Nobody came.']],
    ['Plan B. Then C.', ['Plan B.', 'Then C.']],
    [
      'He said no. I left in June. Bob ran 35 ms. See?',
      ['He said no.', 'I left in June.', 'Bob ran thirty five M S.', 'See?'],
    ],
    ['On Elm Dr. The sign was gone. Dr. Who came.', ['On Elm Drive.', 'The sign was gone.', 'Doctor Who came.']],
    ['Sat. & Sun. are free. It is 5 ft. tall.', ['Saturday and Sunday are free.', 'It is five F T. tall.']],
    ['Take Q&A. 100 came.', ['Take Q and A.', 'one hundred came.']],
    ['So did I. He knew.', ['So did I.', 'He knew.']],
    ['Pi is 3.14. It was 1984. The end.', ['Pi is three point one four.', 'It was nineteen eighty four.', 'The end.']],
    ['See example.com/a.b. It is v1.2.', ['See example dot com slash a dot B.', 'It is version one point two.']],
    ['Wait... what? And then… nothing. Gone… The end.', ['Wait… what?', 'And then… nothing.', 'Gone…', 'The end.']],
    ['all small. no capitals here. ok', ['all small.', 'no capitals here.', 'okay']],
    ['What?! No!! Yes.', ['What?!', 'No!', 'Yes.']],
    [
      'Known since 1990.[1] It grew.[2][3] Then',
      ['Known since nineteen ninety. (one)', 'It grew. (two) (three)', 'Then'],
    ],
    ['Bring etc. Then go.', ['Bring et cetera.', 'Then go.']],
    ['Eins。Zwei！Drei', ['Eins.', 'Zwei!', 'Drei']],
  ])('%s', (input, expected) => expect(outline(input)).toEqual(expected));

  it('ends at blank lines, headings and list items, and not at other line breaks', () => {
    const text = `Chapter One

It was a dark and stormy night, and the rain fell in
torrents. Mr. Jones of
Paris came.

Shopping:
- milk
- eggs
1. First
2. Second one
goes on
a) third
# Heading
Text`;
    expect(outline(text)).toEqual([
      'Chapter One',
      'It was a dark and stormy night, and the rain fell in torrents.',
      'Mister Jones of Paris came.',
      'Shopping:',
      'milk',
      'eggs',
      'one. First',
      'two. Second one goes on',
      'a) third',
      'Heading',
      'Text',
    ]);
  });

  it('takes Windows line ends for line ends', () => {
    expect(outline('one\r\ntwo\r\n\r\nthree')).toEqual(['one two', 'three']);
  });

  it('cuts a sentence without end at clauses, blanks or anywhere', () => {
    const clauses = segments(`${'some words, '.repeat(200)}`);
    expect(clauses.length).toBeGreaterThan(4);
    for (const segment of clauses) {
      expect(segment.type === 'sentence' && segment.tokens.at(-1)?.written.endsWith(',')).toBe(true);
    }
    for (const input of [
      'word '.repeat(1000),
      'x'.repeat(5000),
      '😀a'.repeat(2000),
      '漢字'.repeat(2000),
      'a,b;'.repeat(900),
    ]) {
      for (const segment of segments(input)) {
        if (segment.type === 'pause') continue;
        expect(segment.tokens.map(({ written }) => written).join('').length).toBeLessThanOrEqual(maxSentenceLength);
      }
    }
  });

  it('gives nothing where nothing is said', () => {
    for (const input of [
      '',
      ' \n\t ',
      '...',
      '?! — "',
      '😀 👍🏽',
      '漢字。',
      '<break/>',
      '[pause:0s]',
      '\ud800',
      '\u0000',
    ]) {
      expect(segments(input), input).toEqual([]);
    }
  });
});

describe('control tokens', () => {
  it('pauses anywhere', () => {
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

  it('cuts a pause down to a minute', () => {
    expect(outline('[pause:99s]')).toEqual([60]);
  });

  it('carries a pronunciation through normalization', () => {
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

  it('says the word where nothing could be said for its pronunciation', () => {
    expect(tokens('Say [two 2](/日本/), [b](/ˈː/)!')).toEqual([
      { written: 'Say', spoken: 'Say' },
      { written: 'two', spoken: 'two' },
      { written: '2,', spoken: 'two,' },
      { written: 'b!', spoken: 'B!' },
    ]);
  });

  it('pronounces a possessive', () => {
    expect(
      tokens("[Kokoro](/kˈOkəɹO/)'s [Max](/mˈæks/)'s [Pat](/pˈæt/)’s").map(({ written, ipa }) => [written, ipa]),
    ).toEqual([
      ["Kokoro's", 'kˈOkəɹOz'],
      ["Max's", 'mˈæksᵻz'],
      ['Pat’s', 'pˈæts'],
    ]);
  });

  it('survives where nothing is normalized', () => {
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
          { written: '$5', spoken: '$5', ipa: 'faɪv' },
          { written: '!', spoken: '!' },
        ],
      },
    ]);
  });

  it('does not take a character of the input for its own mark', () => {
    expect(tokens('a \uFFFC b [c](/d/)').map(({ written, ipa }) => ipa ?? written)).toEqual(['a', '\uFFFC', 'b', 'd']);
  });
});

describe('tokens', () => {
  it('keeps what is written, and maps words one to one', () => {
    expect(tokens('On Nov. 20, 2026, Dr. Lee paid $3.50.')).toEqual([
      { written: 'On', spoken: 'On' },
      { written: 'Nov.', spoken: 'November' },
      { written: '20,', spoken: 'twentieth,' },
      { written: '2026,', spoken: 'twenty twenty six,' },
      { written: 'Dr.', spoken: 'Doctor' },
      { written: 'Lee', spoken: 'Lee' },
      { written: 'paid', spoken: 'paid' },
      { written: '$3.50.', spoken: 'three dollars and fifty cents.' },
    ]);
  });

  it('parts words at a dash, and keeps a token for what is not said', () => {
    expect(tokens('yes—no 😀 ok')).toEqual([
      { written: 'yes—', spoken: 'yes—' },
      { written: 'no', spoken: 'no' },
      { written: '😀', spoken: '' },
      { written: 'ok', spoken: 'okay' },
    ]);
  });

  const samples = [
    'Mr. Smith, 3 3/4 cups (½) at 5:30 p.m.; see http://a.b/c?d=e&f — “ok”… it’s 20°C!',
    'Call (555) 123-4567 or +44 20 7946 0958, e.g. on 11/20/2026, the 3rd of May.',
    'Henry VIII’s R&D: AT&T *bold* _it_ #1 @me C++ -5 10-20 $5–10 £5m 50% x² 4x4 file(s) 24/7.',
    'Москва Αθήνα café 漢字 ٣ １２ 😀👍🏽 a\u00adb 𝐁 ① Ⅷ z\u0301 \ud800 end',
  ];
  it.each(samples)('says in order, and leaves nothing out of, %s', (sample) => {
    const bare = (text: string) => text.replace(/\s/g, '');
    for (const options of [{}, { unit_normalization: true }, { normalize: false }]) {
      const written = tokens(sample, options).map((token) => token.written);
      expect(bare(written.join(''))).toBe(bare(sample));
    }
    const tagged = `<p>${sample}</p> [pause:1s] <em>x</em>`;
    expect(
      bare(
        tokens(tagged)
          .map(({ written }) => written)
          .join(''),
      ),
    ).toBe(`${bare(sample)}x`);
  });

  it('says nothing but letters and punctuation', () => {
    for (const sample of samples) {
      for (const { spoken } of tokens(sample)) expect(spoken).toMatch(/^[\p{Script=Latin}\p{M}' ,;:.!?…—"“”()]*$/u);
    }
  });
});

describe('time', () => {
  function milliseconds(work: () => void): number {
    const start = performance.now();
    work();
    return performance.now() - start;
  }

  function drain(input: string): void {
    for (const _ of textSegments(input, { ...defaultNormalization, unit_normalization: true }));
  }

  it.each(
    `[ ((( 7 1,1,1, a.a.a. $$$$ $1 " ' - a- @ a@ A a é 漢 。 … . / 1/ 1: 1- 1. < <b> <a_b=" &amp; [pause: [pause:1s] [a](/b [a](/b/) www. http:// I X
     x 3x 0x 1e v1_ +1 % ° ½ ¹ ^ * ** # ? ?! (s) U.S. Mr. 😀 \u0301 \u200b`
      .split(/\s+/)
      .concat(' ', '\n', '\n\n', '- \n', '1 ', 'x ', '. . ', 'word ', '\ud800', '[a](/b/) '),
  )('grows with the length of a text of %j alone', (unit) => {
    const text = unit.replace('_', ' ');
    const short = text.repeat(50_000 / text.length);
    drain(short);
    const one = milliseconds(() => drain(short));
    const two = milliseconds(() => drain(short + short));
    expect(two).toBeLessThan(Math.max(4 * one, 6_000));
  });

  it('is little for the first segment of a long text', () => {
    for (const input of [
      'This is a sentence, and so on. '.repeat(30_000),
      'word '.repeat(200_000),
      `${'x'.repeat(1e6)}`,
    ]) {
      const options = defaultNormalization;
      const all = milliseconds(() => [...textSegments(input, options)]);
      const first = milliseconds(() => textSegments(input, options).next());
      expect(first).toBeLessThan(Math.max(all / 5, 20));
    }
  });
});
