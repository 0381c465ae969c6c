import './no-telemetry.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Device } from './device.ts';

/** Inputs or outputs of a graph by name. */
export type Feeds = Record<string, Tensor>;
/** The data of a numeric tensor. */
export type TensorData = Float32Array | Int8Array | Uint8Array | Int32Array;

/** Time that a thread waits for its next operator before it sleeps; waking it takes less. */
const SPIN_US = 1000;

/** A loaded ONNX model. `run` blocks the calling thread while it computes. */
export class Session {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** @param model path of an `.onnx` file, or its bytes */
  static async load(model: string | Uint8Array, { threads }: Device): Promise<Session> {
    const options: InferenceSession.SessionOptions = {
      executionProviders: ['cpu'],
      // Only this level has blocked convolution kernels.
      graphOptimizationLevel: 'all',
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // A pattern serves one input length only, and costs a seventh of the peak memory.
      enableMemPattern: false,
      // Users cannot act on warnings about foreign models.
      logSeverityLevel: 3,
      // By default a session's threads spin for 40 ms after a run and slow down the next session and the caller.
      extra: { session: { force_spinning_stop: '1', intra_op: { spin_duration_us: String(SPIN_US) } } },
    };
    const session = await (typeof model === 'string'
      ? InferenceSession.create(model, options)
      : InferenceSession.create(model, options));
    return new Session(session);
  }

  /**
   * Runs the graph; returns copies of its outputs.
   * @param outputs names of the outputs to return; default: all
   */
  async run(feeds: Feeds, outputs?: readonly string[]): Promise<Feeds> {
    return (await (outputs ? this.#session.run(feeds, outputs) : this.#session.run(feeds))) as Feeds;
  }
}

/** A float32 tensor over `data`. The session reads it when it runs; nothing is copied before. */
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
 * outside its heap and would keep it.
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
