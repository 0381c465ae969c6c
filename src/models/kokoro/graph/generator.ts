import type { Value } from '../../../ort/graph/builder.ts';
import type { KokoroConfiguration } from '../configuration.ts';
import type { Affine, Layers } from './layers.ts';
import { byteConvolution, outputRanges, type Quantization, type SquareConvolution } from './quantization.ts';
import { byteSnake, cosineSnake, type Snake, sineSnake } from './snake.ts';
import { type PhasedShape, PhasedSignals, type SignalSum } from './winograd.ts';

/**
 * How the generator's residual blocks convolve: in floats by Winograd's algorithm if that is faster, in floats without
 * it (`direct`, for GPUs), in floats with outputs that measure ranges (`calibration`), or in bytes.
 */
export type ConvolutionForm = Winograd | 'direct' | 'calibration' | Quantization;

export interface Winograd {
  /** Channels of a block on this device (`channelBlock`). */
  block: number;
}

/** Negative slopes of LeakyReLU before each stage, and before the last convolution (torch's default). */
const STAGE_SLOPE = 0.1;
const LAST_SLOPE = 0.01;
/** Kernels of the harmonics' residual blocks. */
const HARMONICS_KERNEL = 7;
const LAST_HARMONICS_KERNEL = 11;
const HARMONICS_DILATIONS = [1, 3, 5];
const LAST_KERNEL = 7;
/** Samples of a tile. */
const PHASES = 4;

interface ResidualBlock {
  channels: number;
  style: number;
  kernel: number;
  dilations: readonly number[];
  /** Whether to convolve precisely: for blocks that cause most of the rounding errors. */
  precise?: boolean;
}

/** A stage's signals in the layouts of its residual blocks and of its convolutions. */
interface StageSignals {
  /** Converts from `[1, channels, 1, length]`, and back. */
  take(x: Value): Value;
  give(x: Value): Value;
  /**
   * Sums and activates channels between convolutions.
   * @param activate for some channels, `[1, …, length]`
   * @returns the sum of the signals, and the input of the next convolution
   */
  activate(
    signals: SignalSum,
    affine: Affine,
    activate: (x: Value, affine: Affine) => Value,
  ): Promise<{ sum: Value; active: Value }>;
  /** The sum of the signals. */
  add(signals: SignalSum): Value;
  /** A convolution that keeps channels and length. */
  convolve(active: Value, name: string, shape: Omit<SquareConvolution, 'channels'> & { precise: boolean }): Value;
  /** How the residual blocks activate. */
  snake: Snake;
}

/**
 * ISTFTNet's generator (Kaneko et al. 2022): transposed convolutions up to the frames of a short-time Fourier
 * transform, the harmonics of the pitch added at each stage, and the transform's inverse.
 * @param x `[1, channels, 1, 2 · frames]`
 * @param harmonics `[2 · bins, length]`, magnitudes and then phases of the harmonic source
 * @returns samples `[n]`, whose ends need `correctEdges`
 */
