import { expect, it } from 'vitest';
import { presets } from '../../src/hear/presets.ts';
import { factsOf } from './preset-facts.ts';

it('factsOf covers every preset and nothing else', () => {
  for (const { size } of presets) expect([size, factsOf(size)?.languages]).toEqual([size, expect.any(String)]);
  expect(factsOf('org/name')).toBeUndefined();
  expect(factsOf('constructor')).toBeUndefined();
});
