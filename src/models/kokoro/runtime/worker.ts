import { serveWorker } from '../../../scheduling/worker.ts';
import { type CompiledKokoro, loadCompiledKokoro } from '../graph/compile.ts';
import { type SpeechTask, speakRun } from './speech.ts';

serveWorker(async ({ compiled, threads }: { compiled: CompiledKokoro; threads: number }) => {
  const model = await loadCompiledKokoro(compiled, { threads });
  return (task: SpeechTask) => speakRun(model, task);
});
