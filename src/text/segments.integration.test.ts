import { describe, expect, it } from 'vitest';
import { englishSegments } from './english/normalize.ts';
import { defaultNormalization } from './normalization.ts';

describe('processing time', () => {
  function milliseconds(run: () => void): number {
    const start = performance.now();
    run();
    return performance.now() - start;
  }

  it('is short for the first segment of a long text', () => {
    for (const input of [
      'This is a sentence, and so on. '.repeat(30_000),
      'word '.repeat(200_000),
      `${'x'.repeat(1e6)}`,
    ]) {
      const options = defaultNormalization;
      const all = milliseconds(() => [...englishSegments(input, options)]);
      const first = milliseconds(() => englishSegments(input, options).next());
      expect(first).toBeLessThan(Math.max(all / 5, 20));
    }
  });
});
