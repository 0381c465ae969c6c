import { serveWorker } from '../inference/worker.ts';
import { type CompiledKokoro, KokoroModel } from './model.ts';
import { type SpeechTask, speakRun } from './speech.ts';

serveWorker(async ({ compiled, threads }: { compiled: CompiledKokoro; threads: number }) => {
  const model = await KokoroModel.load(compiled, { threads });
  return (task: SpeechTask) => speakRun(model, task);
});
