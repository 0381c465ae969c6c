import type { Value } from '../../../ort/graph/builder.ts';
import { blockedKernel } from './channel-blocks.ts';
import { type Affine, type Layers, scaleInputs } from './layers.ts';
import { type Evaluation, PRECISE, toomCook, USUAL } from './toom-cook.ts';

/** Outputs of a tile. */
const TILE = 4;

export interface WinogradConvolution {
  kernel: number;
  dilation: number;
  /** Factors of the input channels, folded into the kernel. */
  inputScale: Float32Array;
  /** Added to every sample before scaling; the padding stays zero. */
  inputOffset: number;
  /** Less rounding error for a seventh more work, with kernels of more than three taps. */
  precise: boolean;
}

export interface PhasedShape {
  channels: number;
  /** Channels of a block (`channelBlock`); divides `channels`. */
  block: number;
  /** Length of a signal, to choose groups of channels that fit the cache. */
  samplesPerFrame: number;
  /** length mod 4, the same for all lengths: phases from this one on are shorter by one. */
  remainder: 0 | 1;
}

/** A signal, the output of a convolution, or the sum of both. */
export interface SignalSum {
  signal?: Value | undefined;
  convolved?: Value | undefined;
}

/** Samples per frame of a group's channels: 200 to 300 KB for a second of speech. */
const GROUP = 1280;

interface Transform {
  /** Values of a transformed tile. */
  points: number;
  /** Factors of the taps, point by point. */
  kernel: number[][];
  /** Added to a tile's products, adds 1 to each of its outputs. */
  one: number[];
  /** Per point a depthwise kernel `[channels, 1, TILE, 2]`. */
  input: Value[];
  /** A constant `[TILE, points]`. */
  output: Value;
}

/**
 * Convolutions over time with fewer multiplications (Lavin & Gray 2015, https://arxiv.org/abs/1509.09308): Winograd's
 * F(4, 4) for each four taps of a kernel, with 7 multiplications for 16 (8 if precise), and F(4, 3) for a kernel of
 * three, with 6 for 12. Signals are held by phases, `[1, channels, length]` with all samples of t mod 4 = 0 first, then
 * those of 1, 2 and 3. A tile's four outputs are a dilation apart. As dilations are odd, each is in another phase, and
 * the tiles of a signal are slices of its phases. Elementwise operators need not know the layout.
 */
export class PhasedSignals {
  readonly #layers: Layers;
  readonly #shape: PhasedShape;
  readonly #transforms = new Map<Evaluation, Transform>();
  /** Samples of each phase, `[4]`. */
  #lengths: Value | undefined;

  constructor(layers: Layers, shape: PhasedShape) {
    this.#layers = layers;
    this.#shape = shape;
  }

