import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('fixtures/flite-jobs.mjs', import.meta.url));

interface Part {
  name: string;
  seconds: number;
  words: number;
}

describe('Flite on worker threads', () => {
  it('speaks a short job between the chunks of a long one', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 });
    const parts: Part[] = JSON.parse(stdout);
    const words = (name: string) =>
      parts.filter((part) => part.name === name).reduce((sum, part) => sum + part.words, 0);
    expect([words('long'), words('short')]).toEqual([200, 2]);
    for (const { seconds, words } of parts) expect(seconds).toBeGreaterThan(words * 0.15);
    expect(parts.findIndex(({ name }) => name === 'short')).toBeLessThan(3);
    expect(parts.length).toBeGreaterThan(4);
  });
});
