import { describe, expect, it } from 'vitest';
import { plainFormula } from './latex.ts';

describe('plainFormula', () => {
  it.each([
    [String.raw`\frac{1}{2} + \dfrac{a+b}{c}`, '1/2 + (a+b) ÷ c'],
    [String.raw`\frac{\frac{a}{b}}{2}`, '(a ÷ b) ÷ 2'],
    [String.raw`\sqrt{x+1} \cdot \sqrt[3]{y}`, '√ (x+1) × ∛ y'],
    [String.raw`\sum_{i=1}^{n} x_i \to \infty`, '∑ (i=1, n) x i → ∞'],
    [String.raw`\alpha\Omega\sigma\varepsilon`, 'α Ω σ ε'],
    [String.raw`mc^{2}, e^{-x}, 10^{-3}, H_2O, 90^\circ`, 'm c², e^(−x), 10⁻³, H₂O, 90°'],
    [String.raw`\left( \begin{matrix} a & b \\ c & d \end{matrix} \right)`, '(a, b; c, d)'],
    ['f(x) = log(x), v_{max} = ab', 'f(x) = log(x), v max = a b'],
    [String.raw`\text{if well-known } \mathbf{v} \% \{x\}`, 'if well-known v % x'],
    [String.raw`\constructor \unknown{a} {`, 'constructor unknown a'],
  ])('%s', (latex, plain) => expect(plainFormula(latex)).toBe(plain));
});
