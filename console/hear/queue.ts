import { ApiError } from '../shared/api.ts';
import { byteSize, spokenLength } from '../shared/format.ts';
import { delay, isLocked, isUnreachable, retryDelay, waitingText } from '../shared/retry.ts';
import { nextTask } from '../shared/slices.ts';
import type { Job, JobSettings, Jobs } from './jobs.ts';
import { namesFor } from './names.ts';
import { partialTranscript, type Transcript } from './transcript.ts';
import { type Delta, transcribe } from './upload.ts';

/** How often a service that does not respond is asked again. */
const UNREACHABLE_RETRY_MS = 2000;
/** How often a recording is resent after the connection broke, which it may have caused. */
const MAX_RESENT = 1;
/** How often the text so far is stored, in case the page is closed. */
const KEEP_INTERVAL_MS = 3000;

/** Progress of the running job. */
export interface Progress {
  phase: 'sending' | 'uploading' | 'waiting' | 'transcribing' | 'retrying';
  /** Bytes sent or seconds transcribed, and of how many, if known. */
  done: number;
  total?: number;
  /** Why it is not sent yet, if it is tried again. */
  reason?: string;
}

export interface QueueEvents {
  /** Called when the job starts, or starts over. */
  onStart: (job: Job) => void;
  onProgress: (job: Job) => void;
  onDelta: (job: Job, delta: Delta) => void;
  /** Called when the job has ended, with the transcript so far. */
  onEnd: (job: Job, transcript: Transcript | undefined, error: unknown) => void;
}

/** Transcribes jobs one after the other: the service would only queue them. */
export class Queue {
  readonly #jobs: Jobs;
  readonly #events: QueueEvents;
  readonly #waiting: Job[] = [];
  #running: { job: Job; controller: AbortController; heard: Delta[]; progress: Progress } | undefined;

  constructor(jobs: Jobs, events: QueueEvents) {
    this.#jobs = jobs;
    this.#events = events;
  }

  /** The running job. */
  get running(): Job | undefined {
    return this.#running?.job;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** How far a job is; undefined unless it runs. */
  progressOf(job: Job): Progress | undefined {
    return this.#running?.job === job ? this.#running.progress : undefined;
  }

  /** Segments of the running job so far. */
  heardOf(job: Job): readonly Delta[] {
    return this.#running?.job === job ? this.#running.heard : [];
  }

  add(job: Job, settings: JobSettings): void {
    this.#waiting.push(job);
    this.#jobs.update(job, { state: 'waiting', settings });
    if (!this.#running) void this.#run();
  }

  /** Stops the job if it runs, and removes it from the queue. The transcript so far stays. */
  stop(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
      this.#jobs.update(job, { state: 'new' });
    }
    if (this.#running?.job === job) this.#running.controller.abort();
  }

  async #run(): Promise<void> {
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
      this.#running = {
        job,
        controller: new AbortController(),
        heard: [],
        progress: { phase: 'sending', done: 0 },
      };
      this.#jobs.update(job, { state: 'running' });
      await this.#transcribe(job);
    }
  }

  async #transcribe(job: Job): Promise<void> {
    const { controller, heard } = this.#running!;
    const { signal } = controller;
    const task = job.settings!.task === 'translations' ? 'translate' : 'transcribe';
    let kept = 0;
    const keeper = setInterval(() => {
      if (heard.length === kept) return;
      kept = heard.length;
      const transcript = part(task, heard);
      void this.#jobs.setTranscript(job, transcript);
      this.#jobs.update(job, { summary: `Stopped after ${spokenLength(transcript.duration)}.` });
    }, KEEP_INTERVAL_MS);
    let transcript: Transcript | undefined;
    let failure: unknown;
    try {
      transcript = await this.#whenReady(job, signal);
    } catch (error) {
      failure = error;
      if (heard.length > 0) transcript = part(task, heard);
    }
    clearInterval(keeper);
    // Reading the end of a long transcript, storing it and showing it are separate tasks.
    await nextTask();
    if (transcript) await this.#jobs.setTranscript(job, transcript);
    this.#running = undefined;
    this.#events.onEnd(job, transcript, failure);
    // The user gives no key now: do not ask again for each.
    if (isLocked(failure)) for (const waiting of [...this.#waiting]) this.stop(waiting);
  }

  /** Waits while the service is not ready, is busy or does not respond. */
  async #whenReady(job: Job, signal: AbortSignal): Promise<Transcript> {
    const file = await this.#jobs.file(job);
    if (!file) throw new ApiError(0, 'This browser no longer has the recording.');
    const { task, language, names, speakers } = job.settings!;
    const { prompt, keywords } = namesFor(task, names);
    const running = this.#running!;
    let resent = 0;
    for (;;) {
      running.heard.length = 0;
      this.#events.onStart(job);
      this.#show(job, { phase: 'sending', done: 0 });
      try {
        return await transcribe({
          task,
          file,
          fileName: job.name,
          fields: { language, prompt, 'keywords[]': keywords, speakers: speakers ? 'true' : '' },
          signal,
          onProgress: (sent, total) =>
            this.#show(job, sent < total ? { phase: 'uploading', done: sent, total } : { phase: 'waiting', done: 0 }),
          onAccepted: () => this.#show(job, { phase: 'transcribing', done: 0 }),
          onDelta: (delta) => {
            running.heard.push(delta);
            running.progress = { phase: 'transcribing', done: delta.end };
            this.#events.onDelta(job, delta);
          },
        });
      } catch (error) {
        const isLost = isUnreachable(error);
        if (isLost && running.progress.phase !== 'sending' && ++resent > MAX_RESENT) throw error;
        const wait = retryDelay(error) ?? (isLost ? UNREACHABLE_RETRY_MS : undefined);
        if (wait === undefined) throw error;
        this.#show(job, { phase: 'retrying', done: 0, reason: waitingText(error) });
        await delay(wait, signal);
      }
    }
  }

  #show(job: Job, progress: Progress): void {
    if (this.#running?.job !== job) return;
    this.#running.progress = progress;
    this.#events.onProgress(job);
  }
}

function part(task: Transcript['task'], heard: readonly Delta[]): Transcript {
  return partialTranscript(
    task,
    heard.map(({ delta, start, end }) => ({ text: delta, start, end })),
  );
}

/** Progress in words, and the share that is done, if it is known. */
export function progressText(
  { phase, done, total, reason = '' }: Progress,
  service: { state: string; waiting: number },
): { text: string; share?: number } {
  switch (phase) {
    case 'sending':
      return { text: 'Sending…' };
    case 'uploading':
      return { text: `Uploading: ${Math.floor((100 * done) / total!)} % of ${byteSize(total!)}`, share: done / total! };
    case 'retrying':
      return { text: reason };
    case 'waiting':
      if (service.state === 'warming') return { text: 'Waiting: the model is being reloaded…' };
      if (service.state === 'unreachable') return { text: 'Waiting: the service does not respond…' };
      return { text: service.waiting > 0 ? 'Waiting in the queue…' : 'Transcribing…' };
    case 'transcribing':
      return { text: 'Transcribing…' };
  }
}
