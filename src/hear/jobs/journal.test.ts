import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeJobQueue, enqueueJob, jobLimits } from '../../../test/fixtures/job-queue-contract.ts';
import { HearsayError } from '../../errors.ts';
import { MAX_STARTS } from './job.ts';
import { JobFiles } from './job-files.ts';
import { Journal } from './journal.ts';
import { nextCallback } from './queue.ts';

const log = pino({ level: 'silent' });
const never = new AbortController().signal;
let parent: string;
let folder: string;
let runs = 0;
const nextFolder = () => {
  folder = join(parent, String(++runs));
};
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'journal-'));
  nextFolder();
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const open = (limits = jobLimits) => Journal.open({ ...limits, folder, log });

describeJobQueue('Journal', {
  open,
  reset: async () => nextFolder(),
  folder: () => folder,
  // Only the lock distinguishes a closed journal from that of a killed process: its files are the same.
  kill: (queue) => queue.close(),
});

/** A journal with one waiting job, closed. */
async function closedJournal(): Promise<string> {
  nextFolder();
  const journal = await open();
  const { id } = await enqueueJob(journal, folder);
  await journal.close();
  return id;
}

afterEach(() => void vi.useRealTimers());

describe('a callback that waits for its next attempt', () => {
  const YEAR_MS = 365 * 24 * 3600 * 1000;

  /** A journal with a finished job, whose callback has failed once. */
  async function waiting(dueIn: number): Promise<Journal> {
    nextFolder();
    const journal = await open();
    await enqueueJob(journal, folder, { callbackUrl: 'https://receiver.example/jobs' });
    await (await journal.take(never)).complete({ contentType: 'text/plain', body: 'said' });
    await (await journal.takeCallback(never)).failed('The answer was 500.', Date.now() + dueIn);
    return journal;
  }

  it('is not delayed if the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const journal = await waiting(300);
    const next = journal.takeCallback(AbortSignal.timeout(20_000));
    vi.setSystemTime(Date.now() - YEAR_MS);
    // Any change makes the queue look again.
    await enqueueJob(journal, folder);
    expect((await next).job.callback).toMatchObject({ attempts: 1 });
    await journal.close();
  });

  it('is delivered within hours of a start with a clock that was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const journal = await waiting(1000);
    await journal.close();
    vi.setSystemTime(Date.now() - YEAR_MS);
    const again = await open();
    const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.json'));
    const { waitMs } = nextCallback([(await again.get(name.replace('.json', '')))!]);
    await again.close();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(6 * 3600 * 1000);
  });
});

