import { serveWorker } from '../../../scheduling/worker-thread.ts';
import type { CompiledKokoro } from '../graph/compile.ts';
import { loadCompiledKokoro } from './load.ts';
import { type SpeechTask, speakChunk } from './speech.ts';

serveWorker(async (compiled: CompiledKokoro) => {
  const model = await loadCompiledKokoro(compiled);
  return (task: SpeechTask) => speakChunk(model, task);
});
