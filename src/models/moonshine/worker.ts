import { serveWorker } from '../../scheduling/worker-thread.ts';
import type { CompiledMoonshine } from './graph/compile.ts';
import { MoonshineModel } from './model.ts';
import { transcribeWindow } from './transcribe.ts';

serveWorker(async (compiled: CompiledMoonshine) =>
  transcribeWindow.bind(undefined, await MoonshineModel.load(compiled)),
);
