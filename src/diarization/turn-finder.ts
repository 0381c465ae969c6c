import { Worker } from 'node:worker_threads';
import type { SpeakerTurn, VoiceSample } from '../contracts/speakers.ts';
import { abortable } from '../scheduling/abortable.ts';
import { findTurns } from './cluster.ts';

/** A minute of speech. More is processed in a separate thread, since hours of speech take seconds. */
const MAX_AT_ONCE = 80;

/** The input of the thread. */
export interface TurnsTask {
  samples: readonly VoiceSample[];
  options: NonNullable<Parameters<typeof findTurns>[1]>;
}

/**
 * Like `findTurns`, without blocking this thread.
 * @throws the reason of `signal`; whatever `findTurns` throws
 */
export async function findTurnsApart(task: TurnsTask, signal: AbortSignal): Promise<SpeakerTurn[]> {
  signal.throwIfAborted();
  if (task.samples.length <= MAX_AT_ONCE) return findTurns(task.samples, task.options);
  const thread = new Worker(new URL('./turns-thread.js', import.meta.url), { workerData: task, env: {} });
  const found = new Promise<SpeakerTurn[]>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    thread.once('exit', () => reject(new Error('The thread that finds turns ended.')));
  });
  try {
    return await abortable(found, signal);
  } finally {
    void thread.terminate();
  }
}
