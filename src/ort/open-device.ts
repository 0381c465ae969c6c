import { HearsayError } from '../errors.ts';
import { type ComputeType, cpu, type Device, type DeviceSettings, webgpu } from './device.ts';
import { probeGpu } from './gpu.ts';

export interface ModelOnDevice<Model> {
  /** For messages. */
  name: string;
  /** Whether its graphs have a form for a GPU. */
  runsOnGpu: boolean;
  load(device: Device): Promise<Model>;
}

/** Types that graphs for a GPU compute in. */
const ON_GPU: readonly (ComputeType | 'auto')[] = ['auto', 'float32'];

/**
 * Loads a model on the device that the settings ask for. `auto` is the CPU. A named GPU is used or nothing.
 * @param probe for tests
 * @throws HearsayError `model_load_failed` if the model cannot run there
 */
export async function loadOnDevice<Model>(
  { device, computeType, threads }: DeviceSettings,
  model: ModelOnDevice<Model>,
  probe = probeGpu,
): Promise<Model> {
  if (device === 'cpu' || device === 'auto') return model.load(cpu({ threads }));
  if (!model.runsOnGpu) throw loadFailed(`The model ${model.name} runs on the CPU only.`);
  if (device === 'cuda') throw loadFailed(`The model ${model.name} runs with DEVICE=cpu or DEVICE=webgpu.`);
  if (!ON_GPU.includes(computeType)) throw loadFailed(`COMPUTE_TYPE=${computeType} runs on the CPU only.`);
  const reason = await probe();
  if (reason !== undefined) throw loadFailed(`The GPU cannot be used: ${reason}.`);
  return model.load(webgpu({ threads }));
}

const loadFailed = (message: string) => new HearsayError('model_load_failed', message);
