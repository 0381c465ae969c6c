import { describe, expect, it } from 'vitest';
import { presets } from '../../src/models/presets.ts';
import { factsOf } from './preset-facts.ts';

describe('factsOf', () => {
  it.each([
    ['moonshine-tiny', 'English only', '', 'built in'],
    ['tiny', '99 languages', 'translates', '0.15 GB'],
    ['large-v3', '100 languages', 'translates', '3 GB'],
    ['large-v3-turbo', '100 languages', 'does not translate', '1.6 GB'],
    ['distil-large-v3', 'English only', '', '1.5 GB'],
  ])('describes %s', (size, languages, translation, download) => {
    expect(factsOf(size)).toEqual({ languages, translation, download });
  });

  it('covers every preset and nothing else', () => {
    for (const { size } of presets) expect(factsOf(size)).toBeDefined();
    expect(factsOf('org/name')).toBeUndefined();
    expect(factsOf('constructor')).toBeUndefined();
  });
});
