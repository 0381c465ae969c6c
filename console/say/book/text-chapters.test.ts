import { describe, expect, it } from 'vitest';
import { bookOfText } from './text-chapters.ts';

describe('bookOfText', () => {
  it('cuts Markdown at its highest headings, below a title', () => {
    const text = '# The Sea\nBy me.\n\n## One\nA\n### Part\nB\n## *Two* ##\nC';
    expect(bookOfText(text, 'file', true)).toEqual({
      title: 'The Sea',
      author: '',
      chapters: [
        { title: 'The Sea', text: '# The Sea\nBy me.' },
        { title: 'One', text: '## One\nA\n### Part\nB' },
        { title: 'Two', text: '## *Two* ##\nC' },
      ],
    });
  });

  it('ignores headings in code', () => {
    const text = '# One\n```sh\n# comment\n```\n~~~\n# other\n```\n~~~\n# Two\n';
    for (const whole of [text, `~~~ Part ~~~\n${text}`]) {
      expect(bookOfText(whole, 'file', true)?.chapters.slice(-2)).toMatchObject([{ title: 'One' }, { title: 'Two' }]);
    }
  });

  it('cuts plain text at lines that name chapters', () => {
    const text =
      'A novel.\n\nCHAPTER I. The Sea\n\nIt was dark. Part of the crew slept.\n\nChapter Two\n\nPart of the sail tore.\n';
    expect(bookOfText(text, 'novel', false)?.chapters.map(({ title }) => title)).toEqual([
      'novel',
      'CHAPTER I. The Sea',
      'Chapter Two',
    ]);
  });

  it('takes title and author from the front matter, also if one is empty', () => {
    const text = '---\ntitle:\nauthor: "Jane"\n---\n# One\nA\n# C#\nB';
    expect(bookOfText(text, 'file', true)).toMatchObject({
      title: 'file',
      author: 'Jane',
      chapters: [{ title: 'One' }, { title: 'C#' }],
    });
  });

  it.each(['No headings.', '# Only one\nText.', ''])('finds no book in %j', (text) => {
    expect(bookOfText(text, 'file', true)).toBeUndefined();
    expect(bookOfText(text, 'file', false)).toBeUndefined();
  });

  it('is quick with hostile texts', () => {
    for (const piece of ['# ', '#\n', '```\n', 'chapter ', '---\n', '*_`']) {
      bookOfText(piece.repeat(200_000), 'file', true);
      bookOfText(piece.repeat(200_000), 'file', false);
    }
    bookOfText(`# a${' '.repeat(200_000)}x`, 'file', true);
  });
});
