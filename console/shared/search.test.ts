import { describe, expect, it } from 'vitest';
import { findAll, replaceIn } from './search.ts';

describe('findAll', () => {
  it('ignores case and whitespace, and treats special characters literally', () => {
    const texts = ['One two\nTHREE.', 'three (two) two'];
    expect(findAll(texts, 'two')).toEqual([
      { text: 0, from: 4, to: 7 },
      { text: 1, from: 7, to: 10 },
      { text: 1, from: 12, to: 15 },
    ]);
    expect(findAll(texts, ' TWO  three ')).toEqual([{ text: 0, from: 4, to: 13 }]);
    expect(findAll(texts, '(two)')).toHaveLength(1);
    expect(findAll(texts, '.*')).toEqual([]);
    expect(findAll(texts, '  ')).toEqual([]);
    for (const query of ['\\', '[', 'a-b', '{1', '/', '\u202e']) expect(findAll(texts, query)).toEqual([]);
  });

  it('limits the number of matches', () => {
    expect(findAll(['a'.repeat(1_000_000)], 'a')).toHaveLength(5000);
  });
});

describe('replaceIn', () => {
  it('replaces all matches, and treats special characters of the replacement literally', () => {
    expect(replaceIn('Zoe met zoe.', 'zoe', 'Zoë')).toBe('Zoë met Zoë.');
    expect(replaceIn('a b a', 'a', '$&$1')).toBe('$&$1 b $&$1');
    expect(replaceIn('one  two', 'one two', '')).toBe('');
    expect(replaceIn('text', ' ', 'x')).toBe('text');
  });
});
