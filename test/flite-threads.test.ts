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
  it('speaks a new job before the waiting chunks of eight others', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 });
    const chunks: SpokenChunk[] = JSON.parse(stdout);
    const words = (name: string) =>
      chunks.filter((chunk) => chunk.name === name).reduce((sum, chunk) => sum + chunk.words, 0);
    for (let index = 0; index < 8; index++) expect(words(`long ${index}`)).toBe(80);
    expect(words('short')).toBe(2);
    for (const { seconds, words } of chunks) expect(seconds).toBeGreaterThanOrEqual(words * 0.15);
    const order = chunks.map(({ name }) => name);
    // Only after the chunk that was being spoken when it came.
    expect(order.indexOf('short')).toBeLessThanOrEqual(order.indexOf('short comes') + 2);
  });
});
