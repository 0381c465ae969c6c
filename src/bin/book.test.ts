import { describe, expect, it } from 'vitest';
import { bookJob, chaptersOf } from './book.ts';

const titles = (text: string) => chaptersOf({ stem: 'walk', text }).map(({ title }) => title);

describe('the chapters of a text', () => {
  it('begin at headings of two levels, which are spoken', () => {
    const text = '# One #\nThe gate.\n\n## *Two*\r\nThe hill.\n### Not\nMore.\n#No heading\n';
    expect(chaptersOf({ stem: 'walk', text })).toEqual([
      { title: 'One', text: '# One #\nThe gate.\n' },
      { title: 'Two', text: '## *Two*\nThe hill.\n### Not\nMore.\n#No heading\n' },
    ]);
  });

  it.each([
    ['No heading at all.', ['walk']],
    ['Before.\n# One\nThe gate.', ['walk', 'One']],
    ['# A Walk\n\n## One\nThe gate.\n## Two\nThe hill.', ['One', 'Two']],
    ['# One\nThe gate.\n# The end', ['One', 'The end']],
    ['# Only', ['Only']],
    ['#\nThe gate.', ['walk']],
    ['```\n# a comment\n```\n# One\nThe gate.', ['walk', 'One']],
    ['~~~~\n# a\n~~~\n# b\n~~~~\n# One\nThe gate.', ['walk', 'One']],
    ['```\n# a\n```js\n# b\n```\n# One\nThe gate.', ['walk', 'One']],
    ['~~~ 1 ~~~\n# One\nThe gate.', ['walk', 'One']],
    ['# [The **gate**](gate.md) `of` _it_ all_of_it\na', ['The gate of it all_of_it']],
    ['# a\tb\u0007\nc', ['a b']],
    ['', []],
    ['\n \n', []],
  ])('%j are %j', (text, expected) => {
    expect(titles(text)).toEqual(expected);
  });

  it('are found in time that grows with the text', () => {
    const hostile = [
      `# ${'[a]('.repeat(50_000)}\nb`,
      `# ${'#\t '.repeat(50_000)}x\nb`,
      `# ${'_*'.repeat(50_000)}\nb`,
      '# a\n'.repeat(100_000),
    ];
    for (const text of hostile) expect(titles(text).length).toBeLessThanOrEqual(1);
  });
});

it('a book has the chapters of all its files', () => {
  const way = { voice: [{ name: 'af_heart', weight: 1 }], language: 'a', speed: 1, volume: 1 } as const;
  const texts = [
    { stem: 'first', text: 'One.' },
    { stem: 'second', text: '# Two\nTwo.\n# Three\nThree.' },
  ];
  const { input, book } = bookJob(texts, { author: ' Jane\nDoe ' }, { ...way, voice: [...way.voice] });
  expect(book).toEqual({ title: 'first', author: 'Jane Doe', chapters: ['first', 'Two', 'Three'] });
  expect(input).toMatchObject({
    param: 'chapters',
    passages: [
      { text: 'One.', chapter: 0, pauseAfter: 1.5, ...way },
      { text: '# Two\nTwo.', chapter: 1 },
      { text: '# Three\nThree.', chapter: 2 },
    ],
  });
});
