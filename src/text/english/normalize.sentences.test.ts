import { describe, expect, it } from 'vitest';
import { spokenOutline } from '../../../test/fixtures/spoken-outline.ts';
import { defaultNormalization } from '../normalization.ts';
import { maxSentenceLength } from '../segments.ts';
import { englishSegments } from './normalize.ts';

const segments = (input: string) => [...englishSegments(input, defaultNormalization)];

const outline = (input: string) => spokenOutline(segments(input));

describe('English sentences', () => {
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
    ['Sat. & Sun. are free. It is 5 ft. tall.', ['Saturday and Sunday are free.', 'It is five feet tall.']],
    ['Take Q&A. 100 came.', ['Take Q and A.', 'one hundred came.']],
    ['So did I. He knew.', ['So did I.', 'He knew.']],
    ['Pi is 3.14. It was 1984. The end.', ['Pi is three point one four.', 'It was nineteen eighty four.', 'The end.']],
    ['See example.com/a.b. It is v1.2.', ['See example dot com slash A dot B.', 'It is version one point two.']],
    ['Wait... what? And then… nothing. Gone… The end.', ['Wait… what?', 'And then… nothing.', 'Gone…', 'The end.']],
    ['all small. no capitals here. ok', ['all small.', 'no capitals here.', 'okay']],
    ['What?! No!! Yes.', ['What?!', 'No!', 'Yes.']],
    ['Known since 1990.[1] It grew.[2][3] Then', ['Known since nineteen ninety.', 'It grew.', 'Then']],
    ['Bring etc. Then go.', ['Bring et cetera.', 'Then go.']],
    ['The 3rd fl. is shut. See 5 U.S.C. § 5.', ['The third floor is shut.', 'See five U S C section five.']],
    [
      'It was 37 °C. Turn left. The max. speed is 5.',
      ['It was thirty seven degrees C.', 'Turn left.', 'The maximum speed is five.'],
    ],
    [
      'So 5! = 120. At 10 a.m. Eastern he ate.',
      ['So five factorial equals one hundred twenty.', 'At ten A M Eastern he ate.'],
    ],
    ['It is $3.99/ea. Buy two.', ['It is three dollars and ninety nine cents each.', 'Buy two.']],
    ['It has n! ways. Go!', ['It has N factorial ways.', 'Go!']],
    [
      'After 4. Ba4 Nf6 5. O-O he won. It ended.',
      ['After four. bishop A four knight F six five. castles kingside he won.', 'It ended.'],
    ],
    ['Steps: 1. Cut 2. Fold 3. Glue', ['Steps: one. Cut', 'two. Fold', 'three. Glue']],
    ['Top 3: 1. Paris 2. Rome', ['Top three: one. Paris', 'two. Rome']],
    ['1. Sleep. 2. Eat. It costs 5. 6 came.', ['one. Sleep.', 'two. Eat.', 'It costs five.', 'six came.']],
    ['III. Results\nWe won.', ['three. Results', 'We won.']],
    ['Eins。Zwei！Drei', ['Eins.', 'Zwei!', 'Drei']],
  ])('%s', (input, expected) => expect(outline(input)).toEqual(expected));

  it('end at blank lines, headings and list items, but not at other line breaks', () => {
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
      'A) third',
      'Heading',
      'Text',
    ]);
  });

  it('end before bullets without a space', () => {
    expect(outline('Buy:\n•milk\n•eggs\n✅ done\n➡️ next\n● last')).toEqual([
      'Buy:',
      'milk',
      'eggs',
      'check done',
      'next',
      'last',
    ]);
  });

  it('end at Windows line breaks too', () => {
    expect(outline('one\r\ntwo\r\n\r\nthree')).toEqual(['one two', 'three']);
  });

  it('are cut at clauses, at whitespace or anywhere if too long', () => {
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
        if (segment.type !== 'sentence') continue;
        expect(segment.tokens.map(({ written }) => written).join('').length).toBeLessThanOrEqual(maxSentenceLength);
      }
    }
  });

  it('are left out if silent', () => {
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
