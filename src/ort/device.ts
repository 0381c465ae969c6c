import { readFileSync } from 'node:fs';

/**
 * int8: products of bytes, with inputs quantized dynamically; float32: products of floats; float16: products of
 * half-precision floats, only on a GPU.
 */
export type ComputeType = 'float32' | 'float16' | 'int8';

/** The processor that a model runs on. Plain data, so that it can be sent to worker threads. */
export interface Device {
  readonly name: 'cpu' | 'webgpu';
  /** Threads per operator, for operators that run on the CPU. */
  readonly threads: number;
  /** Whether it sums products of unsigned and signed bytes without saturating. */
  readonly int8DotProduct: boolean;
  /** Whether it multiplies bytes faster than floats. */
  readonly fastInt8: boolean;
  /** Whether it computes in half precision. */
  readonly float16: boolean;
}

/** The environment variables DEVICE, COMPUTE_TYPE and THREADS. */
export interface DeviceSettings {
  device: 'auto' | 'cpu' | 'webgpu' | 'cuda';
  computeType: 'auto' | ComputeType;
  threads: number;
}

/** Whether a setting names a device with its own memory. */
export const isGpu = (device: string) => device === 'webgpu' || device === 'cuda';

/** The CPU of this machine. @param options.int8DotProduct for tests: false takes the path of a CPU without it */
export function cpu({ threads = 1, int8DotProduct = hasInt8DotProduct() } = {}): Device {
  return { name: 'cpu', threads, int8DotProduct, fastInt8: int8DotProduct || hasInstructions('avx2'), float16: false };
}

/** A GPU, through Vulkan, Direct3D 12 or Metal. */
export function webgpu({ threads = 1, float16 = false } = {}): Device {
  return { name: 'webgpu', threads, int8DotProduct: false, fastInt8: false, float16 };
}

/** Resolves `auto`. @param automatic the best choice for the model and the device */
export function resolveComputeType(setting: DeviceSettings['computeType'], automatic: ComputeType): ComputeType {
  return setting === 'auto' ? automatic : setting;
}

/**
 * Whether this CPU has AVX-512 VNNI or AVX-VNNI. Without it onnxruntime sums byte products in 16 bits: signed weights
 * saturate, and only unsigned ones are exact.
 *
 * For tests: `INT8_DOT_PRODUCT=false` takes the path of a CPU without it, for whole processes and under emulators,
 * which show the host's /proc/cpuinfo.
 */
export function hasInt8DotProduct(): boolean {
  if (process.env.INT8_DOT_PRODUCT === 'false') return false;
  return process.arch !== 'x64' || hasInstructions('avx512_vnni', 'avx_vnni');
}

/** Whether the kernel lists one of these sets of x64 instructions. */
function hasInstructions(...names: string[]): boolean {
  try {
    const flags = /^flags\s*:(.*)/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]?.split(' ') ?? [];
    return names.some((name) => flags.includes(name));
  } catch {
    return false;
  }
}
