import type {
  Segment,
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  WindowLimits,
} from '../../contracts/transcription.ts';
import type { ComputeType, Device } from '../../ort/device.ts';
import { WorkerPool } from '../../scheduling/pool.ts';
import { compileMoonshine } from './model.ts';

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
  /** Recognizes as many windows at the same time as it has threads, each on one of them. */
  device: Device;
  computeType: ComputeType;
  /** Where compiled graphs are kept. */
  modelsDir: string;
  /** Milliseconds; a window that takes longer ends the process. */
  timeoutMs: number;
}

/** The model that ships with the package, on one thread a window; when this resolves each thread has run once. */
export async function loadMoonshine({
  device,
  computeType,
  modelsDir,
  timeoutMs,
}: MoonshineOptions): Promise<SpeechRecognizer> {
  const { threads } = device;
  const entry = new URL('./worker.js', import.meta.url);
  const pool = await WorkerPool.start<SpeechWindow, Segment[]>({
    entry,
    size: threads,
    // A newcomer's window is decoded beside the one that is under way, step by step, and does not wait for its end.
    tasksPerThread: 2,
    newcomersPerThread: 1,
    setup: await compileMoonshine({ modelsDir, device, computeType }),
    taskTimeoutMs: timeoutMs,
  });
  await Promise.all(Array.from({ length: threads }, () => pool.run({}, WARM_UP)));
  const info: SpeechModelInfo = {
    model: 'moonshine-tiny',
    device: device.name,
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
