import type { Value } from '../onnx/graph.ts';
import { type Layers, scaleInputs } from './layers.ts';

/** Outputs of a tile, and taps of a kernel that one product of the transformed tile covers. */
const TILE = 4;
/** Evaluation points: 0, ±1, ±2, ½ and infinity. */
const POINTS = 2 * TILE - 1;
/** The point 1 counts once in each output: what is added to its product is added to all four. */
const POINT_ONE = 1;

export interface WinogradConvolution {
  kernel: number;
  dilation: number;
  /** Factors of the input channels, folded into the kernel. */
  inputScale: Float32Array;
}

export interface PhasedShape {
  channels: number;
  /** Of the length divided by 4, whatever the length: the phases from this one on are shorter by one. */
  remainder: 0 | 1;
  /**
   * Pieces of time that are convolved one after another, so that their transforms stay in the cache. Each has to be longer
   * than a kernel reaches: 10 tiles for eleven taps that are 5 samples apart.
   */
  pieces: number;
}

/**
 * Convolutions over time with fewer multiplications: Winograd's F(4, 4) (Lavin & Gray 2015,
 * https://arxiv.org/abs/1509.09308) on each four taps of a kernel, seven multiplications for sixteen. Inside, a signal is
 * held by phases, `[1, channels, length]` with all samples of t mod 4 = 0 first, then those of 1, 2 and 3. A tile's four
 * outputs lie a dilation apart, so that, dilations being odd, each is of another phase, and the tiles of a whole signal
 * are slices of its phases. Whatever works on samples one by one, or on all alike, need not know about it.
 */
export class PhasedSignals {
  readonly #layers: Layers;
  readonly #shape: PhasedShape;
  readonly #input: Value;
  readonly #output: Value;
  /** Samples of the longest phase, `[1]`; and where the pieces begin. */
  #length: Value | undefined;
  readonly #bounds = new Map<string, Value>();

  constructor(layers: Layers, shape: PhasedShape) {
    this.#layers = layers;
    this.#shape = shape;
    const matrix = (rows: readonly (readonly number[])[]) =>
      layers.graph.constant({
        type: 'float32',
        dims: [rows.length, POINTS],
        data: Float32Array.from(rows.flat()),
      });
    this.#input = matrix(transforms.input);
    this.#output = matrix(transforms.output);
  }

  /** `[1, channels, 1, length]` → by phases. All signals of these are of one length. */
  toPhases(x: Value): Value {
    const { graph } = this.#layers;
    const { channels, remainder } = this.#shape;
    const missing = (TILE - remainder) % TILE;
    const whole = missing === 0 ? x : graph.op('Pad', [x, graph.ints(0, 0, 0, 0, 0, 0, 0, missing)]);
    const tiles = graph.op('Reshape', [whole, graph.ints(1, channels, -1, TILE)]);
    const phases = graph.op('Transpose', [tiles], { perm: [0, 1, 3, 2] });
    this.#length ??= graph.op('Shape', [phases], { start: 3, end: 4 });
    if (remainder === 0) return graph.op('Reshape', [phases, graph.ints(1, channels, -1)]);
    const split = graph.ops('Split', [phases], TILE, { axis: 2, num_outputs: TILE }).map((phase, index) => {
      const row = graph.op('Reshape', [phase, graph.ints(1, channels, -1)]);
      return this.#missing(index) === 0 ? row : this.#slice(row, 0, -this.#missing(index));
    });
    return graph.op('Concat', split, { axis: 2 });
  }

  /** The inverse of `toPhases`. */
  fromPhases(x: Value): Value {
    const { graph } = this.#layers;
    const { channels, remainder } = this.#shape;
    let whole = x;
    if (remainder > 0) {
      const padded = this.#split(x).map((phase, index) => this.#pad(phase, 0, this.#missing(index)));
      whole = graph.op('Concat', padded, { axis: 2 });
    }
    const phases = graph.op('Reshape', [whole, graph.ints(1, channels, TILE, -1)]);
    const tiles = graph.op('Transpose', [phases], { perm: [0, 1, 3, 2] });
    const signal = graph.op('Reshape', [tiles, graph.ints(1, channels, 1, -1)]);
    const missing = (TILE - remainder) % TILE;
    if (missing === 0) return signal;
    return graph.op('Slice', [signal, graph.ints(0), graph.ints(-missing), graph.ints(3)]);
  }

