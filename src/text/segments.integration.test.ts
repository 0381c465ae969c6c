import { describe, expect, it } from 'vitest';
import { englishSegments } from './english/normalize.ts';
import { defaultNormalization } from './normalization.ts';

describe('processing time', () => {
  function milliseconds(run: () => void): number {
    const start = performance.now();
    run();
    return performance.now() - start;
  }

  function drain(input: string): void {
    for (const _ of englishSegments(input, { ...defaultNormalization, unit_normalization: true }));
  }

  const markdown = [
    '`',
    '`a',
    '``a ',
    '**a ',
    '~~a ',
    '*a ',
    '_a ',
    '[a](',
    '![a](b.c',
    '[a][b',
    '| a ',
    '|-',
    '|a|\n|-|\n',
    '> ',
    '```\n',
    '# a\n',
    '- [ ] ',
    '\\',
    '<a@',
    '[^a',
    '&amp;',
    ':-)',
    '$1 ',
    '1h 2m ',
  ];
  it.each(
    `[ ((( 7 1,1,1, a.a.a. $$$$ $1 " ' - a- @ a@ A a é 漢 。 … . / 1/ 1: 1- 1. < <b> <a_b=" &amp; [pause: [pause:1s] [a](/b [a](/b/) www. http:// I X
     x 3x 0x 1e v1_ +1 % ° ½ ¹ ^ * ** # ? ?! (s) U.S. Mr. 😀 \u0301 \u200b`
      .split(/\s+/)
      .concat(' ', '\n', '\n\n', '- \n', '1 ', 'x ', '. . ', 'word ', '\ud800', '[a](/b/) ')
      .concat(...markdown),
  )('is linear in the length of a text that repeats %j', (unit) => {
    const text = unit.replace('_', ' ');
    const short = text.repeat(50_000 / text.length);
    drain(short);
    const one = milliseconds(() => drain(short));
    const two = milliseconds(() => drain(short + short));
    expect(two).toBeLessThan(Math.max(4 * one, 6_000));
  });

  it('is short for the first segment of a long text', () => {
    for (const input of [
      'This is a sentence, and so on. '.repeat(30_000),
      'word '.repeat(200_000),
      `${'x'.repeat(1e6)}`,
    ]) {
      const options = defaultNormalization;
      const all = milliseconds(() => [...englishSegments(input, options)]);
      const first = milliseconds(() => englishSegments(input, options).next());
      expect(first).toBeLessThan(Math.max(all / 5, 20));
    }
  });
});
