import { serveWorker } from '../../../scheduling/worker.ts';
import { type CompiledKokoro, loadCompiledKokoro } from '../graph/compile.ts';
import { type SpeechTask, speakChunk } from './speech.ts';

serveWorker(async ({ compiled, threads }: { compiled: CompiledKokoro; threads: number }) => {
  const model = await loadCompiledKokoro(compiled, { threads });
  return (task: SpeechTask) => speakChunk(model, task);
});
