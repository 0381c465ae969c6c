import { describe, expect, it } from 'vitest';
import { cpu } from '../../../ort/device.ts';
import { GraphBuilder } from '../../../ort/graph/builder.ts';
import { float32, Session } from '../../../ort/session.ts';
import { byteSnake, cosineSnake, type Snake, sineSnake } from './snake.ts';

/** Four times the largest values that the official weights reach. */
const arguments_ = Float32Array.from({ length: 8001 }, (_, index) => (index - 4000) / 12);

/** z + sin² z by a form of Snake, for each of `arguments_`. */
async function computed(snake: Snake): Promise<number[]> {
  const graph = new GraphBuilder('snake');
  const dims = [1, 1, 1, arguments_.length];
  graph.output('y', snake.apply(graph, graph.input('z', 'float32', dims)), 'float32', dims);
  const session = await Session.load(graph.build(), cpu({ threads: 1 }));
  const z = arguments_.map((value) => snake.factor * value);
  const { y } = await session.run({ z: float32(z, dims) });
  return [...(y!.data as Float32Array)].map((value) => (value + snake.offset) / snake.factor);
}

describe.each([
  { name: 'sineSnake', snake: sineSnake, largest: 1e-4 },
  { name: 'cosineSnake', snake: cosineSnake, largest: 1e-4 },
  { name: 'byteSnake', snake: byteSnake, largest: 0.025 },
])('$name', ({ snake, largest }) => {
  it(`is within ${largest} of z + sin² z`, async () => {
    const values = await computed(snake);
    const errors = values.map((value, index) => value - arguments_[index]! - Math.sin(arguments_[index]!) ** 2);
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(largest);
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    expect(Math.abs(mean)).toBeLessThan(largest / 10);
  });
});
