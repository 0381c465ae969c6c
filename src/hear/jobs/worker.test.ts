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

interface Work {
  drain?: Drain;
  models?: ScriptedModels;
  sleep?: typeof skipTime;
}

/** Works on one job whose response cannot be saved. @returns how the lease ended */
async function work(
  complete: (response: JobResponse, attempt: number, cancel: () => void) => Promise<void>,
  { drain = new Drain(), models = new ScriptedModels(), sleep = skipTime }: Work = {},
) {
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
      models,
      gate: new OpenGate(),
      drain,
      speakers: { name: async () => undefined, files: async () => undefined },
      onTranscribed: () => {},
    };
    void new JobWorker({ take } as JobQueue, context, log, sleep).run(stop.signal);
  });
  // As at the end of the service, which stops the worker once nothing is in flight.
  drain.start();
  await drain.idle();
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

/** A wait that only its signal ends. */
const waitForever: typeof skipTime = async (_ms, _value, { signal }) => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  signal.throwIfAborted();
};

it('gives a job back whose disk is still full when the service drains: it waited until the end of the shutdown', async () => {
  const drain = new Drain();
  const complete = async (_: JobResponse, attempt: number) => {
    if (attempt === 1) setImmediate(() => drain.start());
    throw full;
  };
  expect(await work(complete, { drain, sleep: waitForever })).toEqual({ end: 'release', attempts: 2 });
});

it('saves a response for which the disk has room when the service drains', async () => {
  const drain = new Drain();
  const complete = async (_: JobResponse, attempt: number) => {
    if (attempt === 1) setImmediate(() => drain.start());
    if (attempt === 1) throw full;
  };
  expect(await work(complete, { drain, sleep: waitForever })).toEqual({ end: 'complete', attempts: 2 });
});

it('is not in flight while it waits after a job that could not run: a shutdown waited, too', async () => {
  const models = new ScriptedModels();
  models.use = async () => {
    throw new HearsayError('model_unavailable', 'The model could not be loaded.');
  };
  expect(await work(async () => {}, { models, sleep: waitForever })).toMatchObject({ end: 'release' });
});
