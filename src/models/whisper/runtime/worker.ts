import type { SpeechWindow } from '../../../contracts/transcription.ts';
import { serveWorker } from '../../../scheduling/worker-thread.ts';
import type { CompiledWhisper } from '../graph/compile.ts';
import { LogitFilter } from './logit-filter.ts';
import { MelSpectrogram } from './mel.ts';
import { WhisperModel, WindowModel } from './model.ts';
import type { SlotLimits } from './step-scheduler.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { type TranscribedWindow, type TranscribeOptions, transcribeWindow } from './transcribe.ts';

export interface WorkerSetup {
  compiled: CompiledWhisper;
  /** Directory of the tokenizer. */
  tokenizer: string;
  limits: SlotLimits;
}

export interface WorkerInput extends TranscribeOptions {
  window: SpeechWindow;
  /** Number of the request: requests take turns. */
  owner: number;
  /** Whether this is the first window of its request. */
  isNew: boolean;
  isBackground?: boolean;
}

serveWorker(async ({ compiled, tokenizer: directory, limits }: WorkerSetup) => {
  const tokenizer = await WhisperTokenizer.read(directory);
  const { never } = new LogitFilter(compiled.configuration, tokenizer);
  const model = await WhisperModel.load(compiled, { windows: limits.slots, limits, never });
  const { mels, audioPositions } = compiled.configuration;
  const mel = new MelSpectrogram(mels);
  // Warm up: the first run of a session is slow.
  const warmUp = new WindowModel(model, { owner: 'warm-up' });
  const audio = await warmUp.encode(mel.compute(new Float32Array(0), 2 * audioPositions));
  const state = warmUp.decode(audio, { attention: true });
  const { startOfTranscript, noTimestamps } = tokenizer.special;
  await state.start([startOfTranscript, noTimestamps], 0);
  await state.step([[noTimestamps]], { summed: true });
  warmUp.end();
  return async (
    { window, owner, isNew, isBackground = false, ...options }: WorkerInput,
    signal: AbortSignal,
    onStart: () => void,
  ): Promise<TranscribedWindow> => {
    const { isLive = false, isDraft = false, isUrgent = false } = options;
    const batching = { steps: 0, runs: 0 };
    const onStep = (batch: number) => {
      batching.steps += 1;
      batching.runs += 1 / batch;
    };
    const scheduled = { owner, isNew, isLive, isDraft, isUrgent, isBackground, signal, onStart, onStep };
    const windowModel = new WindowModel(model, scheduled);
    try {
      return { ...(await transcribeWindow({ model: windowModel, tokenizer, mel }, window, options)), batching };
    } finally {
      windowModel.end();
    }
  };
});
