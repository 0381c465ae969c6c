import { serveWorker } from '../inference/worker.ts';
import { type CompiledKokoro, loadCompiledKokoro } from './compile.ts';
import { type SpeechTask, speakRun } from './speech.ts';

serveWorker(async ({ compiled, threads }: { compiled: CompiledKokoro; threads: number }) => {
  const model = await loadCompiledKokoro(compiled, { threads });
  return (task: SpeechTask) => speakRun(model, task);
});