export async function generator(
  layers: Layers,
  x: Value,
  harmonics: Value,
  style: Value,
  configuration: KokoroConfiguration,
  form: ConvolutionForm,
): Promise<Value> {
  const { graph } = layers;
  const { channels, stages, blocks, fourierSize } = configuration.generator;
  const bins = fourierSize / 2 + 1;
  const source = graph.op('Unsqueeze', [harmonics, graph.ints(0, 2)]);
  let length = 2;
  // Factor of a stage's result. LeakyReLU lets it pass, and the next weights absorb it.
  let scale = 1;
  for (const [stage, { rate, kernel }] of stages.entries()) {
    const last = stage === stages.length - 1;
    const inputs = channels / 2 ** stage;
    const outputs = inputs / 2;
    length *= rate;
    const name = (module: string) => `decoder.generator.${module}.${stage}`;
    const size = { channels: outputs, style: configuration.style };
    // Two values per frame times the rates so far, plus one in the last stage: the remainder is constant.
    const signals =
      isWinograd(form) && length % PHASES === 0 && blocks.every(({ dilations }) => dilations.every(isOdd))
        ? signalsByPhases(layers, {
            channels: outputs,
            block: outputs % form.block === 0 ? form.block : 1,
            samplesPerFrame: length,
            remainder: last ? 1 : 0,
          })
        : plainSignals(layers, form, outputs);

    const strides = stages.slice(stage + 1).reduce((product, { rate }) => product * rate, 1);
    const converted = layers.convolution(source, name('noise_convs'), {
      inputs: 2 * bins,
      outputs,
      kernel: last ? 1 : 2 * strides,
      stride: strides,
      padding: last ? 0 : Math.floor((strides + 1) / 2),
    });
    const harmonicsKernel = last ? LAST_HARMONICS_KERNEL : HARMONICS_KERNEL;
    const added = await residualBlocks(layers, signals, signals.take(converted), style, [
      { ...size, name: name('noise_res'), kernel: harmonicsKernel, dilations: HARMONICS_DILATIONS, precise: true },
    ]);

    x = layers.upsampling(layers.leakyRelu(x, STAGE_SLOPE), name('ups'), {
      inputs,
      outputs,
      kernel,
      rate,
      inputScale: scale,
    });
    if (last) x = graph.op('Pad', [x, graph.ints(0, 0, 0, 1, 0, 0, 0, 0)], { mode: 'reflect' });
    const sum = await residualBlocks(
      layers,
      signals,
      graph.op('Add', [signals.take(x), added]),
      style,
      blocks.map((block, index) => ({
        ...size,
        ...block,
        name: `decoder.generator.resblocks.${stage * blocks.length + index}`,
      })),
    );
    x = signals.give(sum);
    scale = 1 / blocks.length;
  }
  const spectrum = layers.convolution(layers.leakyRelu(x, LAST_SLOPE), 'decoder.generator.conv_post', {
    inputs: channels / 2 ** stages.length,
    outputs: 2 * bins,
    kernel: LAST_KERNEL,
    inputScale: Float32Array.of(scale),
  });
  return inverseFourier(layers, spectrum, configuration.generator);
}

const isWinograd = (form: ConvolutionForm): form is Winograd => typeof form === 'object' && 'block' in form;
const isQuantization = (form: ConvolutionForm): form is Quantization => typeof form === 'object' && 'ranges' in form;
const isOdd = (dilation: number) => dilation % 2 === 1;

function signalsByPhases(layers: Layers, shape: PhasedShape): StageSignals {
  const phased = new PhasedSignals(layers, shape);
  return {
    take: (x) => phased.toPhases(x),
    give: (x) => phased.fromPhases(x),
    activate: (signals, affine, activate) => phased.activate(signals, affine, activate),
    add: (signals) => phased.add(signals),
    convolve: (active, name, shape) => phased.convolution(active, name, { ...shape, inputOffset: cosineSnake.offset }),
    snake: cosineSnake,
  };
}

function plainSignals(layers: Layers, form: ConvolutionForm, channels: number): StageSignals {
  const add = ({ signal, convolved }: SignalSum) =>
    signal && convolved ? layers.graph.op('Add', [convolved, signal]) : (signal ?? convolved)!;
  return {
    take: (x) => x,
    give: (x) => x,
    async activate(signals, affine, activate) {
      const sum = add(signals);
      return { sum, active: activate(sum, affine) };
    },
    add,
    convolve: (x, name, shape) => directConvolution(layers, form, x, name, { ...shape, channels }),
    snake: isQuantization(form) ? byteSnake : sineSnake,
  };
}

/** The sum of several residual blocks of one signal. */
async function residualBlocks(
  layers: Layers,
  signals: StageSignals,
  x: Value,
  style: Value,
  blocks: readonly (ResidualBlock & { name: string })[],
): Promise<Value> {
  const results: Value[] = [];
  for (const { name, ...block } of blocks) results.push(await residualBlock(layers, signals, x, style, name, block));
  return results.reduce((a, b) => layers.graph.op('Add', [a, b]));
}

/** A convolution of a whole signal, in floats or in bytes. */
function directConvolution(
  layers: Layers,
  form: ConvolutionForm,
  x: Value,
  name: string,
  { channels, kernel, dilation, inputScale }: SquareConvolution,
): Value {
  if (isQuantization(form)) {
    return byteConvolution(layers, x, name, form, { channels, kernel, dilation, inputScale });
  }
  const y = layers.convolution(x, name, { inputs: channels, outputs: channels, kernel, dilation, inputScale });
  if (form === 'calibration') outputRanges(layers, name, { input: x, output: y });
  return y;
}

