/** How polynomials are multiplied: by their values at some points, beside infinity, and perhaps modulo x² + 1. */
export interface Evaluation {
  /** Each with its negative. */
  points: readonly number[];
  /** Where values modulo x² + 1 are taken, a + bx: at 0, at this number and at its negative. */
  modulo?: number;
}

/** For four outputs, by the taps that a product covers; of all real points these let rounding errors grow least. */
export const USUAL: Readonly<Record<3 | 4, Evaluation>> = {
  3: { points: [0, 5 / 8, -5 / 8, 3 / 2, -3 / 2] },
  4: { points: [1 / 4, -1 / 4, 7 / 8, -7 / 8, 7 / 4, -7 / 4] },
};
/** For four taps, with a product more: rounding errors hardly grow (docs/decisions/0010-kokoro.md). */
export const PRECISE: Evaluation = { points: [1 / 2, -1 / 2, 5 / 4, -5 / 4], modulo: 7 / 4 };

/**
 * The three transforms of Winograd's convolution, y = output · ((kernel · g) ∘ (input · x)) for taps g and the samples x
 * that some outputs y take: Toom-Cook multiplication of two polynomials, transposed. Of the evaluations above all factors of
 * samples and outputs are exact in float32.
 */
export function toomCook({ outputs, taps }: { outputs: number; taps: number }, { points, modulo }: Evaluation) {
  const samples = outputs + taps - 1;
  const quadratic = modulo === undefined ? [1] : [1, 0, 1];
  const all = polynomial(points);
  const others = points.map((point) => points.filter((other) => other !== point));
  /** What each product takes of a polynomial, by the power; its part of the result, and what that is to be divided by. */
  const products = points.map((point, index) => ({
    value: (power: number) => point ** power,
    part: multiply(polynomial(others[index]!), quadratic),
    divisor: others[index]!.reduce((product, other) => product * (point - other), valueAt(quadratic, point)),
  }));
  if (modulo !== undefined) {
    // By the Chinese remainder theorem; as points have their negatives, modulo x² + 1 all is a number.
    const square = modulo ** 2;
    const remainder = all.reduce((sum, value, power) => sum + value * powerModulo(power, 0), 0);
    for (const at of [0, modulo, -modulo]) {
      products.push({
        value: (power) => powerModulo(power, at),
        part: at === 0 ? all : multiply(all, [-1, at]),
        divisor: remainder * (at === 0 ? square / (square + 1) : 2 * square),
      });
    }
  }
  const evaluation = (length: number) => [
    ...products.map(({ value }) => Array.from({ length }, (_, power) => value(power))),
    // At infinity a polynomial's value is its highest coefficient.
    Array.from({ length }, (_, power) => (power === length - 1 ? 1 : 0)),
  ];
  return {
    kernel: evaluation(taps).map((row, index) => row.map((value) => value / (products[index]?.divisor ?? 1))),
    output: transpose(evaluation(outputs)),
    input: [...products.map(({ part }) => part), multiply(all, quadratic)].map((part) =>
      Array.from({ length: samples }, (_, power) => part[power] ?? 0),
    ),
  };
}

/** Coefficients, the constant one first, of the product of all (x - root). */
function polynomial(roots: readonly number[]): number[] {
  return roots.reduce((product, root) => multiply(product, [-root, 1]), [1]);
}

function multiply(a: readonly number[], b: readonly number[]): number[] {
  const product = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, left] of a.entries()) for (const [j, right] of b.entries()) product[i + j]! += left * right;
  return product;
}

function valueAt(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
}

/** A power of x modulo x² + 1, which is 1, x, -1 or -x, at a number. */
function powerModulo(power: number, at: number): number {
  return (power % 2 === 0 ? 1 : at) * (power % 4 < 2 ? 1 : -1);
}

function transpose(rows: readonly (readonly number[])[]): number[][] {
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!));
}
