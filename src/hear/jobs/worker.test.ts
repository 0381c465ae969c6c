import { pino } from 'pino';
import { expect, it } from 'vitest';
import { OpenGate, ScriptedModels } from '../../../test/fixtures/transcription-app.ts';
import { HearsayError } from '../../errors.ts';
import { Drain } from '../../scheduling/drain.ts';
import { newJob } from './job.ts';
import type { JobLease, JobQueue, JobResponse } from './queue.ts';
import { JobWorker } from './worker.ts';

/** Waits of hours pass at once. */
const skipTime: ConstructorParameters<typeof JobWorker>[3] = async (_ms, _value, { signal }) => {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
};

const log = pino({ level: 'silent' });
const full = new HearsayError('storage_full', 'The disk is full: the response of the job was not saved.');

/** Works on one job whose response cannot be saved. @returns how the lease ended */
async function work(complete: (response: JobResponse, attempt: number, cancel: () => void) => Promise<void>) {
  const controller = new AbortController();
  const stop = new AbortController();
  const transcription = { task: 'transcribe', maxAudioSeconds: 100 } as const;
  const job = newJob({ transcription, format: 'text', words: false, logprobs: false, isExtended: false }, 1);
  let attempts = 0;
  const end = await new Promise<string>((resolve) => {
    const lease: JobLease = {
      job,
      path: import.meta.filename,
      signal: controller.signal,
      progress: () => {},
      suspect: async () => {},
      complete: (response) => complete(response, ++attempts, () => controller.abort()).then(() => resolve('complete')),
      fail: async ({ code }) => resolve(`fail ${code}`),
      release: async () => resolve('release'),
    };
    const leases = [lease];
    const take = (signal: AbortSignal) => {
      const next = leases.shift();
      if (next) return Promise.resolve(next);
      return new Promise<JobLease>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const context = {
      models: new ScriptedModels(),
      gate: new OpenGate(),
      drain: new Drain(),
      speakers: { name: async () => undefined, files: async () => undefined },
      onTranscribed: () => {},
    };
    void new JobWorker({ take } as JobQueue, context, log, skipTime).run(stop.signal);
  });
  stop.abort();
  return { end, attempts };
}

it('saves a response as soon as the disk has room, however long that takes', async () => {
  const complete = async (_: JobResponse, attempt: number) => {
    if (attempt < 100) throw full;
  };
  expect(await work(complete)).toEqual({ end: 'complete', attempts: 100 });
});

it('gives a job back that is cancelled while the disk is full', async () => {
  const complete = async (_: JobResponse, attempt: number, cancel: () => void) => {
    if (attempt === 20) cancel();
    throw full;
  };
  expect(await work(complete)).toEqual({ end: 'release', attempts: 20 });
});
