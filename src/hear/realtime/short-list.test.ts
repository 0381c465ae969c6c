import { expect, it } from 'vitest';
import { z } from 'zod';
import { shortList } from './short-list.ts';

it('shortList does not read the items of a list that is too long', () => {
  const read: string[] = [];
  const list = shortList(
    z.string().refine((item) => read.push(item)),
    2,
  );
  expect(list.safeParse(['a', 'b', 'c']).error?.issues).toMatchObject([{ code: 'too_big' }]);
  expect(read).toEqual([]);
  expect(list.parse(['a', 'b'])).toEqual(['a', 'b']);
});

it('shortList describes its items', () => {
  expect(z.toJSONSchema(shortList(z.enum(['a', 'b']), 2), { io: 'input' })).toMatchObject({
    type: 'array',
    maxItems: 2,
    items: { type: 'string', enum: ['a', 'b'] },
  });
});
