import { HearsayError } from '../errors.ts';
import { type ComputeType, cpu, type Device, type DeviceSettings, webgpu } from './device.ts';
import { driverEnvironment, findGpu, probeGpu } from './gpu.ts';

export interface ModelOnDevice<Model> {
  /** For messages. */
  name: string;
  /** Whether its graphs have a form for a GPU. */
  runsOnGpu: boolean;
  load(device: Device): Promise<Model>;
}

export interface OpenDeviceOptions {
  /** Receives one line if a GPU is here and cannot be used. */
  warn: (message: string) => void;
  /** For tests. */
  find?: typeof findGpu;
  /** For tests. */
  probe?: typeof probeGpu;
}

/** Types that graphs for a GPU compute in. */
const ON_GPU: readonly (ComputeType | 'auto')[] = ['auto', 'float32'];

/**
 * Loads a model on the device that the settings ask for. `auto` takes a GPU of its own memory if it passes a probe, never
 * a software device, and falls back to the CPU with a warning. A named GPU is used or nothing.
 * @throws HearsayError `model_load_failed` if the model cannot run there
 */
export async function loadOnDevice<Model>(
  { device, computeType, threads }: DeviceSettings,
  model: ModelOnDevice<Model>,
  { warn, find = findGpu, probe = probeGpu }: OpenDeviceOptions,
): Promise<Model> {
  const onCpu = () => model.load(cpu({ threads }));
  const canRunOnGpu = model.runsOnGpu && ON_GPU.includes(computeType);
  if (device === 'cpu' || (device === 'auto' && !canRunOnGpu)) return onCpu();
  if (device !== 'auto') {
    if (!model.runsOnGpu) throw loadFailed(`The model ${model.name} runs on the CPU only.`);
    if (device === 'cuda') throw loadFailed(`The model ${model.name} runs with DEVICE=cpu or DEVICE=webgpu.`);
    if (!canRunOnGpu) throw loadFailed(`COMPUTE_TYPE=${computeType} runs on the CPU only.`);
    const reason = await probe();
    if (reason !== undefined) throw loadFailed(`The GPU cannot be used: ${reason}.`);
    return model.load(webgpu({ threads }));
  }
  const found = await find();
  if ('reason' in found) {
    if (found.hasGpu) warn(`The GPU cannot be used (${found.reason}): the model ${model.name} runs on the CPU.`);
    return onCpu();
  }
  const env = driverEnvironment(found.drivers);
  const reason = await probe(env);
  if (reason !== undefined) {
    warn(`The GPU cannot be used (${reason}): the model ${model.name} runs on the CPU.`);
    return onCpu();
  }
  Object.assign(process.env, env);
  try {
    return await model.load(webgpu({ threads }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(`The model ${model.name} cannot be loaded on the GPU (${why}): it runs on the CPU.`);
    return onCpu();
  }
}

const loadFailed = (message: string) => new HearsayError('model_load_failed', message);