  /** `[1, channels, 1, length]` → by phases. All signals have the same length. */
  toPhases(x: Value): Value {
    const { graph } = this.#layers;
    const { channels, remainder } = this.#shape;
    if (remainder === 0) {
      const tiles = graph.op('Reshape', [x, graph.ints(1, channels, -1, TILE)]);
      const phases = graph.op('Transpose', [tiles], { perm: [0, 1, 3, 2] });
      const length = graph.op('Shape', [phases], { start: 3 });
      this.#lengths ??= graph.op('Concat', new Array<Value>(TILE).fill(length), { axis: 0 });
      return graph.op('Reshape', [phases, graph.ints(1, channels, -1)]);
    }
    const signal = graph.op('Squeeze', [x, graph.ints(2)]);
    const phases = Array.from({ length: TILE }, (_, phase) =>
      graph.op('Slice', [signal, graph.ints(phase), graph.ints(END), graph.ints(2), graph.ints(TILE)]),
    );
    this.#lengths ??= graph.op(
      'Concat',
      phases.map((phase) => graph.op('Shape', [phase], { start: 2 })),
      { axis: 0 },
    );
    return graph.op('Concat', phases, { axis: 2 });
  }

  /** The inverse of `toPhases`. */
  fromPhases(x: Value): Value {
    const { graph } = this.#layers;
    const { channels, remainder } = this.#shape;
    let whole = x;
    if (remainder > 0) {
      const padded = this.#split(x, 2).map((phase, index) =>
        this.#missing(index) === 0 ? phase : graph.op('Pad', [phase, graph.ints(0, 0, 0, 0, 0, this.#missing(index))]),
      );
      whole = graph.op('Concat', padded, { axis: 2 });
    }
    const phases = graph.op('Reshape', [whole, graph.ints(1, channels, TILE, -1)]);
    const tiles = graph.op('Transpose', [phases], { perm: [0, 1, 3, 2] });
    const signal = graph.op('Reshape', [tiles, graph.ints(1, channels, 1, -1)]);
    const missing = (TILE - remainder) % TILE;
    if (missing === 0) return signal;
    return graph.op('Slice', [signal, graph.ints(0), graph.ints(-missing), graph.ints(3)]);
  }

  /**
   * Sums and activates signals, one group of channels at a time, so that intermediate values stay in the cache.
   * @param activate for some channels `[1, group, length]`
   * @returns the sum, and the input of `convolution`
   */
  async activate(
    { signal, convolved }: SignalSum,
    { scale, shift }: Affine,
    activate: (x: Value, affine: Affine) => Value,
  ): Promise<{ sum: Value; active: Value }> {
    const { graph } = this.#layers;
    const { channels, block } = this.#shape;
    const group = this.#group();
    const groups = (value: Value, ...dims: number[]) =>
      graph.op('Reshape', [value, graph.ints(channels / group, ...dims)]);
    const parts = [
      ...[scale, shift].map((vector) => groups(vector, group)),
      ...(convolved ? [groups(convolved, 1, group, 1, -1)] : []),
      ...(signal ? [groups(signal, 1, group, -1)] : []),
    ];
    const [actives, sums] = await graph.scan(parts, async ([scale, shift, ...summands]) => {
      const sum = this.#sum({ convolved: convolved && summands[0], signal: signal && summands.at(-1) }, group);
      const active = this.#toBlocks(activate(sum, { scale: scale!, shift: shift! }));
      return convolved && signal ? [active, sum] : [active];
    });
    const active = graph.op('Reshape', [actives!, graph.ints(channels / block, -1, block)]);
    return { active, sum: sums ? graph.op('Reshape', [sums, graph.ints(1, channels, -1)]) : (signal ?? convolved)! };
  }

  /** The sum of signals, by phases. */
  add(signals: SignalSum): Value {
    return this.#sum(signals, this.#shape.channels);
  }

  #sum({ signal, convolved }: SignalSum, channels: number): Value {
    if (!convolved) return signal!;
    const other = this.#fromBlocks(convolved, channels);
    return signal ? this.#layers.graph.op('Add', [other, signal]) : other;
  }

  /** The fewest channels that fill a `GROUP`. */
  #group(): number {
    const { channels, block, samplesPerFrame } = this.#shape;
    let group = block;
    while (group < channels && (group * samplesPerFrame < GROUP || channels % group !== 0)) group += block;
    return group;
  }

  /**
   * A convolution that keeps the length.
   * @param active by phases, in blocks of channels, `[channels / block, length, block]`
   * @returns the same layout in any shape
   */
  convolution(active: Value, name: string, shape: WinogradConvolution): Value {
    const { kernel, dilation, inputScale, inputOffset, precise } = shape;
    const { graph, weights } = this.#layers;
    const { channels, block, remainder } = this.#shape;
    const blocks = channels / block;
    const original = weights.convolution(name, [channels, channels, kernel], channels);
    scaleInputs(original.kernel, inputScale, kernel);
    const taps = kernel === 3 ? 3 : 4;
    const { points, ...transform } = this.#transform(taps, taps === 4 && precise ? PRECISE : USUAL[taps]);
    const chunks = Math.ceil(kernel / taps);
    const size = { outputs: points * channels, inputs: channels, taps: chunks };
    const factors = transformKernel(original.kernel, transform.kernel, channels, kernel);
    const transformed = graph.constant({
      type: 'float32',
      dims: [size.outputs, channels, 1, chunks],
      data: block > 1 ? blockedKernel(factors, size, block) : factors,
    });
    const bias = original.bias!.slice();
    addOffset(bias, original.kernel, channels * kernel, inputOffset);
    const biases = this.#layers.vector(
      Float32Array.from(transform.one.flatMap((factor) => Array.from(bias, (value) => factor * value))),
    );

    // Tile u has the outputs 4u + dilation · i; tiles before 0 have outputs too.
    const before = Math.floor((dilation * (TILE - 1)) / TILE);
    const padding = ((kernel - 1) * dilation) / 2;
    const reach = (chunks - 1) * dilation;
    const outside = graph.scalar(-inputOffset);
    const phases = this.#split(active, 1);
    // A tile's first four samples; the others are a dilation of tiles further on.
    const rows = Array.from({ length: TILE }, (_, index) => {
      const { phase, shift } = phaseOf(dilation * index - padding);
      // Negative padding trims.
      const [left, right] = [before - shift, shift + reach + dilation + this.#missing(phase)];
      return graph.op('Pad', [phases[phase]!, graph.ints(0, left, 0, 0, right, 0), outside]);
    });
    const samples = graph.op('Reshape', [graph.op('Concat', rows, { axis: 1 }), graph.ints(1, channels, TILE, -1)]);
    const conv = block > 1 ? 'BlockConv' : 'Conv';
    const values = transform.input.map((factors) =>
      graph.op(conv, [samples, factors], { kernel_shape: [TILE, 2], dilations: [1, dilation], group: channels }),
    );
    const products = graph.op(conv, [graph.op('Concat', values, { axis: 1 }), transformed, biases], {
      kernel_shape: [1, chunks],
      dilations: [1, dilation],
      group: points,
    });
    if (dilation === 1 && remainder === 0) {
      // Tiles are phases: one product puts the phases of each channel side by side.
      const rows = graph.op('Reshape', [products, graph.ints(points, blocks, -1)]);
      const output = graph.op('Unsqueeze', [transform.output, graph.ints(0)]);
      return graph.op('FusedMatMul', [output, rows], { transBatchB: 1 });
    }
    const flat = graph.op('Reshape', [products, graph.ints(points, -1)]);
    const tiles = graph.ints(TILE, blocks, -1, block);
    const outputs = graph.op('Reshape', [graph.op('MatMul', [transform.output, flat]), tiles]);
    const results: Value[] = [];
    for (let index = 0; index < TILE; index++) {
      const { phase, shift } = phaseOf(dilation * index);
      const cut = this.#missing(phase) + shift;
      const bounds = [graph.ints(index, before - shift), graph.ints(index + 1, cut > 0 ? -cut : END), graph.ints(0, 2)];
      results[phase] = graph.op('Slice', [outputs, ...bounds]);
    }
    return graph.op('Concat', results, { axis: 2 });
  }

  /** `[1, channels, length]` → in blocks. */
  #toBlocks(x: Value): Value {
    const { graph } = this.#layers;
    return this.#shape.block === 1 ? x : graph.op('ReorderInput', [graph.op('Unsqueeze', [x, graph.ints(2)])]);
  }

  /** The inverse of `#toBlocks`, for any shape. */
  #fromBlocks(x: Value, channels: number): Value {
    const { graph } = this.#layers;
    if (this.#shape.block === 1) return graph.op('Reshape', [x, graph.ints(1, channels, -1)]);
    const blocks = graph.op('Reshape', [x, graph.ints(1, channels, 1, -1)]);
    return graph.op('Squeeze', [graph.op('ReorderOutput', [blocks], { channels }), graph.ints(2)]);
  }

  /** The transforms of kernels with a number of taps. */
  #transform(taps: number, evaluation: Evaluation): Transform {
    const { graph } = this.#layers;
    const known = this.#transforms.get(evaluation);
    if (known) return known;
    const { channels, block } = this.#shape;
    const { kernel, input, output } = toomCook({ outputs: TILE, taps }, evaluation);
    const points = kernel.length;
    // A kernel with a single 1, applied to a signal of ones.
    const one = input.map((row, point) => kernel[point]![0]! * row.reduce((sum, value) => sum + value, 0));
    const convolutions = input.map((row) => {
      const byRows = Array.from({ length: 2 * TILE }, (_, tap) => row[TILE * (tap % 2) + Math.floor(tap / 2)] ?? 0);
      const ofBlock = byRows.flatMap((factor) => new Array<number>(block).fill(factor));
      const data = Float32Array.from({ length: 2 * TILE * channels }, (_, index) => ofBlock[index % ofBlock.length]!);
      return graph.constant({ type: 'float32', dims: [channels, 1, TILE, 2], data });
    });
    const matrix = graph.constant({ type: 'float32', dims: [TILE, points], data: Float32Array.from(output.flat()) });
    const transform = { points, kernel, one, input: convolutions, output: matrix };
    this.#transforms.set(evaluation, transform);
    return transform;
  }

  /** Samples by which a phase is shorter than the first. */
  #missing(phase: number): number {
    const { remainder } = this.#shape;
    return remainder > 0 && phase >= remainder ? 1 : 0;
  }

  #split(x: Value, axis: number): Value[] {
    return this.#layers.graph.ops('Split', [x, this.#lengths!], TILE, { axis });
  }
}

