import type { GraphBuilder, Value } from '../../../ort/graph/builder.ts';
import { dataTypes } from '../../../ort/graph/schema.ts';

/**
 * A way to compute Snake (Ziyin et al. 2020, https://arxiv.org/abs/2006.08195): x + sin²(αx) / α. The norm before it
 * multiplies by `factor` · α, and the convolution after it divides, so that only z + sin² z, z = αx, remains.
 */
export interface Snake {
  factor: number;
  /** From `factor` · z to `factor` · (z + sin² z) − `offset`. */
  apply(graph: GraphBuilder, z: Value): Value;
  /** What the convolution must add to its inputs. */
  offset: 0 | 1;
}

/** As it is defined. */
export const sineSnake: Snake = {
  factor: 1,
  offset: 0,
  apply(graph, z) {
    const sine = graph.op('Sin', [z]);
    return graph.op('Add', [z, graph.op('Mul', [sine, sine])]);
  },
};

/** 2 (z + sin² z) = 2z − cos 2z + 1: one operator less if adding 1 is free. */
export const cosineSnake: Snake = {
  factor: 2,
  offset: 1,
  apply: (graph, z) => graph.op('Sub', [z, graph.op('Cos', [z])]),
};

/** Steps of a period of sin², π: an int8 holds the phase, from −½ to ½ of a period. Also steps of the sigmoid. */
const STEPS = 256;
/** Steps of the squared phase, both ends included. */
const SQUARE_STEPS = 255;
/** Byte of the lowest value. */
const LOWEST = -128;
/**
 * sin² πr ≈ AMPLITUDE · tanh(STEEPNESS · r²) + 0.008 for |r| ≤ ½, a least-squares fit with an error of at most 0.009. The
 * constant is a step of the result.
 */
const AMPLITUDE = 1.031;
const STEEPNESS = 8.28;

/**
 * For convolutions in bytes, which round more coarsely: the square of the sine in bytes, within 0.025. onnxruntime's `Sin`
 * takes seven times as long as other operators and runs on one thread: a fifth of the time of speech on one thread, and a
 * third on two.
 */
export const byteSnake: Snake = {
  factor: 1,
  offset: 0,
  apply(graph, z) {
    const byte = (value: number) => graph.constant({ type: 'int8', dims: [], data: Int8Array.of(value) });
    const zero = graph.constant({ type: 'int16', dims: [], data: Int16Array.of(0) });
    const steps = graph.op('QuantizeLinear', [z, graph.scalar(Math.PI / STEPS), zero]);
    // Keeps the low byte: the phase within the period.
    const phase = graph.op('Cast', [steps], { to: dataTypes.int8 });
    const period = graph.scalar(1 / STEPS);
    const lowest = byte(LOWEST);
    const square = graph.op('QLinearMul', [
      ...[phase, period, byte(0)],
      ...[phase, period, byte(0)],
      ...[graph.scalar(0.25 / SQUARE_STEPS), lowest],
    ]);
    // tanh x = 2σ(2x) − 1
    const sigmoid = graph.op('QLinearSigmoid', [
      ...[square, graph.scalar((2 * STEEPNESS * 0.25) / SQUARE_STEPS), lowest],
      ...[graph.scalar(1 / STEPS), lowest],
    ]);
    const scale = graph.scalar((2 * AMPLITUDE) / STEPS);
    return graph.op('Add', [z, graph.op('DequantizeLinear', [sigmoid, scale, byte(-1)])]);
  },
};
