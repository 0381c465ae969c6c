import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserStorage } from '../shared/storage.ts';
import { type Job, Jobs } from './jobs.ts';
import { PcmRecording } from './pcm-recording.ts';

const settings = { task: 'transcriptions', language: '', names: '' } as const;
const samples = () => new Int16Array(5 * 24_000);

describe('Jobs', () => {
  let storage: BrowserStorage;
  beforeEach(() => {
    // Of pages that are closed no locks are left.
    vi.stubGlobal('navigator', { locks: { request: async () => {}, query: async () => ({ held: [] }) } });
    storage = new BrowserStorage();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** The jobs as another page reads them: it shares no objects with the one that stored them. */
  async function reloaded(): Promise<Jobs> {
    for (const job of await storage.all<Job>('jobs')) await storage.put('jobs', { ...job });
    const jobs = new Jobs(storage, { onChange: () => {} });
    await jobs.load();
    return jobs;
  }

  it('makes a file of a recording whose page was closed', async () => {
    const job = new Jobs(storage, { onChange: () => {} }).addRecording('talk.wav', settings);
    new PcmRecording(storage, job.fileId).push(samples());
    const jobs = await reloaded();
    expect(jobs.all).toMatchObject([{ name: 'talk.wav', state: 'new' }]);
    expect((await jobs.file(jobs.all[0]!))?.size).toBe(44 + 10 * 24_000);
    expect(await storage.all('parts')).toEqual([]);
  });

  it('keeps a recording whose page was closed while its last words were awaited', async () => {
    const before = new Jobs(storage, { onChange: () => {} });
    const job = before.addRecording('talk.wav', settings);
    const recording = new PcmRecording(storage, job.fileId);
    recording.push(samples());
    await before.setFile(job, recording.file(job.name));
    const jobs = await reloaded();
    expect(jobs.all).toMatchObject([{ name: 'talk.wav', state: 'new' }]);
    expect((await jobs.file(jobs.all[0]!))?.size).toBe(44 + 10 * 24_000);
  });

  it('removed a recording that could not be read at the moment', async () => {
    const job = new Jobs(storage, { onChange: () => {} }).addRecording('talk.wav', settings);
    new PcmRecording(storage, job.fileId).push(samples());
    vi.spyOn(storage, 'withPrefix').mockRejectedValueOnce(new DOMException('The disk fails.', 'UnknownError'));
    expect((await reloaded()).all).toMatchObject([{ name: 'talk.wav', state: 'recording' }]);
    const jobs = await reloaded();
    expect(jobs.all).toMatchObject([{ name: 'talk.wav', state: 'new' }]);
    expect((await jobs.file(jobs.all[0]!))?.size).toBe(44 + 10 * 24_000);
  });

  it('removes a recording of which nothing was stored', async () => {
    new Jobs(storage, { onChange: () => {} }).addRecording('talk.wav', settings);
    expect((await reloaded()).all).toEqual([]);
    expect(await storage.all('jobs')).toEqual([]);
  });

  it('keeps a file that a job of another tab shares', async () => {
    const here = new Jobs(storage, { onChange: () => {} });
    const [job] = here.add([new File(['audio'], 'talk.wav')]);
    const elsewhere = await reloaded();
    elsewhere.again(elsewhere.all[0]!);
    await here.remove(job!);
    const jobs = await reloaded();
    expect(jobs.all).toHaveLength(1);
    expect((await jobs.file(jobs.all[0]!))?.size).toBe(5);
    await jobs.remove(jobs.all[0]!);
    expect(await storage.all('files')).toEqual([]);
  });
});
