import { serveWorker } from '../../scheduling/worker-thread.ts';
import type { CompiledMoonshine } from './graph/compile.ts';
import { MoonshineModel } from './model.ts';
import type { WorkerInput } from './recognizer.ts';
import { transcribeWindow } from './transcribe.ts';

serveWorker(async (compiled: CompiledMoonshine) => {
  const model = await MoonshineModel.load(compiled);
  return ({ window, options }: WorkerInput) => transcribeWindow(model, window, options);
});
