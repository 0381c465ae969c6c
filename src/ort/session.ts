import './no-telemetry.ts';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Device } from './device.ts';

/** Inputs or outputs of a graph, by their names. */
export type Feeds = Record<string, Tensor>;
/** What a tensor of numbers holds. */
export type Numbers = Float32Array | Int8Array | Uint8Array | Int32Array;

/** How long a thread waits for its next operator before it sleeps: longer than it takes to wake it. */
const SPIN_US = 1000;

/** A loaded ONNX model. `run` computes on the calling thread and blocks it meanwhile. */
export class Session {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  /** @param model path of an `.onnx` file, or its bytes */
  static async load(model: string | Uint8Array, { threads }: Device): Promise<Session> {
    const options: InferenceSession.SessionOptions = {
      executionProviders: ['cpu'],
      // Blocked convolution kernels exist at this level only.
      graphOptimizationLevel: 'all',
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // The pattern of one input length is no use for the next, and it costs a seventh of the peak.
      enableMemPattern: false,
      // Warnings about foreign models are nothing that a user could act on.
      logSeverityLevel: 3,
      // Each session has threads of its own. Left alone they spin for 40 ms after a run, in the way of whatever comes next:
      // another session's threads, or this one's caller.
      extra: { session: { force_spinning_stop: '1', intra_op: { spin_duration_us: String(SPIN_US) } } },
    };
    const session = await (typeof model === 'string'
      ? InferenceSession.create(model, options)
      : InferenceSession.create(model, options));
    return new Session(session);
  }

  /**
   * Runs the graph; returns copies of its outputs.
   * @param outputs names of those that are wanted; without them all are
   */
  async run(feeds: Feeds, outputs?: readonly string[]): Promise<Feeds> {
    return (await (outputs ? this.#session.run(feeds, outputs) : this.#session.run(feeds))) as Feeds;
  }
}

/** A float32 tensor over `data`, which is read when the session runs and not copied before. */
export function float32(data: Float32Array, dims: readonly number[]): Tensor {
  return new Tensor('float32', data, dims);
}

/** A tensor of the same type and shape as another, but for the first dimension, over other `data`. */
export function like(tensor: Tensor, first: number, data: Numbers): Tensor {
  return new Tensor(tensor.type as 'float32', data as Float32Array, [first, ...tensor.dims.slice(1)]);
}

/** What is posted to a closed port goes over into its possession, and with it. */
const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Frees what is of no use any more, with all that shares its memory: the garbage collector, which sees the least part of
 * it, would let it lie.
 */
export function free(all: readonly Numbers[]): void {
  nowhere.postMessage(
    undefined,
    all.map(({ buffer }) => buffer as ArrayBuffer),
  );
}

/** A bool tensor `[1]`: which way a graph goes. */
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
