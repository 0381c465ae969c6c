import { HearsayError } from '../errors.ts';
import { gpuMemory, readGpu } from '../machine/gpu.ts';
import { type ComputeType, cpu, type Device, type DeviceSettings, webgpu } from './device.ts';
import { mayHaveGpu, type ProbedGpu, probeGpu } from './gpu.ts';

export interface ModelOnDevice<Model> {
  /** For messages. */
  name: string;
  /** Number formats of its graphs for a GPU; none if it runs on the CPU only. */
  gpuTypes: readonly ComputeType[];
  /** Whether a fast GPU answers a single request sooner than the CPU. Default: true */
  gainsFromGpu?(): Promise<boolean>;
  load(device: Device): Promise<Model>;
}

/** What the choice of a device depends on, for tests. */
export interface Surroundings {
  /** Whether there may be a GPU at all. */
  mayHaveGpu(): boolean;
  /** @param threads of the CPU to compare the GPU with */
  probe(threads?: number): Promise<ProbedGpu>;
  /** Reads what the driver reports about the GPU and its memory. */
  describeGpu(): Promise<string | undefined>;
  log(message: string): void;
}

const surroundings: Surroundings = {
  mayHaveGpu,
  probe: (threads) => probeGpu(threads === undefined ? {} : { threads }),
  describeGpu: async () => {
    const gpu = await readGpu();
    return gpu ? gpuMemory(gpu) : undefined;
  },
  log: (message) => process.stderr.write(`${message}\n`),
};

/**
 * Minimum speed of a GPU in float matrix products, relative to the CPU, for `auto` to use it. An H100 was measured at
 * 2.2 to 6 times 16 cores.
 */
const LEAST_SPEEDUP = 2;

/**
 * Loads a model on the device that the settings name. For `webgpu` there is no fallback. `auto` uses a GPU that is
 * much faster than the CPU, which software devices never are, and falls back to the CPU if the model cannot be loaded
 * there.
 * @throws HearsayError `model_load_failed` if the model cannot run there
 */
export async function loadOnDevice<Model>(
  settings: DeviceSettings,
  model: ModelOnDevice<Model>,
  around = surroundings,
): Promise<Model> {
  const { device, computeType, threads } = settings;
  const onCpu = () => {
    if (computeType === 'float16') throw loadFailed('COMPUTE_TYPE=float16 runs on a GPU only.');
    return model.load(cpu({ threads }));
  };
  if (device === 'cpu') return onCpu();
  const isPossible = computeType === 'auto' || model.gpuTypes.includes(computeType);
  if (device === 'auto') {
    return isPossible && model.gpuTypes.length > 0 && around.mayHaveGpu()
      ? loadOnFaster(settings, model, onCpu, around)
      : onCpu();
  }
  const { name, gpuTypes } = model;
  if (gpuTypes.length === 0) throw loadFailed(`The model ${name} runs on the CPU only.`);
  if (device === 'cuda') throw loadFailed(`The model ${name} runs with DEVICE=cpu or DEVICE=webgpu.`);
  if (!isPossible) {
    throw loadFailed(`The model ${name} runs on a GPU with COMPUTE_TYPE=${gpuTypes.join(' or ')}, not ${computeType}.`);
  }
  const found = await around.probe();
  if ('reason' in found) throw loadFailed(`The GPU cannot be used: ${found.reason}.`);
  if (computeType === 'float16' && !found.float16) throw loadFailed('The GPU does not compute in float16.');
  return loadOnGpu(model, webgpu({ threads, float16: found.float16 }), around);
}

async function loadOnFaster<Model>(
  { computeType, threads }: DeviceSettings,
  model: ModelOnDevice<Model>,
  onCpu: () => Promise<Model>,
  around: Surroundings,
): Promise<Model> {
  if (model.gainsFromGpu && !(await model.gainsFromGpu())) {
    around.log('DEVICE=auto takes the CPU: the model is small, and a GPU would answer a single request later.');
    return onCpu();
  }
  const found = await around.probe(threads);
  const obstacle = 'reason' in found ? found.reason : whyNot(found, computeType);
  if ('reason' in found || obstacle !== undefined) {
    around.log(`DEVICE=auto takes the CPU and no GPU: ${obstacle}.`);
    return onCpu();
  }
  const { speedup = 0, float16 } = found;
  try {
    const loaded = await loadOnGpu(model, webgpu({ threads, float16 }), around);
    around.log(`DEVICE=auto takes the GPU, which multiplies ${speedup.toFixed(0)} times as fast as the CPU.`);
    return loaded;
  } catch (error) {
    around.log(`DEVICE=auto takes the CPU, since the GPU cannot run the model: ${(error as Error).message}`);
    return onCpu();
  }
}

function whyNot(
  { speedup = 0, float16 }: Extract<ProbedGpu, { float16: boolean }>,
  computeType: DeviceSettings['computeType'],
): string | undefined {
  if (computeType === 'float16' && !float16) return 'it does not compute in float16';
  if (speedup >= LEAST_SPEEDUP) return undefined;
  return `it multiplies ${speedup.toFixed(1)} times as fast as the CPU, and ${LEAST_SPEEDUP} times would be worth it`;
}

async function loadOnGpu<Model>(model: ModelOnDevice<Model>, device: Device, around: Surroundings): Promise<Model> {
  try {
    return await model.load(device);
  } catch (error) {
    if (error instanceof HearsayError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const memory = await around.describeGpu();
    const found = memory === undefined ? '' : ` (${memory})`;
    throw new HearsayError(
      'model_load_failed',
      `The model ${model.name} cannot be loaded on the GPU${found}: ${reason}`,
      {
        cause: error,
      },
    );
  }
}

const loadFailed = (message: string) => new HearsayError('model_load_failed', message);
