import { expect, it } from 'vitest';
import { fenceAfterText } from './code-fence.ts';

it.each([
  ['```', undefined, '```'],
  ['```js\na', undefined, '```'],
  ['  ~~~~ sh\r\na\r\n~~~~', undefined, undefined],
  ['a\n```\nb\n~~~', undefined, '```'],
  ['a\n``\nb', '```', '```'],
  ['```js', '```', '```'],
  ['`````  ', '```', undefined],
  ['```', '````', '````'],
  ['``` a ```', undefined, undefined],
  ['~~~ Part one ~~~', undefined, undefined],
])('after %j in %s, the block %s is open', (text, open, after) => {
  expect(fenceAfterText(text, open, true)).toBe(after);
});

it('is not opened within a line', () => {
  expect(fenceAfterText('```\na', undefined, false)).toBeUndefined();
});
