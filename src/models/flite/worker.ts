import { serveWorker } from '../../scheduling/worker-thread.ts';
import { Flite } from './flite.ts';
import { type SpeechTask, speakChunk } from './speech.ts';
import type { WebAssemblyModule } from './webassembly.ts';

serveWorker(async (module: WebAssemblyModule) => {
  const flite = Flite.of(module);
  return async (task: SpeechTask) => speakChunk(flite, task);
});