describe('the files of a journal', () => {
  it('belong to one process at a time', async () => {
    nextFolder();
    const journal = await open();
    await expect(open()).rejects.toThrow('in use by another process');
    await journal.close();
    await (await open()).close();
  });

  it('of a job without a record are removed, because the client got no response', async () => {
    const id = await closedJournal();
    for (const name of ['hearsay-upload-1', 'job_0.upload', 'job_0.response', `${id}.json.1.part`, 'lock-0']) {
      await writeFile(join(folder, name), 'left by a crash');
    }
    const journal = await open();
    expect((await readdir(folder)).sort()).toEqual([`${id}.json`, `${id}.upload`, 'lock']);
    await journal.close();
  });

  it('that the service did not create stay in place', async () => {
    const id = await closedJournal();
    await mkdir(join(folder, 'lost+found'));
    await writeFile(join(folder, 'notes.txt'), 'not of the service');
    const journal = await open();
    expect(await journal.get(id)).toMatchObject({ status: 'queued' });
    expect((await readdir(folder)).sort()).toEqual([`${id}.json`, `${id}.upload`, 'lock', 'lost+found', 'notes.txt']);
    await journal.close();
  });

  it('that are folders stay as they are, and cost no job anything', async () => {
    const id = await closedJournal();
    const folders = [`${id.replace(/^job_./, 'job_x')}.json`, 'job_0.upload', 'hearsay-upload-1'];
    for (const name of folders) await mkdir(join(folder, name));
    const journal = await open();
    expect((await journal.take(never)).job.id).toBe(id);
    expect(folders.every((name) => existsSync(join(folder, name)))).toBe(true);
    await journal.close();
  });

  it('leave no timer and no lock if they cannot be read', async () => {
    const id = await closedJournal();
    await writeFile(join(folder, `${id}.json`), 'damaged');
    // Its record cannot be set aside.
    await mkdir(join(folder, `${id}.damaged`));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await expect(open()).rejects.toThrow('EISDIR');
    expect(vi.getTimerCount()).toBe(0);
    await rm(join(folder, `${id}.damaged`), { recursive: true });
    await (await open()).close();
  });

  it('mark a job as cancelled if its record did not fit on the disk', async () => {
    const id = await closedJournal();
    await rename(join(folder, `${id}.upload`), join(folder, `${id}.cancelled`));
    const journal = await open();
    expect(await journal.get(id)).toMatchObject({ status: 'cancelled' });
    expect(await journal.remove(id)).toBe(true);
    expect(await readdir(folder)).toEqual(['lock']);
    await journal.close();
  });

  it('with a truncated record cost no other job anything, and are kept for the operator', async () => {
    const id = await closedJournal();
    const first = await open();
    const other = await enqueueJob(first, folder);
    await first.close();
    const record = join(folder, `${id}.json`);
    await truncate(record, (await readFile(record)).length - 7);
    const journal = await open();
    expect(await journal.get(id)).toBeUndefined();
    expect((await journal.take(never)).job.id).toBe(other.id);
    expect([existsSync(join(folder, `${id}.damaged`)), existsSync(join(folder, `${id}.upload`))]).toEqual([true, true]);
    await journal.close();
  });

  it.each(['', 'null', '[]', '{}', '{"version":2}', '\0'.repeat(300)])('survive the record %j', async (content) => {
    const id = await closedJournal();
    await writeFile(join(folder, `${id}.json`), content);
    const journal = await open();
    expect(await journal.get(id)).toBeUndefined();
    await journal.close();
  });

  it('without the whole recording fail the job', async () => {
    const id = await closedJournal();
    await truncate(join(folder, `${id}.upload`), 3);
    const journal = await open();
    expect(await journal.get(id)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
    expect(journal.counts.queued).toBe(0);
    await journal.close();
  });

  it('fail a job during which the process has ended too often', async () => {
    const id = await closedJournal();
    for (let start = 1; start <= MAX_STARTS; start++) {
      const journal = await open();
      expect((await journal.take(never)).job.starts).toBe(start);
      await journal.close();
    }
    const journal = await open();
    expect(await journal.get(id)).toMatchObject({ status: 'failed', error: { code: 'engine_failed' } });
    expect((await readdir(folder)).sort()).toEqual([`${id}.json`, 'lock']);
    await journal.close();
  });

  it('have no recording once a job has ended or is cancelled', async () => {
    nextFolder();
    const journal = await open();
    await enqueueJob(journal, folder);
    await (await journal.take(never)).complete({ contentType: 'text/plain', body: 'said' });
    const { id } = await enqueueJob(journal, folder);
    await journal.cancel(id);
    expect((await readdir(folder)).filter((name) => name.endsWith('upload'))).toEqual([]);
    await journal.close();
  });
});

it('a job that is given back while the disk is full goes to a waiting worker, and starts over', async () => {
  nextFolder();
  const journal = await open();
  const { id } = await enqueueJob(journal, folder);
  const lease = await journal.take(never);
  lease.progress(5);
  const waiting = new AbortController();
  const next = journal.take(waiting.signal);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  const write = vi.spyOn(JobFiles.prototype, 'write').mockRejectedValue(full);
  const timer = setTimeout(() => waiting.abort(new Error('No worker got the job')), 2000);
  try {
    await lease.release();
    expect((await next).job.id).toBe(id);
    expect((await journal.get(id))?.progress).toBeUndefined();
  } finally {
    clearTimeout(timer);
    write.mockRestore();
    await journal.close();
  }
});

it('a job whose outcome cannot be written ran for ever: it is done again when the disk is writable', async () => {
  nextFolder();
  const journal = await open();
  const { id } = await enqueueJob(journal, folder);
  const lease = await journal.take(never);
  const readOnly = Object.assign(new Error('read-only file system'), { code: 'EROFS', syscall: 'open' });
  const write = vi.spyOn(JobFiles.prototype, 'write').mockRejectedValue(readOnly);
  try {
    await expect(lease.fail(new HearsayError('internal_error', 'It failed.'))).rejects.toThrow(readOnly);
    await lease.release();
    expect(await journal.get(id)).toMatchObject({ status: 'queued' });
    await expect(journal.take(never)).rejects.toThrow(readOnly);
    write.mockRestore();
    expect((await journal.take(never)).job).toMatchObject({ id, status: 'running' });
  } finally {
    write.mockRestore();
    await journal.close();
  }
});

it('a job is not lost if its recording cannot be examined for now', async () => {
  const id = await closedJournal();
  const upload = join(folder, `${id}.upload`);
  await rename(upload, join(parent, id));
  // A link to itself: any error but a missing file.
  await symlink(upload, upload);
  await expect(open()).rejects.toThrow('ELOOP');
  await rename(join(parent, id), upload);
  const journal = await open();
  expect(await journal.get(id)).toMatchObject({ status: 'queued' });
  await journal.close();
});
