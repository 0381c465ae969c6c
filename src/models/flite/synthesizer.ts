import type { SpokenChunk, WordSynthesizer } from '../../contracts/synthesis.ts';
import { WorkerPool } from '../../scheduling/pool.ts';
import { compileFlite, SAMPLE_RATE } from './flite.ts';
import type { SpeechTask } from './speech.ts';
import { fliteSpeaker } from './voices.ts';

export interface FliteOptions {
  /** Chunks that are spoken at the same time, each on its own thread. */
  threads: number;
  /** Milliseconds; a chunk that takes longer ends the process. */
  timeoutMs: number;
}

/** The voice that ships with the package: Flite, for American and, approximately, British English. */
export async function loadFlite({ threads, timeoutMs }: FliteOptions): Promise<WordSynthesizer> {
  const pool = await WorkerPool.start<SpeechTask, SpokenChunk>({
    entry: new URL('./worker.js', import.meta.url),
    size: threads,
    setup: await compileFlite(),
    taskTimeoutMs: timeoutMs,
  });
  return fliteSynthesizer((owner, task, signal) => pool.run(owner, task, signal), threads);
}

/**
 * @param run speaks one chunk when it is its owner's turn
 * @param parallelChunks chunks of one job that it speaks at the same time
 */
export function fliteSynthesizer(
  run: (owner: object, task: SpeechTask, signal: AbortSignal) => Promise<SpokenChunk>,
  parallelChunks: number,
): WordSynthesizer {
  return {
    info: {
      model: 'flite',
      backend: 'flite_wasm',
      device: 'cpu',
      compute_type: 'float64',
      sampleRate: SAMPLE_RATE,
      languages: ['a', 'b'],
    },
    input: 'words',
    limits: {
      // Less than two seconds of speech, computed in about 30 ms.
      first: 26,
      growth: Number.POSITIVE_INFINITY,
      // About 7 s of speech. Nothing interrupts a chunk: a client that hangs up costs up to 70 ms.
      usual: 110,
      max: Number.POSITIVE_INFINITY,
      settleFor: 'phrase',
    },
    parallelChunks,
    warmUpText: 'The quick brown fox jumps over the lazy dog.',
    async speak({ units: words, boundary }, { voice, owner, signal }) {
      return { spoken: run(owner, { speaker: fliteSpeaker(voice), words, boundary }, signal) };
    },
  };
}
