import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createJobs } from './create.ts';
import type { WorkerContext } from './worker.ts';

it('names the variable of a server that cannot be reached, and not the password', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const jobs = createJobs(readConfig({ JOBS_URL: 'nats://me:secret@127.0.0.1:1' }), tmpdir(), log);
  await jobs.start({} as WorkerContext);
  await jobs.close();
  expect(lines).toEqual(['Background jobs are unavailable for now: JOBS_URL: connection refused']);
});
