import { serveWorker } from '../inference/worker.ts';
import type { SpeechWindow } from '../transcript.ts';
import { MelSpectrogram } from './mel.ts';
import { type CompiledWhisper, WhisperModel } from './model.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { type TranscribedWindow, type TranscribeOptions, transcribeWindow } from './transcribe.ts';

/** What the thread is set up with. */
export interface WorkerSetup {
  compiled: CompiledWhisper;
  /** Folder of the checkpoint, for its vocabulary. */
  checkpoint: string;
  threads: number;
}

export interface WorkerInput extends TranscribeOptions {
  window: SpeechWindow;
}

serveWorker(async ({ compiled, checkpoint, threads }: WorkerSetup) => {
  const tokenizer = await WhisperTokenizer.read(checkpoint);
  const model = await WhisperModel.load(compiled, { threads });
  const { mels, audioPositions } = compiled.configuration;
  const mel = new MelSpectrogram(mels);
  // The first run of everything is slow, and there is nobody yet who waits for it.
  const silence = mel.compute(new Float32Array(0), 2 * audioPositions);
  const state = model.decode(await model.encode(silence));
  const { startOfTranscript, noTimestamps } = tokenizer.special;
  await state.step([[startOfTranscript, noTimestamps]]);
  await state.step([[noTimestamps]]);
  return ({ window, ...options }: WorkerInput): Promise<TranscribedWindow> =>
    transcribeWindow(model, tokenizer, mel, window, options);
});
