import { expect, it } from 'vitest';
import { parseJson } from './json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

it('returns the parsed JSON', () => {
  expect(parseJson('{"a":[1,null,"b"]}', 'The body')).toEqual({ a: [1, null, 'b'] });
  expect(parseJson('\uFEFF{"a":1}', 'The body')).toEqual({ a: 1 });
  expect(JSON.stringify(parseJson(nested(64), 'The body'))).toBe(nested(64));
});

it('rejects text that is not JSON without quoting it', () => {
  expect(() => parseJson('secret', 'The body')).toThrow('The body is not valid JSON.');
});

it('overflowed the stack later: deep nesting is refused', () => {
  expect(() => parseJson(nested(65), 'The body')).toThrow('The body is nested too deeply.');
  expect(() => parseJson(nested(100_000), 'The body')).toThrow('The body is nested too deeply.');
  expect(() => parseJson(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'The body')).toThrow('nested too deeply');
});

it.each([
  ['empty lists', '[]', 100_000],
  ['empty objects', '{}', 100_000],
  ['numbers', '1', 200_000],
])('blocked the service for seconds: millions of %s are refused', (_name, value, most) => {
  const list = (count: number) => `[${Array(count).fill(value)}]`;
  expect(parseJson(list(most), 'The body')).toHaveLength(most);
  for (const count of [most + 1, 2_000_000])
    expect(() => parseJson(list(count), 'The body')).toThrow('The body has more than 200000 values');
});

it('blocked the service for seconds: an object of many members is refused, ten thousand objects of some are not', () => {
  const object = (count: number) =>
    `{"a":[{"b":{}}],${Array.from({ length: count - 1 }, (_, index) => `"${index}":1`)}}`;
  expect(parseJson(object(20_000), 'The body')).toHaveProperty('a');
  expect(() => parseJson(object(20_001), 'The body')).toThrow('The body has an object of more than 20000 members.');
  expect(parseJson(`[${Array(10_000).fill(object(10))}]`, 'The body')).toHaveLength(10_000);
});

it('does not count what is in strings', () => {
  const text = `{"text":${JSON.stringify('\\",[{'.repeat(300_000))}}`;
  expect(parseJson(text, 'The body')).toHaveProperty('text');
  for (const wrong of ['"\\', ':', '}:', '{"']) expect(() => parseJson(wrong, 'The body')).toThrow('not valid JSON');
});
