import type { SpeakerModel, VoiceSample } from '../../../contracts/speakers.ts';
import { cpu } from '../../../ort/device.ts';
import { WorkerPool } from '../../../scheduling/pool.ts';
import type { SpeakerOptions } from '../../entry.ts';
import { compileCampplus } from '../graph/compile.ts';
import type { EmbeddingTask } from './worker.ts';

/**
 * CAM++, from a checkpoint of 3D-Speaker's code.
 * @throws HearsayError `model_load_failed` naming the file and what is wrong or missing
 */
export async function loadCampplus({
  checkpoint,
  modelsDir,
  device: { threads },
  timeoutMs,
}: SpeakerOptions): Promise<SpeakerModel> {
  const pool = await WorkerPool.start<EmbeddingTask, VoiceSample[]>({
    entry: new URL('./worker.js', import.meta.url),
    size: 1,
    setup: await compileCampplus({ checkpoint, modelsDir, device: cpu({ threads }) }),
    taskTimeoutMs: timeoutMs,
  });
  return {
    info: { model: 'campplus' },
    embed({ start, samples, speech }, { owner, signal, isBackground = false }) {
      return pool.run(owner, { start, samples, speech }, signal, { isBackground });
    },
  };
}
