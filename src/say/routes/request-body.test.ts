import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bodyWithItems } from './request-body.ts';

const read = async (item: z.ZodType, lines: unknown[]) => {
  const schema = z.object({ lines: z.array(item) });
  const request = { body: { lines } } as FastifyRequest<{ Body: { lines: unknown[] } }>;
  for (const hook of bodyWithItems(schema, { name: 'lines', item, max: 10_000 }).preValidation) await hook(request);
  return request.body.lines;
};

describe('bodyWithItems', () => {
  it('does not read on after the first invalid item: ten thousand errors blocked the service for seconds', async () => {
    const seen: unknown[] = [];
    const item = z.number().refine((value) => seen.push(value) < 3, 'is wrong');
    await expect(read(item, [1, 2, 3, 4, 5])).rejects.toMatchObject({
      message: 'lines[2]: is wrong',
      param: 'lines[2]',
    });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('lets the event loop answer others between its items', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const item = z.object({ input: z.string().transform((text) => text.repeat(2)) });
    const lines = await read(
      item,
      Array.from({ length: 10_000 }, () => ({ input: 'a' })),
    );
    isDone = true;
    expect(turns).toBeGreaterThan(1);
    expect(lines[9_999]).toEqual({ input: 'aa' });
  });
});
