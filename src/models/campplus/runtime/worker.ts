import type { SpeechWindow } from '../../../contracts/transcription.ts';
import { loadCompiled } from '../../../ort/compiled-models.ts';
import { serveWorker } from '../../../scheduling/worker-thread.ts';
import { type CompiledCampplus, compileCampplus } from '../graph/compile.ts';
import { CampplusModel } from './model.ts';

/** The task of a thread: the audio to embed. */
export type EmbeddingTask = Pick<SpeechWindow, 'start' | 'samples' | 'speech'>;

serveWorker(async (compiled: CompiledCampplus) => {
  const model = await loadCompiled(
    'CAM++',
    compiled,
    (files) => CampplusModel.load(files),
    () => compileCampplus(compiled),
  );
  return (task: EmbeddingTask, signal) => model.embed(task, signal);
});
