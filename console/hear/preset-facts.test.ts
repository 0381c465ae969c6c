import { describe, expect, it } from 'vitest';
import { factsOf } from './preset-facts.ts';

const presets = [
  { size: 'many', languages: 99, translates: true, download: '1 GB' },
  { size: 'turbo', languages: 100, translates: false, download: '1.6 GB' },
  { size: 'english', languages: 1, translates: true },
];

describe('factsOf', () => {
  it.each([
    ['many', '99 languages', 'translates', false],
    ['turbo', '100 languages', 'does not translate', false],
    ['english', 'English only', '', true],
  ])('describes %s', (size, languages, translation, isBuiltIn) => {
    expect(factsOf(size, presets)).toEqual({ languages, translation, isBuiltIn });
  });

  it('knows nothing of other models', () => {
    for (const name of ['org/name', 'constructor', '']) expect(factsOf(name, presets)).toBeUndefined();
  });
});
