import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { NormalizationOptions } from '../types.ts';
import { spokenText } from './normalize.ts';

type Golden = Record<string, { options?: Partial<NormalizationOptions>; cases: Record<string, string> }>;
const golden = JSON.parse(readFileSync(new URL('normalize.golden.json', import.meta.url), 'utf8')) as Golden;

describe('spokenText', () => {
  for (const [section, { options, cases }] of Object.entries(golden)) {
    it.each(Object.entries(cases))(`${section}: %s`, (written, spoken) => {
      expect(spokenText(written, options)).toBe(spoken);
    });
  }

  it('has at least 300 golden cases', () => {
    const count = Object.values(golden).reduce((sum, { cases }) => sum + Object.keys(cases).length, 0);
    expect(count).toBeGreaterThanOrEqual(300);
  });
});
