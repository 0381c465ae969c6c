import './no-telemetry.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Device } from './device.ts';
import { GraphBuilder } from './graph/builder.ts';
import type { DataType } from './graph/schema.ts';

/** Inputs or outputs of a graph by name. */
export type Feeds = Record<string, Tensor>;
/** The data of a numeric tensor. */
export type TensorData = Float32Array | Int8Array | Uint8Array | Int32Array;

/** Microseconds for which a thread spins for its next operator before it sleeps; waking it takes less. */
const SPIN_US = 1000;

export interface SessionOptions {
  /**
   * Outputs that stay in a GPU's memory. Runs return them as tensors without data, which other runs on the device take as
   * inputs; free them with `freeOnDevice`. Without effect on the CPU.
   */
  onDevice?: readonly string[];
  /** Outputs that also stay there, but are copied back by runs that request them: each copy waits for the device. */
  onDemand?: readonly string[];
  /** Logs everything to standard error. */
  isVerbose?: boolean;
}

/** A loaded ONNX model. `run` blocks the calling thread while it computes. */
export class Session {
  readonly #session: InferenceSession;
  readonly #device: Device;
  readonly #kept: KeptOutputs | undefined;

  private constructor(session: InferenceSession, device: Device, kept: KeptOutputs | undefined) {
    this.#session = session;
    this.#device = device;
    this.#kept = kept;
  }

  /** @param model path of an `.onnx` file, or its bytes */
  static async load(model: string | Uint8Array, device: Device, options: SessionOptions = {}): Promise<Session> {
    const { onDevice = [], onDemand = [], isVerbose = false } = options;
    const kept = device.name === 'cpu' ? [] : [...onDevice, ...onDemand];
    const session = await create(model, {
      ...sessionOptions(device),
      ...(kept.length > 0 && {
        preferredOutputLocation: Object.fromEntries(kept.map((name) => [name, 'gpu-buffer' as const])),
      }),
      ...(isVerbose && { logSeverityLevel: 0 }),
    });
    return new Session(
      session,
      device,
      kept.length > 0 ? await KeptOutputs.of(session, device, { onDevice, onDemand }) : undefined,
    );
  }

  /**
   * Runs the graph; returns copies of its outputs, except for those that stay on the device. A failed run on a GPU
   * ends the process: the device is lost or out of memory, and only a new process can use it again.
   * @param outputs names of the outputs to return; default: all
   */
  async run(feeds: Feeds, outputs?: readonly string[]): Promise<Feeds> {
    try {
      // onnxruntime-node keeps the outputs of earlier runs bound, so every run must request all of them.
      if (this.#kept) return await this.#kept.read((await this.#session.run(feeds)) as Feeds, outputs);
      return (await (outputs ? this.#session.run(feeds, outputs) : this.#session.run(feeds))) as Feeds;
    } catch (error) {
      if (this.#device.name !== 'cpu') endProcess(new DeviceFailure(error));
      throw error;
    }
  }
}

function sessionOptions({ name, threads }: Device): InferenceSession.SessionOptions {
  return {
    executionProviders: [name],
    // Only this level has blocked convolution kernels.
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // A memory pattern fits one input length only, and costs a seventh of the peak memory.
    enableMemPattern: false,
    // Users cannot act on warnings about foreign models.
    logSeverityLevel: 3,
    // By default a session's threads spin for 40 ms after a run and slow down the next session and the caller.
    extra: { session: { force_spinning_stop: '1', intra_op: { spin_duration_us: String(SPIN_US) } } },
  };
}

function create(model: string | Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession> {
  return typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
}

/**
 * Outputs of a session that leaves some of them in a GPU's memory. A separate graph copies those that are read back on
 * demand, because onnxruntime-node cannot read a tensor on the device.
 */
class KeptOutputs {
  readonly #copy: InferenceSession | undefined;
  readonly #onDevice: ReadonlySet<string>;
  readonly #onDemand: ReadonlySet<string>;

  private constructor(copy: InferenceSession | undefined, onDevice: readonly string[], onDemand: readonly string[]) {
    this.#copy = copy;
    this.#onDevice = new Set(onDevice);
    this.#onDemand = new Set(onDemand);
  }

  static async of(
    session: InferenceSession,
    device: Device,
    { onDevice, onDemand }: Required<Pick<SessionOptions, 'onDevice' | 'onDemand'>>,
  ): Promise<KeptOutputs> {
    const graph = new GraphBuilder('read-back');
    for (const output of session.outputMetadata) {
      if (!output.isTensor || !onDemand.includes(output.name)) continue;
      const type = output.type as DataType;
      const dims = output.shape.map((_, axis) => `${output.name}_${axis}`);
      graph.output(output.name, graph.input(`${output.name}_on_device`, type, dims), type, dims);
    }
    const copy = onDemand.length > 0 ? await create(graph.build(), sessionOptions(device)) : undefined;
    return new KeptOutputs(copy, onDevice, onDemand);
  }

  /** @param requested default: all */
  async read(outputs: Feeds, requested: readonly string[] = Object.keys(outputs)): Promise<Feeds> {
    const read: Feeds = {};
    const onDemand: Feeds = {};
    for (const [name, tensor] of Object.entries(outputs)) {
      if (this.#onDemand.has(name)) onDemand[`${name}_on_device`] = tensor;
      else if (this.#onDevice.has(name) || requested.includes(name)) read[name] = tensor;
    }
    const names = requested.filter((name) => this.#onDemand.has(name));
    const copies = this.#copy && names.length > 0 ? ((await this.#copy.run(onDemand, names)) as Feeds) : {};
    freeOnDevice(onDemand);
    return { ...read, ...copies };
  }
}

/** A run on a GPU failed. */
class DeviceFailure extends Error {
  override readonly name = 'DeviceFailure';

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // Without enough memory, or beyond the limits of the device, a buffer is created as invalid.
    const isFull = /out.?of.?memory|Invalid Buffer/i.test(reason);
    super(`${isFull ? 'The GPU is out of memory' : 'The GPU has failed'}: ${reason}`, { cause });
  }
}

/** Throws outside of any promise, so that the error is uncaught and ends the process. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** Frees tensors in a GPU's memory; later runs must not use them. */
export function freeOnDevice(tensors: Feeds): void {
  for (const tensor of Object.values(tensors)) if (tensor.location !== 'cpu') tensor.dispose();
}

/** A float32 tensor over `data`, which is not copied: the session reads it when it runs. */
export function float32(data: Float32Array, dims: readonly number[]): Tensor {
  return new Tensor('float32', data, dims);
}

/** A tensor over `data`, of the type and shape of another except for its first dimension. */
export function tensorLike(tensor: Tensor, first: number, data: TensorData): Tensor {
  return new Tensor(tensor.type as 'float32', data as Float32Array, [first, ...tensor.dims.slice(1)]);
}

/** Transferring to a closed port frees the buffer. */
const { port1: closedPort } = new MessageChannel();
closedPort.close();

/**
 * Frees the buffers of arrays, and with them every view of these buffers. The garbage collector does not count memory
 * outside its heap and would free it late.
 */
export function freeBuffers(arrays: readonly TensorData[]): void {
  closedPort.postMessage(
    undefined,
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  );
}

/** A bool tensor `[1]`: the condition of a branch. */
export function bool(value: boolean): Tensor {
  return new Tensor('bool', Uint8Array.of(value ? 1 : 0), [1]);
}

/** An int64 tensor of one value. */
export function int64(value: number, dims: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.of(BigInt(value)), dims);
}

/** A one-dimensional int64 tensor: tokens, indices. */
export function int64s(values: readonly number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), [values.length]);
}
