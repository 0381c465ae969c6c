import type { SpeechWindow } from '../../../contracts/transcription.ts';
import { serveWorker } from '../../../scheduling/worker.ts';
import type { CompiledWhisper } from '../graph/compile.ts';
import { LogitFilter } from './logit-filter.ts';
import { MelSpectrogram } from './mel.ts';
import { WhisperModel } from './model.ts';
import { ModelUse } from './model-use.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { type TranscribedWindow, type TranscribeOptions, transcribeWindow } from './transcribe.ts';

/** What the thread is set up with. */
export interface WorkerSetup {
  compiled: CompiledWhisper;
  /** Windows that are worked on at the same time. */
  windows: number;
}

export interface WorkerInput extends TranscribeOptions {
  window: SpeechWindow;
  /** Which request it is of: requests take turns. */
  request: number;
  /** Its request's first. */
  isFirst: boolean;
}

serveWorker(async ({ compiled, windows }: WorkerSetup) => {
  const tokenizer = await WhisperTokenizer.read(compiled.checkpoint);
  const { never } = new LogitFilter(compiled.configuration, tokenizer);
  const model = await WhisperModel.load(compiled, { windows, never });
  const { mels, audioPositions } = compiled.configuration;
  const mel = new MelSpectrogram(mels);
  // The first run of everything is slow, and there is nobody yet who waits for it.
  const silence = mel.compute(new Float32Array(0), 2 * audioPositions);
  const audio = await model.encode(silence);
  const state = model.decode(audio);
  const { startOfTranscript, noTimestamps } = tokenizer.special;
  await state.start([startOfTranscript, noTimestamps], 0);
  await state.step([[noTimestamps]], { summed: true });
  model.release(audio);
  return async (
    { window, request, isFirst, ...options }: WorkerInput,
    signal: AbortSignal,
  ): Promise<TranscribedWindow> => {
    const use = new ModelUse(model, { owner: request, isNew: isFirst, signal });
    try {
      return await transcribeWindow(use, tokenizer, mel, window, options);
    } finally {
      use.end();
    }
  };
});