/** `AdaINResBlock1`: per dilation two convolutions, each after an adaptive norm and a Snake. */
async function residualBlock(
  layers: Layers,
  signals: StageSignals,
  x: Value,
  style: Value,
  name: string,
  { channels, style: width, kernel, dilations, precise = false }: ResidualBlock,
): Promise<Value> {
  const { graph, weights } = layers;
  const { snake } = signals;
  const normedSnake = (x: Value, affine: Affine) => snake.apply(graph, layers.instanceNorm(x, affine));
  const convolve = async (summed: SignalSum, part: 1 | 2, index: number, dilation: number) => {
    const alpha = weights.read(`${name}.alpha${part}.${index}`, [1, channels, 1]);
    const factors = alpha.map((factor) => snake.factor * factor);
    const affine = layers.styledAffine(style, `${name}.adain${part}.${index}`, { channels, style: width }, factors);
    const { sum, active } = await signals.activate(summed, affine, normedSnake);
    const inputScale = factors.map((factor) => 1 / factor);
    const shape = { kernel, dilation, inputScale, precise };
    return { sum, convolved: signals.convolve(active, `${name}.convs${part}.${index}`, shape) };
  };
  let summed: SignalSum = { signal: x };
  for (const [index, dilation] of dilations.entries()) {
    const first = await convolve(summed, 1, index, dilation);
    const second = await convolve({ convolved: first.convolved }, 2, index, 1);
    summed = { signal: first.sum, convolved: second.convolved };
  }
  return signals.add(summed);
}

/** Log magnitudes and angles of phases, `[1, 2 · bins, 1, frames]`, to samples by overlapping windows. */
function inverseFourier(
  layers: Layers,
  spectrum: Value,
  { fourierSize, fourierHop }: KokoroConfiguration['generator'],
): Value {
  const { graph } = layers;
  const [logMagnitude, angle] = graph.ops('Split', [spectrum], 2, { axis: 1, num_outputs: 2 }) as [Value, Value];
  const magnitude = graph.op('Exp', [logMagnitude]);
  const phase = graph.op('Sin', [angle]);
  const part = (projection: 'Cos' | 'Sin') => graph.op('Mul', [magnitude, graph.op(projection, [phase])]);
  const complex = graph.op('Concat', [part('Cos'), part('Sin')], { axis: 1 });
  const bins = fourierSize / 2 + 1;
  const basis = graph.constant({
    type: 'float32',
    dims: [2 * bins, 1, 1, fourierSize],
    data: inverseBasis(fourierSize, fourierHop),
  });
  const samples = graph.op('ConvTranspose', [complex, basis], {
    kernel_shape: [1, fourierSize],
    strides: [1, fourierHop],
    // Frames are centred, so half of the first and of the last one is outside.
    pads: [0, fourierSize / 2, 0, fourierSize / 2],
  });
  return graph.op('Reshape', [samples, graph.ints(-1)]);
}

/** `[2 · bins, size]`: the windowed wave of each bin's real and imaginary part, over the sum of the squared windows. */
function inverseBasis(size: number, hop: number): Float32Array {
  const bins = size / 2 + 1;
  const basis = new Float32Array(2 * bins * size);
  const overlap = squaredWindows(size, hop);
  for (let bin = 0; bin < bins; bin++) {
    // Inner bins count twice, for their mirror images.
    const share = bin === 0 || bin === size / 2 ? 1 : 2;
    for (let sample = 0; sample < size; sample++) {
      const factor = (share * hann(sample, size)) / (size * overlap);
      const angle = (2 * Math.PI * ((bin * sample) % size)) / size;
      basis[bin * size + sample] = factor * Math.cos(angle);
      basis[(bins + bin) * size + sample] = -factor * Math.sin(angle);
    }
  }
  return basis;
}

/** Value of a periodic Hann window of `size` samples. */
export function hann(sample: number, size: number): number {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * sample) / size);
}

/**
 * Sum of the squared windows that overlap at a sample: the same for all samples, with windows a hop (a quarter) apart.
 */
function squaredWindows(size: number, hop: number): number {
  let sum = 0;
  for (let offset = 0; offset < size; offset += hop) sum += hann(offset, size) ** 2;
  return sum;
}

/**
 * Corrects the first and the last hop in place: as frames are centred, one window less overlaps there.
 * @param samples output of the generator
 */
export function correctEdges(
  samples: Float32Array,
  { fourierSize: size, fourierHop: hop }: KokoroConfiguration['generator'],
): void {
  const overlap = squaredWindows(size, hop);
  const end = samples.length - 1;
  for (let index = 0; index < hop; index++) {
    samples[index]! *= overlap / (overlap - hann(size / 2 + hop + index, size) ** 2);
    samples[end - index]! *= overlap / (overlap - hann(size / 2 - hop - 1 - index, size) ** 2);
  }
}
