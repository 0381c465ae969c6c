import { expect, it } from 'vitest';
import { presets } from '../../src/hear/presets.ts';
import { factsOf } from './preset-facts.ts';

it('every preset has its facts, and nothing else has', () => {
  for (const { size } of presets) expect([size, factsOf(size)?.languages]).toEqual([size, expect.any(String)]);
  expect(factsOf('org/name')).toBeUndefined();
  expect(factsOf('constructor')).toBeUndefined();
});
