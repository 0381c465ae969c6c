import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('fixtures/flite-jobs.mjs', import.meta.url));

interface SpokenChunk {
  name: string;
  seconds: number;
  words: number;
}

describe('Flite on worker threads', () => {
  it('speaks a short job between the chunks of a long one', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 });
    const chunks: SpokenChunk[] = JSON.parse(stdout);
    const words = (name: string) =>
      chunks.filter((chunk) => chunk.name === name).reduce((sum, chunk) => sum + chunk.words, 0);
    expect([words('long'), words('short')]).toEqual([200, 2]);
    for (const { seconds, words } of chunks) expect(seconds).toBeGreaterThan(words * 0.15);
    expect(chunks.findIndex(({ name }) => name === 'short')).toBeLessThan(3);
    expect(chunks.length).toBeGreaterThan(4);
  });
});
