import { setMaxListeners } from 'node:events';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { lowerPriority } from '../scheduling/priority.ts';
import { ALIVE_INTERVAL_MS, EVENT_WINDOW, type FromEngine, type ToEngine } from './protocol.ts';
import { toWireError } from './wire-error.ts';

/** How much lower the engine's priority is than that of its parent: a third of the computing time, where both want it. */
const NICENESS = 5;

/** A loaded model that runs jobs, several at once where they are given so. */
export interface Engine<Job, Event, Info> {
  info: Info;
  /**
   * Runs one job. When `signal` aborts, the engine stops work at its next chance; ending normally or throwing is the
   * same then, nobody listens. A HearsayError reaches the client, any other error only the log.
   */
  run(job: Job, signal: AbortSignal): AsyncIterable<Event>;
}

interface RunningJob {
  readonly controller: AbortController;
  /** Events that may still be sent before the consumer has taken some. */
  room: number;
  /** Ends the wait for room. */
  wake: () => void;
}

/**
 * Serves an engine over the IPC channel of this forked process. Never returns: the process ends by SIGKILL when the
 * parent ends it or is gone, when `load` fails (after saying so), or upon an uncaught exception.
 */
export async function serveEngine<Job, Event, Info>(load: () => Promise<Engine<Job, Event, Info>>): Promise<void> {
  if (!process.send) throw new Error('An engine is run by its service, as a forked child.');
  // A terminal sends these to the whole group; when the engine ends is for the parent to say.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', endNow);
  process.on('uncaughtException', (error) => {
    // Writing to a pipe is synchronous on POSIX systems, so the line is out before the end.
    process.stderr.write(`${inspect(error)}\n`);
    endNow();
  });
  if (!process.connected) endNow();
  // The parent has little to do and answers /health; this process computes without end.
  lowerPriority(NICENESS);
  watchParent();
  signalLife();

  let engine: Engine<Job, Event, Info>;
  try {
    engine = await load();
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    const failure = { kind: 'failed', error: toWireError(error) } as const;
    await new Promise<void>((sent) => send(failure, sent));
    return endNow();
  }

  const running = new Map<number, RunningJob>();
  process.on('message', (message: ToEngine<Job>) => {
    switch (message.kind) {
      case 'run': {
        const job: RunningJob = { controller: new AbortController(), room: EVENT_WINDOW, wake: () => {} };
        // All windows of a recording that are under way listen to it, which Node.js takes for a leak.
        setMaxListeners(0, job.controller.signal);
        running.set(message.id, job);
        void perform(engine, message.id, message.job, job).finally(() => running.delete(message.id));
        break;
      }
      case 'cancel': {
        const job = running.get(message.id);
        job?.controller.abort();
        job?.wake();
        break;
      }
      case 'taken': {
        const job = running.get(message.id);
        if (!job) break;
        job.room += message.count;
        job.wake();
        break;
      }
    }
  });
  send({ kind: 'ready', info: engine.info });
  await new Promise<never>(() => {});
}

/**
 * Sends the events of a turn of the event loop as one message: each wakes the parent, which may well take the core from
 * this process.
 */
async function perform<Job, Event, Info>(
  engine: Engine<Job, Event, Info>,
  id: number,
  job: Job,
  state: RunningJob,
): Promise<void> {
  const { signal } = state.controller;
  let events: Event[] = [];
  const taken = () => {
    const unsent = events;
    events = [];
    return unsent;
  };
  let failure: unknown;
  const flush = () => {
    try {
      if (events.length > 0) send({ kind: 'events', id, events: taken() });
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
      state.room -= 1;
      while (state.room <= 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          state.wake = resolve;
        });
      }
    }
    if (failure) throw failure;
    send({ kind: 'done', id, events: taken() });
  } catch (error) {
    flush();
    send({ kind: 'error', id, error: toWireError(failure ?? error) });
  }
}

/**
 * Throws where the message cannot be serialized. That the channel is gone or broken is an error which nobody catches: it
 * ends the process.
 */
function send<Event, Info>(message: FromEngine<Event, Info>, onSent?: () => void): void {
  process.send!(message, undefined, undefined, (error) => {
    if (error) throw error;
    onSent?.();
  });
}

function signalLife(): void {
  let underWay = false;
  setInterval(() => {
    if (underWay) return;
    underWay = true;
    process.send!({ kind: 'alive' }, undefined, undefined, () => {
      underWay = false;
    });
  }, ALIVE_INTERVAL_MS);
}

/**
 * The `disconnect` event needs an event loop that turns. A thread of its own also finds the parent gone while this one
 * is deep in a native call, or will never come back from it.
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

/** Exiting while a native run is on a worker thread aborts noisily; this way there is nothing left to run. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}
