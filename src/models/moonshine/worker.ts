import { serveWorker } from '../../scheduling/worker-thread.ts';
import { MoonshineModel } from './model.ts';
import type { WorkerInput, WorkerSetup } from './recognizer.ts';
import { RunGate } from './run-gate.ts';
import { transcribeWindow } from './transcribe.ts';

serveWorker(async ({ compiled, embedding }: WorkerSetup) => {
  const model = await MoonshineModel.load(compiled, embedding);
  const gate = new RunGate();
  return ({ window, options, rank }: WorkerInput, signal) =>
    gate.run({ rank, signal }, (beforeRun) => transcribeWindow(model, window, { ...options, beforeRun }));
});
