import { workerData } from 'node:worker_threads';
import { serveWorker } from '../inference/worker.ts';
import { type CompiledMoonshine, MoonshineModel } from './model.ts';
import { transcribeWindow } from './transcribe.ts';

const model = await MoonshineModel.load(workerData as CompiledMoonshine);
serveWorker(transcribeWindow.bind(undefined, model));
