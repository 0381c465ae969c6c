import { serveWorker } from '../../scheduling/worker.ts';
import { Flite } from './flite.ts';
import { type SpeechTask, speakPart } from './speech.ts';
import type { WebAssemblyModule } from './webassembly.ts';

serveWorker(async (module: WebAssemblyModule) => {
  const flite = Flite.of(module);
  return async (task: SpeechTask) => speakPart(flite, task);
});