/** An end beyond every length. */
const END = 2 ** 31 - 1;

/** The phase of a sample relative to a tile's first, and its distance in tiles. */
function phaseOf(sample: number): { phase: number; shift: number } {
  const shift = Math.floor(sample / TILE);
  return { phase: sample - TILE * shift, shift };
}

/** Adds the convolution of a constant to each output's bias. @param size values of an output's kernel */
function addOffset(bias: Float32Array, kernel: Float32Array, size: number, offset: number): void {
  for (let output = 0; output * size < kernel.length; output++) {
    const sum = kernel.subarray(output * size, (output + 1) * size).reduce((a, b) => a + b, 0);
    bias[output]! += offset * sum;
  }
}

/**
 * `[channels, channels, size]` → `[points · channels, channels, chunks of taps]`.
 * @param factors of each point's taps
 */
function transformKernel(
  kernel: Float32Array,
  factors: readonly (readonly number[])[],
  channels: number,
  size: number,
): Float32Array {
  const taps = factors[0]!.length;
  const chunks = Math.ceil(size / taps);
  const rows = channels * channels;
  const transformed = new Float32Array(factors.length * rows * chunks);
  for (const [point, row] of factors.entries()) {
    for (let pair = 0; pair < rows; pair++) {
      for (let chunk = 0; chunk < chunks; chunk++) {
        let sum = 0;
        for (let tap = 0; tap < taps && taps * chunk + tap < size; tap++) {
          sum += row[tap]! * kernel[pair * size + taps * chunk + tap]!;
        }
        transformed[(point * rows + pair) * chunks + chunk] = sum;
      }
    }
  }
  return transformed;
}
