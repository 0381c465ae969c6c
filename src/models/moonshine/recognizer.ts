import type {
  RecognitionJob,
  Segment,
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  WindowLimits,
} from '../../contracts/transcription.ts';
import { loadCompiled } from '../../ort/compiled-models.ts';
import type { ComputeType, Device } from '../../ort/device.ts';
import { WorkerPool } from '../../scheduling/pool.ts';
import { type CompiledMoonshine, compileMoonshine, readEmbedding } from './graph/compile.ts';
import type { EmbeddingTable } from './graph/decoder.ts';
import type { TranscribeOptions } from './transcribe.ts';

/** Shorter and longer windows cost accuracy (docs/decisions/0003-windows.md). */
export const windowLimits: WindowLimits = { maxLength: 28, enoughSpeech: 10, longPause: 1.5 };

/** What each thread loads. */
export interface WorkerSetup {
  compiled: CompiledMoonshine;
  embedding: EmbeddingTable;
}

/** A window and how to transcribe it, as sent to a thread. */
export interface WorkerInput {
  window: SpeechWindow;
  options: Omit<TranscribeOptions, 'beforeRun'>;
  /** It pauses while a window of a lower rank is decoded on its thread. */
  rank: number;
}

/** A window pauses while one of a lower rank is decoded on its thread: in live speech people notice a tenth of a second. */
const RANKS = { firstWords: 0, live: 1, recording: 2, guess: 3 };

function rankOf({ isDraft, isUrgent, isLive }: RecognitionJob): number {
  if (isDraft) return isUrgent ? RANKS.firstWords : RANKS.guess;
  return isLive ? RANKS.live : RANKS.recording;
}

/** A second of silence. */
const WARM_UP: SpeechWindow = {
  start: 0,
  end: 16_000,
  samples: new Float32Array(16_000),
  speech: [],
  probabilities: new Float32Array(32),
};

export interface MoonshineOptions {
  /** Recognizes one window in parallel on each of its threads. */
  device: Device;
  computeType: ComputeType;
  /** Directory of compiled graphs. */
  modelsDir: string;
  /** Milliseconds; a window that takes longer ends the process. */
  timeoutMs: number;
  /** 1 is greedy decoding. */
  beamSize: number;
}

/**
 * Loads the model that ships with the package; compiles it again if its files are damaged. Resolves after a first run on
 * each thread.
 */
export async function loadMoonshine({
  device,
  computeType,
  modelsDir,
  timeoutMs,
  beamSize,
}: MoonshineOptions): Promise<SpeechRecognizer> {
  const { threads } = device;
  const entry = new URL('./worker.js', import.meta.url);
  const startPool = async (compiled: CompiledMoonshine) =>
    WorkerPool.start<WorkerInput, Segment[]>({
      entry,
      size: threads,
      // A request's first window is decoded in turn with the one in flight, step by step, and does not wait for its end.
      slotsPerThread: 2,
      firstTaskSlots: 1,
      // First words of live speech wait for no other window.
      urgentSlots: 1,
      setup: { compiled, embedding: await readEmbedding(compiled.folder) } satisfies WorkerSetup,
      taskTimeoutMs: timeoutMs,
    });
  const compile = () => compileMoonshine({ modelsDir, device, computeType });
  const pool = await loadCompiled('Moonshine', await compile(), startPool, compile);
  await Promise.all(
    Array.from({ length: threads }, () =>
      pool.run({}, { window: WARM_UP, options: { beamSize: 1 }, rank: RANKS.recording }),
    ),
  );
  const info: SpeechModelInfo = {
    model: 'moonshine-tiny',
    device: device.name,
    compute_type: computeType,
    languages: ['en'],
    // The translation of English speech is its transcript; the model cannot detect other languages (docs/models.md).
    translates: true,
  };
  return {
    info,
    parallelWindows: threads,
    windowLimits,
    async recognize(window, { job, signal }) {
      if (job.detectOnly) return { segments: [], language: 'en' };
      const options = {
        beamSize: job.isDraft ? 1 : beamSize,
        keywords: job.keywords,
        logprobs: job.logprobs,
        expected: job.expected,
        isLive: job.isLive,
        isDraft: job.isDraft,
      };
      return {
        segments: await pool.run(job, { window, options, rank: rankOf(job) }, signal, job),
        language: 'en',
      };
    },
  };
}
