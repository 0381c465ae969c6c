import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { HearsayError, lineOf } from '../errors.ts';
import { lowerPriority } from '../scheduling/priority.ts';
import { ALIVE_INTERVAL_MS, type FromEngine, type ToEngine, toWireError } from './protocol.ts';

const NICENESS = 5;

/** A loaded model that runs jobs, several at once if asked to. */
export interface Engine<Job, Event, Info> {
  info: Info;
  /**
   * Runs one job. After `signal` aborts it should stop soon; its result is ignored. It also aborts when the job has ended,
   * for work that a failed job has left. Clients see only a HearsayError; any other error is only logged.
   */
  run(job: Job, signal: AbortSignal): AsyncIterable<Event>;
}

interface RunningJob {
  readonly controller: AbortController;
  /** Events that may still be sent before the consumer reads some. */
  credit: number;
  /** Ends the wait for credit. */
  wake: () => void;
}

/**
 * Serves an engine over the IPC channel of this forked process. Never returns: the process ends by SIGKILL when its
 * parent exits, when `load` fails (after reporting it), or on an uncaught exception.
 * @param options.niceness above the parent's. Default: 5, a third of its CPU time when both compete
 */
export async function serveEngine<Job, Event, Info>(
  load: () => Promise<Engine<Job, Event, Info>>,
  { niceness = NICENESS }: { niceness?: number } = {},
): Promise<void> {
  if (!process.send) throw new Error('Start the service: it runs the engine as a forked child.');
  // A terminal signals the whole group; the parent decides when the engine ends.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('disconnect', endNow);
  process.on('uncaughtException', (error) => {
    // POSIX pipes are written synchronously, so the line is out before the process ends.
    process.stderr.write(`${inspect(error)}\n`);
    endNow();
  });
  if (!process.connected) endNow();
  // Keep the HTTP process responsive while the engine computes.
  lowerPriority(niceness);
  watchParent();
  sendHeartbeats();
  offerToOutOfMemoryKiller();

  let engine: Engine<Job, Event, Info>;
  try {
    engine = await load();
  } catch (error) {
    // The parent shows the message of such an error.
    if (!(error instanceof HearsayError && error.cause === undefined)) {
      process.stderr.write(`${lineOf(error) ?? inspect(error)}\n`);
    }
    const failure = { kind: 'failed', error: toWireError(error) } as const;
    await new Promise<void>((sent) => send(failure, sent));
    return endNow();
  }

  const running = new Map<number, RunningJob>();
  process.on('message', (message: ToEngine<Job>) => {
    switch (message.kind) {
      case 'run': {
        const job: RunningJob = { controller: new AbortController(), credit: message.window, wake: () => {} };
        // Every window in flight adds a listener, which Node.js would report as a leak.
        setMaxListeners(0, job.controller.signal);
        running.set(message.id, job);
        void perform(engine, message.id, message.job, job).finally(() => {
          running.delete(message.id);
          job.controller.abort();
        });
        break;
      }
      case 'cancel': {
        const job = running.get(message.id);
        job?.controller.abort();
        job?.wake();
        break;
      }
      case 'consumed': {
        const job = running.get(message.id);
        if (!job) break;
        job.credit += message.count;
        job.wake();
        break;
      }
    }
  });
  send({ kind: 'ready', info: engine.info });
  await new Promise<never>(() => {});
}

/**
 * Runs a job, and sends the events of one event loop turn as one message: each message wakes the parent, which
 * competes for the CPU.
 */
async function perform<Job, Event, Info>(
  engine: Engine<Job, Event, Info>,
  id: number,
  job: Job,
  state: RunningJob,
): Promise<void> {
  const { signal } = state.controller;
  let events: Event[] = [];
  const takeUnsent = () => {
    const unsent = events;
    events = [];
    return unsent;
  };
  let failure: unknown;
  const flush = () => {
    try {
      if (events.length > 0) send({ kind: 'events', id, events: takeUnsent() });
    } catch (error) {
      failure = error;
      state.controller.abort(error);
      state.wake();
    }
  };
  try {
    for await (const event of engine.run(job, signal)) {
      if (signal.aborted) break;
      if (events.push(event) === 1) process.nextTick(flush);
      state.credit -= 1;
      while (state.credit <= 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          state.wake = resolve;
        });
      }
    }
    if (failure) throw failure;
    send({ kind: 'done', id, events: takeUnsent() });
  } catch (error) {
    flush();
    send({ kind: 'error', id, error: toWireError(failure ?? error) });
  }
}

/** @throws if the message cannot be serialized; a broken channel is an uncaught error that ends the process */
function send<Event, Info>(message: FromEngine<Event, Info>, onSent?: () => void): void {
  process.send!(message, undefined, undefined, (error) => {
    if (error) throw error;
    onSent?.();
  });
}

function sendHeartbeats(): void {
  let inFlight = false;
  setInterval(() => {
    if (inFlight) return;
    inFlight = true;
    process.send!({ kind: 'alive' }, undefined, undefined, () => {
      inFlight = false;
    });
  }, ALIVE_INTERVAL_MS);
}

/** Makes Linux kill this process first if memory runs out, rather than its parent, which can start another one. */
function offerToOutOfMemoryKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not supported outside Linux.
  }
}

/**
 * Ends the process when its parent exits. Runs in a thread, because a native call may delay `disconnect` events for
 * long.
 */
function watchParent(): void {
  const code = `
    const { workerData: parent } = require('node:worker_threads');
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${ALIVE_INTERVAL_MS});
  `;
  new Worker(code, {
    eval: true,
    workerData: process.ppid,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  }).unref();
}

/** SIGKILL, because exiting during a native run on a worker thread aborts noisily. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}
