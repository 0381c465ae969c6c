import type { JsMsg } from '@nats-io/jetstream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { HearsayError } from '../../errors.ts';
import { newJob, type StoredJob, started } from './job.ts';
import { NatsLease } from './nats-lease.ts';
import type { NatsRecords } from './nats-records.ts';
import { type NatsStore, responseName, uploadName } from './nats-store.ts';

/** A running job on a server that can be unreachable, and the lease of its worker. */
function runningJob() {
  const request = {
    transcription: { task: 'transcribe' as const, maxAudioSeconds: 60 },
    format: 'json' as const,
    words: false,
    logprobs: false,
    isExtended: false,
    callbackUrl: 'https://receiver.example/',
  };
  const job = { ...started(newJob(request, 1000)), worker: 'this one' };
  const server = {
    isReachable: true,
    /** Whether the connection breaks once the record has changed. */
    breaks: undefined as 'before the answer' | 'after the answer' | undefined,
    job: job as StoredJob,
    files: new Set([uploadName(job)]),
    callbacks: 0,
    acknowledged: 0,
  };
  const reach = async <T>(work: () => T): Promise<T> => {
    if (!server.isReachable) throw new Error('The connection is lost');
    return work();
  };
  const change = (change: (job: StoredJob) => StoredJob | undefined) =>
    reach(() => {
      const after = change(server.job);
      if (!after) return undefined;
      server.job = after;
      server.isReachable = server.breaks === undefined;
      if (server.breaks === 'before the answer') throw new Error('The connection is lost');
      return after;
    });
  const records = {
    watch: () => () => {},
    get: () => reach(() => server.job),
    change: (_id: string, work: (job: StoredJob) => StoredJob | undefined) => change(work),
  };
  const store = {
    files: { putBlob: ({ name }: { name: string }) => reach(() => server.files.add(name)) },
    js: { publish: () => reach(() => server.callbacks++) },
    subjects: { jobs: 'jobs', callbacks: 'callbacks' },
    deleteFile: (name: string) => reach(() => void server.files.delete(name)),
  };
  const message = { working: () => {}, nak: () => {}, ack: () => void server.acknowledged++ };
  const lease = new NatsLease(
    job,
    message as unknown as JsMsg,
    store as unknown as NatsStore,
    records as unknown as NatsRecords,
    { temporaryDir: '/nowhere', ackWaitMs: 60_000, log: pino({ level: 'silent' }) },
  );
  return { server, lease };
}

const transcript = { contentType: 'application/json', body: '{"text":"Hello."}' };

describe.each(['before the answer', 'after the answer'] as const)(
  'an outcome is recorded and the connection breaks %s',
  (breaks) => {
    it('keeps the response, and ends the job with the next attempt', async () => {
      const { server, lease } = runningJob();
      server.breaks = breaks;
      await expect(lease.complete(transcript)).rejects.toMatchObject({ code: 'jobs_unavailable' });
      expect(server.job.status).toBe('succeeded');
      expect(server.acknowledged).toBe(0);

      server.isReachable = true;
      await lease.complete(transcript);
      expect([...server.files]).toEqual([responseName(server.job)]);
      expect(server.callbacks).toBe(1);
      expect(server.acknowledged).toBe(1);
    });

    it('reports the end of a failed job', async () => {
      const { server, lease } = runningJob();
      server.breaks = breaks;
      const failure = new HearsayError('invalid_audio', 'No audio.');
      await expect(lease.fail(failure)).rejects.toMatchObject({ code: 'jobs_unavailable' });

      server.isReachable = true;
      await lease.fail(failure);
      expect(server.job.status).toBe('failed');
      expect([...server.files]).toEqual([]);
      expect(server.callbacks).toBe(1);
      expect(server.acknowledged).toBe(1);
    });

    it('ends the job when the worker gives it back instead', async () => {
      const { server, lease } = runningJob();
      server.breaks = breaks;
      await expect(lease.complete(transcript)).rejects.toMatchObject({ code: 'jobs_unavailable' });

      server.isReachable = true;
      await lease.release();
      expect(server.job.status).toBe('succeeded');
      expect([...server.files]).toEqual([responseName(server.job)]);
      expect(server.callbacks).toBe(1);
      expect(server.acknowledged).toBe(1);
    });
  },
);

it('a worker that lost its job leaves no response', async () => {
  const { server, lease } = runningJob();
  server.job = { ...server.job, worker: 'another one' };
  await lease.complete(transcript);
  expect([...server.files]).toEqual([uploadName(server.job)]);
  expect(server.acknowledged).toBe(0);
});
