import type {
  Segment,
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  WindowLimits,
} from '../../contracts/transcription.ts';
import type { ComputeType } from '../../ort/graph/linear.ts';
import { WorkerPool } from '../../scheduling/pool.ts';
import { compileMoonshine } from './graph/compile.ts';

/** Shorter windows cost accuracy, and so do longer ones (docs/decisions/0003-windows.md). */
export const windowLimits: WindowLimits = { longest: 28, enoughSpeech: 10, longPause: 1.5 };

/** A second of silence, to run once before anybody waits. */
const WARM_UP: SpeechWindow = {
  start: 0,
  end: 16_000,
  samples: new Float32Array(16_000),
  speech: [],
  probabilities: new Float32Array(32),
};

export interface MoonshineOptions {
  /** Windows that are recognized at the same time, each on a thread of its own. */
  threads: number;
  computeType: ComputeType;
  /** Where compiled graphs are kept. */
  modelsDir: string;
  /** Milliseconds; a window that takes longer ends the process. */
  timeoutMs: number;
}

/** The model that ships with the package, on one thread a window; when this resolves each thread has run once. */
export async function loadMoonshine({
  threads,
  computeType,
  modelsDir,
  timeoutMs,
}: MoonshineOptions): Promise<SpeechRecognizer> {
  const entry = new URL('./worker.js', import.meta.url);
  const pool = await WorkerPool.start<SpeechWindow, Segment[]>({
    entry,
    size: threads,
    // A newcomer's window is decoded beside the one that is under way, step by step, and does not wait for its end.
    tasksPerThread: 2,
    newcomersPerThread: 1,
    setup: await compileMoonshine(computeType, modelsDir),
    taskTimeoutMs: timeoutMs,
  });
  await Promise.all(Array.from({ length: threads }, () => pool.run({}, WARM_UP)));
  const info: SpeechModelInfo = {
    model: 'moonshine-tiny',
    device: 'cpu',
    compute_type: computeType,
    languages: ['en'],
    // English speech in English is its transcript; foreign speech it cannot tell (docs/models.md).
    translates: true,
  };
  return {
    info,
    parallelWindows: threads,
    windowLimits,
    async recognize(window, { job, signal }) {
      return { segments: await pool.run(job, window, signal), language: 'en' };
    },
  };
}
