import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { HearsayError } from '../../errors.ts';
import { toHearsayError } from '../../http/errors.ts';
import type { HearContext } from '../context.ts';
import { transcribe } from '../transcribe.ts';
import { renderTranscript } from '../transcript/response.ts';
import type { JobLease, JobQueue } from './queue.ts';

/** Milliseconds before the first retry after a temporary failure, doubled for each further one. */
const MIN_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;
const MODEL_POLL_MS = 200;

/** Failures of the service, not of the job: it goes back to the queue. */
const passing = new Set([
  'queue_full',
  'queue_timeout',
  'model_warming',
  'model_failed',
  'model_unavailable',
  'draining',
  'jobs_unavailable',
]);

/** Reasons why an outcome cannot be saved for now. */
const savedLater = new Set(['jobs_unavailable', 'storage_full']);

interface SaveOptions {
  signal: AbortSignal;
  log: FastifyBaseLogger;
}

export type WorkerContext = Pick<HearContext, 'models' | 'speakers' | 'gate' | 'drain' | 'onTranscribed'>;

/** Rejects when the signal aborts. */
type Sleep = (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<void>;

/** Takes jobs from the queue and runs them, one at a time. */
export class JobWorker {
  readonly #queue: JobQueue;
  readonly #context: WorkerContext;
  readonly #log: FastifyBaseLogger;
  readonly #sleep: Sleep;
  #delayMs = MIN_DELAY_MS;

  constructor(queue: JobQueue, context: WorkerContext, log: FastifyBaseLogger, sleep: Sleep = setTimeout) {
    this.#queue = queue;
    this.#context = context;
    this.#log = log;
    this.#sleep = sleep;
  }

  /**
   * Works until the service drains; a running job then continues.
   * @param stop returns the running job to the queue
   */
  async run(stop: AbortSignal): Promise<void> {
    const { drain } = this.#context;
    const signal = AbortSignal.any([drain.started, stop]);
    while (!signal.aborted) {
      try {
        const lease = await this.#take(signal);
        // Counts as a request in flight, so that a shutdown waits for it as long.
        const leaveDrain = signal.aborted ? undefined : drain.enter();
        try {
          if (leaveDrain) await this.#work(lease, stop);
          else await lease.release();
        } finally {
          leaveDrain?.();
        }
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error({ err: error }, 'The queue of background jobs failed');
        await this.#delay(signal);
      }
    }
  }

  async #take(signal: AbortSignal): Promise<JobLease> {
    const { gate, models } = this.#context;
    const isWaiting = () => models.active === '' || models.state === 'warming' || models.state === 'failed';
    while (isWaiting()) await this.#sleep(MODEL_POLL_MS, undefined, { signal });
    for (;;) {
      await gate.quiet(signal);
      const lease = await this.#queue.take(signal);
      if (gate.waiting === 0 || signal.aborted) return lease;
      // Waiting for a job may have taken long: requests may have arrived, and another process may be idle.
      await lease.release();
    }
  }

  async #work(lease: JobLease, stop: AbortSignal): Promise<void> {
    const { job } = lease;
    const log = this.#log.child({ job: job.id.slice(0, 12) });
    const signal = AbortSignal.any([lease.signal, stop]);
    log.debug('A background job starts');
    try {
      const transcript = await transcribe(
        this.#context,
        { ...job.transcription, path: lease.path, isBackground: true },
        {
          signal,
          log,
          isSuspect: job.isSuspect,
          beforeRetry: () => lease.suspect(),
          onSegment: ({ end }) => lease.progress(end),
        },
      );
      const response = await renderTranscript(transcript, job.format, job);
      if (!(await this.#save(() => lease.complete(response), { signal, log }))) return await lease.release();
      this.#delayMs = MIN_DELAY_MS;
      log.info('A background job succeeded');
    } catch (error) {
      if (signal.aborted) return await lease.release();
      const failure = toHearsayError(error, { id: job.id.slice(0, 12) }, log);
      if (passing.has(failure.code)) {
        log.warn({ code: failure.code }, 'A background job could not run yet and was queued again');
        await lease.release();
        return await this.#delay(AbortSignal.any([this.#context.drain.started, stop]));
      }
      log.info({ code: failure.code }, 'A background job failed');
      const isSaved = await this.#save(() => lease.fail(failure), { signal, log }).catch(() => false);
      if (!isSaved) await lease.release();
    }
  }

  /**
   * Saves an outcome, with retries while the disk is full or the queue is unreachable.
   * @returns whether it was saved; when the service drains, a full disk gets one more attempt
   * @throws what `save` throws
   */
  async #save(save: () => Promise<void>, { signal, log }: SaveOptions): Promise<boolean> {
    const { drain } = this.#context;
    for (let attempt = 1; ; attempt++) {
      const isDraining = drain.isDraining;
      try {
        await save();
        return true;
      } catch (error) {
        if (!(error instanceof HearsayError) || !savedLater.has(error.code)) throw error;
        const isFull = error.code === 'storage_full';
        if (isFull && isDraining) return false;
        log.warn(`${error.message} Trying again`);
        const wake = isFull ? AbortSignal.any([signal, drain.started]) : signal;
        const ms = Math.min(MIN_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
        await this.#sleep(ms, undefined, { signal: wake }).catch(() => signal.throwIfAborted());
      }
    }
  }

  async #delay(signal: AbortSignal): Promise<void> {
    const ms = this.#delayMs;
    this.#delayMs = Math.min(2 * ms, MAX_DELAY_MS);
    await this.#sleep(ms, undefined, { signal }).catch(() => {});
  }
}