  /** A convolution that keeps the length, of and to signals by phases. */
  convolution(x: Value, name: string, { kernel, dilation, inputScale }: WinogradConvolution): Value {
    const { graph, weights } = this.#layers;
    const { channels, pieces } = this.#shape;
    const given = weights.convolution(name, [channels, channels, kernel], channels);
    scaleInputs(given.kernel, inputScale, kernel);
    const chunks = Math.ceil(kernel / TILE);
    const transformed = graph.constant({
      type: 'float32',
      dims: [POINTS * channels, channels, 1, chunks],
      data: transformKernel(given.kernel, channels, kernel),
    });
    const bias = new Float32Array(POINTS * channels);
    bias.set(given.bias!, POINT_ONE * channels);
    const biases = this.#layers.vector(bias);

    // Tile u has the outputs 4u + dilation · i; those before tile 0 have outputs of their own as well.
    const before = Math.floor((dilation * (TILE - 1)) / TILE);
    const padding = ((kernel - 1) * dilation) / 2;
    const reach = (chunks - 1) * dilation;
    const taps = Array.from({ length: POINTS }, (_, index) => phaseOf(dilation * index - padding));
    const results: Value[][] = Array.from({ length: TILE }, () => []);
    for (let piece = 0; piece < pieces; piece++) {
      const last = piece === pieces - 1;
      const rows = taps.map(({ phase, shift }) => {
        // From here to there in the phase, of which the ends of the signal may lack something.
        const from = shift - before;
        const until = shift + reach;
        const left = piece === 0 ? Math.max(0, -from) : 0;
        const right = last ? Math.max(0, until + this.#missing(phase)) : 0;
        const start = this.#place(phase, piece, piece === 0 ? Math.max(0, from) : from);
        const end = last
          ? this.#place(phase, pieces, Math.min(until, -this.#missing(phase)))
          : this.#place(phase, piece + 1, from + reach);
        return this.#pad(graph.op('Slice', [x, start, end, graph.ints(2)]), left, right);
      });
      const tiles = graph.op('Reshape', [graph.op('Concat', rows, { axis: 0 }), graph.ints(POINTS, -1)]);
      const points = graph.op('Reshape', [
        graph.op('MatMul', [this.#input, tiles]),
        graph.ints(1, POINTS * channels, 1, -1),
      ]);
      const products = graph.op('Conv', [points, transformed, biases], {
        kernel_shape: [1, chunks],
        dilations: [1, dilation],
        group: POINTS,
      });
      const flat = graph.op('Reshape', [products, graph.ints(POINTS, -1)]);
      const outputs = graph.op('Reshape', [graph.op('MatMul', [this.#output, flat]), graph.ints(TILE, channels, -1)]);
      for (let index = 0; index < TILE; index++) {
        const { phase, shift } = phaseOf(dilation * index);
        const start = piece === 0 ? before - shift : 0;
        const cut = last ? this.#missing(phase) + shift : 0;
        const bounds = [graph.ints(index, start), graph.ints(index + 1, cut > 0 ? -cut : END), graph.ints(0, 2)];
        results[phase]!.push(graph.op('Slice', [outputs, ...bounds]));
      }
    }
    return graph.op('Concat', results.flat(), { axis: 2 });
  }

  /** Samples by which a phase is shorter than the first one. */
  #missing(phase: number): number {
    const { remainder } = this.#shape;
    return remainder > 0 && phase >= remainder ? 1 : 0;
  }

  #split(x: Value): Value[] {
    const { graph } = this.#layers;
    const sizes = Array.from({ length: TILE }, (_, phase) => this.#bound(this.#shape.pieces, -this.#missing(phase)));
    return graph.ops('Split', [x, graph.op('Concat', sizes, { axis: 0 })], TILE, { axis: 2 });
  }

  #pad(x: Value, left: number, right: number): Value {
    const { graph } = this.#layers;
    return left === 0 && right === 0 ? x : graph.op('Pad', [x, graph.ints(0, 0, left, 0, 0, right)]);
  }

  #slice(x: Value, start: number, end: number): Value {
    const { graph } = this.#layers;
    return graph.op('Slice', [x, graph.ints(start), graph.ints(end), graph.ints(2)]);
  }

  /** Where a piece of a phase begins in a signal by phases, and so many samples on, `[1]`. */
  #place(phase: number, piece: number, offset: number): Value {
    const { graph } = this.#layers;
    const key = `${phase}:${piece}:${offset}`;
    let place = this.#bounds.get(key);
    if (place === undefined) {
      // The phases before this one are `#length` long each, less what they miss.
      const missing = Array.from({ length: phase }, (_, before) => this.#missing(before)).reduce((a, b) => a + b, 0);
      const begin = graph.op('Mul', [this.#length!, graph.ints(phase)]);
      place = graph.op('Add', [begin, this.#bound(piece, offset - missing)]);
      this.#bounds.set(key, place);
    }
    return place;
  }

  /** Where a piece begins, and so many samples on, `[1]`. */
  #bound(piece: number, offset: number): Value {
    const { graph } = this.#layers;
    const { pieces } = this.#shape;
    const key = `${piece}:${offset}`;
    let bound = this.#bounds.get(key);
    if (bound === undefined) {
      const share = graph.op('Div', [graph.op('Mul', [this.#length!, graph.ints(piece)]), graph.ints(pieces)]);
      bound = graph.op('Add', [share, graph.ints(offset)]);
      this.#bounds.set(key, bound);
    }
    return bound;
  }
}

/** An end beyond every length. */
const END = 2 ** 31 - 1;

/** The phase of a sample before or after a tile's first, and how many tiles away it lies. */
function phaseOf(sample: number): { phase: number; shift: number } {
  const shift = Math.floor(sample / TILE);
  return { phase: sample - TILE * shift, shift };
}

/** `[channels, channels, kernel]` → `[points · channels, channels, chunks of four taps]`. */
function transformKernel(kernel: Float32Array, channels: number, size: number): Float32Array {
  const chunks = Math.ceil(size / TILE);
  const rows = channels * channels;
  const transformed = new Float32Array(POINTS * rows * chunks);
  for (const [point, factors] of transforms.kernel.entries()) {
    for (let row = 0; row < rows; row++) {
      for (let chunk = 0; chunk < chunks; chunk++) {
        let sum = 0;
        for (let tap = 0; tap < TILE && TILE * chunk + tap < size; tap++) {
          sum += factors[tap]! * kernel[row * size + TILE * chunk + tap]!;
        }
        transformed[(point * rows + row) * chunks + chunk] = sum;
      }
    }
  }
  return transformed;
}

/**
 * The three transforms, y = output · ((kernel · g) ∘ (input · x)) for four taps g and seven samples x: Toom-Cook
 * multiplication of two polynomials of degree three, by their values at seven points, transposed.
 */
const transforms = (() => {
  const points = [0, 1, -1, 2, -2, 0.5];
  /** Powers of each point; at infinity a polynomial's value is its highest coefficient. */
  const evaluation = (length: number) => [
    ...points.map((point) => Array.from({ length }, (_, power) => point ** power)),
    Array.from({ length }, (_, power) => (power === length - 1 ? 1 : 0)),
  ];
  const values = evaluation(TILE);
  return { kernel: values, output: transpose(values), input: transpose(inverse(evaluation(POINTS))) };
})();

function transpose(rows: readonly (readonly number[])[]): number[][] {
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!));
}

/** By Gauss-Jordan elimination. */
function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...row.map((_, column) => (column === index ? 1 : 0))]);
  for (let column = 0; column < size; column++) {
    const candidates = rows.slice(column).map((row) => Math.abs(row[column]!));
    const pivot = column + candidates.indexOf(Math.max(...candidates));
    const chosen = rows[pivot]!.map((value) => value / rows[pivot]![column]!);
    rows[pivot] = rows[column]!;
    rows[column] = chosen;
    for (let row = 0; row < size; row++) {
      const factor = rows[row]![column]!;
      if (row !== column) rows[row] = rows[row]!.map((value, index) => value - factor * chosen[index]!);
    }
  }
  return rows.map((row) => row.slice(size));
}
