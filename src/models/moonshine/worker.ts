import { serveWorker } from '../../scheduling/worker-thread.ts';
import type { CompiledMoonshine } from './graph/compile.ts';
import { MoonshineModel } from './model.ts';
import type { WorkerInput } from './recognizer.ts';
import { RunGate } from './run-gate.ts';
import { transcribeWindow } from './transcribe.ts';

serveWorker(async (compiled: CompiledMoonshine) => {
  const model = await MoonshineModel.load(compiled);
  const gate = new RunGate();
  return ({ window, options, rank }: WorkerInput, signal) =>
    gate.run({ rank, signal }, (beforeRun) => transcribeWindow(model, window, { ...options, beforeRun }));
});
