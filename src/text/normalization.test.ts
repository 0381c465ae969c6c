import { expect, it } from 'vitest';
import { defaultNormalization } from './normalization.ts';

it('defaultNormalization covers everything except units', () => {
  expect(Object.entries(defaultNormalization).filter(([, on]) => !on)).toEqual([['unit_normalization', false]]);
});
