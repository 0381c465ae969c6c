import { expect, it } from 'vitest';
import { BrowserStorage, newId } from './storage.ts';

it('keeps records in memory if the browser has no IndexedDB', async () => {
  const storage = new BrowserStorage();
  expect(await storage.isPersistent()).toBe(false);
  await storage.put('jobs', { id: 'a' });
  await storage.put('jobs', { id: 'b' });
  await storage.put('files', { id: 'a' });
  expect(await storage.get('jobs', 'a')).toEqual({ id: 'a' });
  await storage.remove('jobs', 'a');
  expect(await storage.all('jobs')).toEqual([{ id: 'b' }]);
  await storage.clear('jobs');
  expect([await storage.all('jobs'), await storage.all('files')]).toEqual([[], [{ id: 'a' }]]);
});

it('finds and removes records by the beginning of their ids, in order', async () => {
  const storage = new BrowserStorage();
  for (const id of ['b.2', 'b.1', 'a.1', 'bb']) await storage.put('parts', { id });
  expect(await storage.withPrefix('parts', 'b.')).toEqual([{ id: 'b.1' }, { id: 'b.2' }]);
  await storage.removeWithPrefix('parts', 'b.');
  expect((await storage.all('parts')).map(({ id }) => id).sort()).toEqual(['a.1', 'bb']);
});

it('makes ids that differ, without a secure context', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(new Set(ids).size).toBe(100);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
});
