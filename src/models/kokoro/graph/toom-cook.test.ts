import { describe, expect, it } from 'vitest';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { PRECISE, toomCook, USUAL } from './toom-cook.ts';

const product = (matrix: number[][], vector: number[]) =>
  matrix.map((row) => row.reduce((sum, value, index) => sum + value * vector[index]!, 0));
const squares = (row: number[]) => row.reduce((sum, value) => sum + value ** 2, 0);

describe('toomCook', () => {
  it.each([
    { name: 'three taps', taps: 3, evaluation: USUAL[3], products: 6, growth: 2.2 },
    { name: 'four taps', taps: 4, evaluation: USUAL[4], products: 7, growth: 3.05 },
    { name: 'four taps, precise', taps: 4, evaluation: PRECISE, products: 8, growth: 1.35 },
  ])('$name: convolves with exact factors and little growth of noise', (given) => {
    const { taps, evaluation, products, growth } = given;
    const { kernel, input, output } = toomCook({ outputs: 4, taps }, evaluation);
    expect(kernel).toHaveLength(products);
    const random = seededNoise(1);
    const g = Array.from({ length: taps }, random);
    const x = Array.from({ length: taps + 3 }, random);
    const transformed = product(input, x);
    const y = product(
      output,
      product(kernel, g).map((value, index) => value * transformed[index]!),
    );
    for (const [at, value] of y.entries()) {
      const expected = g.reduce((sum, tap, index) => sum + tap * x[at + index]!, 0);
      expect(value).toBeCloseTo(expected, 12);
    }
    for (const value of [...input, ...output].flat()) expect(Math.fround(value)).toBe(value);
    const noise = output.map((row) =>
      row.reduce((sum, factor, index) => sum + factor ** 2 * squares(kernel[index]!) * squares(input[index]!), 0),
    );
    expect(Math.sqrt(noise.reduce((sum, value) => sum + value, 0) / (4 * taps))).toBeLessThan(growth);
  });
});
