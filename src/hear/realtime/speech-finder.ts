import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamActivity, StreamFrames } from '../../contracts/transcription.ts';
import { SAMPLE_RATE } from '../../vad/frames.ts';
import type { HearModels } from '../context.ts';

/** Minimum interval between jobs, unless there is enough audio to be worth the cost. */
const INTERVAL_MS = 20;
const WORTHWHILE_SAMPLES = 0.4 * SAMPLE_RATE;

interface Waiting {
  stream: StreamFrames;
  resolve: (activity: StreamActivity) => void;
  reject: (error: unknown) => void;
}

/**
 * Finds speech in the frames of all live sessions, with one job for all frames since the last one: sending a job to
 * the engine and back costs more than the model itself.
 */
export class SpeechFinder {
  readonly #models: Pick<HearModels, 'use'>;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(models: Pick<HearModels, 'use'>) {
    this.#models = models;
  }

  /** @throws HearsayError if there is no engine, or it died: on the frames of any session */
  find(stream: StreamFrames): Promise<StreamActivity> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ stream, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Finds speech in the frames of one session alone. */
  async findAlone(stream: StreamFrames): Promise<StreamActivity> {
    const [activity] = await this.#findIn([stream]);
    return activity!;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      const samples = batch.reduce((sum, { stream }) => sum + stream.frames.length, 0);
      const interval = samples < WORTHWHILE_SAMPLES ? sleep(INTERVAL_MS) : undefined;
      try {
        const found = await this.#findIn(batch.map(({ stream }) => stream));
        for (const [index, { resolve }] of batch.entries()) resolve(found[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await interval;
    }
    this.#isRunning = false;
  }

  #findIn(streams: StreamFrames[]): Promise<StreamActivity[]> {
    return this.#models.use(
      async (engine) => {
        for await (const event of engine.run({ streams })) {
          if (event.type === 'voice_activity') return event.streams;
        }
        throw new Error('The engine found no voice activity.');
      },
      { mayRetry: () => false },
    );
  }
}
