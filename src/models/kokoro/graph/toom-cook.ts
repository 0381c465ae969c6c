/** Where polynomials are evaluated for Toom-Cook: at points, at infinity and, optionally, modulo x² + 1. */
export interface Evaluation {
  /** In pairs of opposite signs. */
  points: readonly number[];
  /** Values modulo x² + 1, a + bx, are taken at 0 and at plus and minus this number. */
  modulo?: number;
}

/** For four outputs, by taps: the real points with the least growth of rounding errors. */
export const USUAL: Readonly<Record<3 | 4, Evaluation>> = {
  3: { points: [0, 5 / 8, -5 / 8, 3 / 2, -3 / 2] },
  4: { points: [1 / 4, -1 / 4, 7 / 8, -7 / 8, 7 / 4, -7 / 4] },
};
/** For four taps, with one more product: rounding errors hardly grow (docs/decisions/0010-kokoro.md). */
export const PRECISE: Evaluation = { points: [1 / 2, -1 / 2, 5 / 4, -5 / 4], modulo: 7 / 4 };

/**
 * The three transforms of Winograd's convolution, y = output · ((kernel · g) ∘ (input · x)), for taps g, samples x and
 * outputs y: transposed Toom-Cook multiplication of polynomials. For the evaluations above, the factors of samples and
 * outputs are exact in float32.
 */
export function toomCook({ outputs, taps }: { outputs: number; taps: number }, { points, modulo }: Evaluation) {
  const samples = outputs + taps - 1;
  const quadratic = modulo === undefined ? [1] : [1, 0, 1];
  const all = polynomial(points);
  const others = points.map((point) => points.filter((other) => other !== point));
  /** Per product: its value of a power of x, its part of the result, and the divisor of that part. */
  const products = points.map((point, index) => ({
    value: (power: number) => point ** power,
    part: multiply(polynomial(others[index]!), quadratic),
    divisor: others[index]!.reduce((product, other) => product * (point - other), valueAt(quadratic, point)),
  }));
  if (modulo !== undefined) {
    // Chinese remainder theorem. As points come in opposite pairs, `all` modulo x² + 1 is a number.
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

/** Coefficients of the product of all (x - root), the constant one first. */
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

/** A power of x modulo x² + 1 (1, x, -1 or -x) at a number. */
function powerModulo(power: number, at: number): number {
  return (power % 2 === 0 ? 1 : at) * (power % 4 < 2 ? 1 : -1);
}

function transpose(rows: readonly (readonly number[])[]): number[][] {
  return rows[0]!.map((_, column) => rows.map((row) => row[column]!));
}
