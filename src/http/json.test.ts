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
  expect(() => parseJson(nested(1_000_000), 'The body')).toThrow('The body is nested too deeply.');
  expect(() => parseJson(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'The body')).toThrow('nested too deeply');
});
