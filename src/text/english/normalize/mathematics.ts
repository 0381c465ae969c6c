import { matchAt, textBefore } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** What bars may enclose: `|x - y|`, `|v|`; no words, so that the cells of a table do not match. */
const value = String.raw`[-−]?(?:\p{L}{1,2}|\d[\d.]{0,9}|[([])(?:[\d\s+*/^_.,()⁰-⁹₀-₉²³−-]|(?<!\p{L}{2})\p{L}){0,30}`;
const absolute = new RegExp(String.raw`(\|{1,2})(?=${value}(?<!\s)\1(?!\|))`, 'uy');
const absoluteBefore = new RegExp(String.raw`(?:^|[\s(=+*/<>≤≥−-])(\|{1,2})${value}$`, 'u');
const barNext = /\|{1,2}(?:[\s),.;:?=+*/<>≤≥^²³−-]|$)/y;
/** The state of a quantum: `|0⟩`, `|ψ⟩`, `⟨0|` */
const braBefore = /⟨[\p{L}\d+−↑↓-]{1,4}$/u;
const ket = /\|(?=[\p{L}\d+−↑↓-]{1,4}⟩)/uy;
const conditionBefore = /(?<!\p{L})(?:P|Pr|p|q|E|H)[([][^()[\]|]{1,40}$/u;
/** `{x ∈ ℝ | …}`; a name of more letters is one of a program. */
const setBefore = /\{\s?\p{L}(?:_?\d|, ?\p{L})?(?:\s?∈[^{}|]{1,30})?\s$/u;
const boundsBefore = /[∑∏∫] (?:\([^()]{1,60})?$/;
const limit = /lim(?=\s?\(?\p{L}{1,2}\s?→)/uy;
const limitBefore = /(?<!\p{L})lim\s?\(?\p{L}{1,2}\s?$/u;
/** What implies is a number, an unknown or in brackets; after a word `⇒` is an arrow. */
const impliedBefore = /(?:[\d)²³]|(?<![\p{L}'’])\p{L})\s?$/u;
/** A function by its argument: `sin(x)`, `cos θ`, `tan² x`, `sin 30°`. Without one, `sin` is a word, as in `sin 3 times`. */
const trigonometric = /(sin|cos|tan)(?=\(|\s?[²³^]|\s[xyzα-ω](?!\p{L})|\d|\s\d{1,3}\s?°)/uy;
/** `tan⁻¹(1)` */
const inverse = /(sin|cos|tan)⁻¹(?!\p{L})/uy;
/** `f⁻¹(x)`, `A⁻¹`; not `K⁻¹` of units */
const inverseNext = /⁻¹(?![⁰¹²³⁴-⁹])/y;
const inverseBefore = /(?<![\p{L}\d·])(?:[fgh]|(?<!\d\s)[ABMPQ])$/u;
const functions: Record<string, string> = { sin: 'sine', cos: 'cosine', tan: 'tangent' };
/** `sqrt(16)` */
const root = /sqrt(?![\p{L}\d_])/uy;
/** `log_2(8)` */
const logarithm = /log_(\d{1,3}|[a-z])(?![\p{L}\d_])/uy;
const transposed = /\^(?:T|⊤)(?![\p{L}\d])/uy;
/** `m×n matrix` */
const size = /×(?=\s?\p{L}\s(?:real\s|square\s)?(?:matri(?:x|ces)|grid|table|board|array|image)(?!\p{L}))/uy;

/**
 * Signs of mathematics whose words depend on their neighbours: bars (`|x|`, `P(A|B)`), the bounds of sums and integrals as
 * `plainFormula` writes them, limits, functions and transposed matrices.
 */
export function matchMathematics(context: Context): Match | undefined {
  const { text, index } = context;
  switch (text[index]) {
    case '|':
      return matchBar(text, index);
    case '(':
    case ',':
    case ')':
      return matchBounds(text, index);
    case '→':
      return limitBefore.test(textBefore(context, 8)) ? { end: index + 1, words: 'approaches' } : undefined;
    case '⇒':
      return impliedBefore.test(textBefore(context, 4)) ? { end: index + 1, words: 'implies' } : undefined;
    case '^': {
      const isMatrix = /[A-Za-df-z)\]]$/.test(textBefore(context, 1));
      const found = isMatrix ? matchAt(transposed, text, index)?.[0] : undefined;
      return found ? { end: index + found.length, words: 'transpose' } : undefined;
    }
    case '×':
      return matchAt(size, text, index) && { end: index + 1, words: 'by' };
    case 'l': {
      const [log = '', base = ''] = matchAt(logarithm, text, index) ?? [];
      if (log && !/[\p{L}_]/u.test(text[index - 1] ?? '')) {
        const words = /\d/.test(base) ? cardinal(base) : base.toUpperCase();
        return { end: index + log.length, words: `log base ${words} of` };
      }
      return matchAt(limit, text, index) && { end: index + 3, words: 'limit as' };
    }
    case '⁻':
      return matchAt(inverseNext, text, index) && isInverse(text, index)
        ? { end: index + 2, words: 'inverse' }
        : undefined;
    case 's':
    case 'c':
    case 't': {
      if (matchAt(root, text, index) && !/[\p{L}_]/u.test(text[index - 1] ?? ''))
        return { end: index + 4, words: text[index + 4] === '(' ? 'square root of' : 'square root' };
      const [inverted = '', of = ''] = matchAt(inverse, text, index) ?? [];
      if (inverted && !/\p{L}/u.test(text[index - 1] ?? ''))
        return { end: index + inverted.length, words: `inverse ${functions[of]}` };
      const name = matchAt(trigonometric, text, index)?.[1];
      return name && !/\p{L}/u.test(text[index - 1] ?? '')
        ? { end: index + name.length, words: functions[name]! }
        : undefined;
    }
    default:
      return undefined;
  }
}

function isInverse(text: string, index: number): boolean {
  const before = textBefore({ text, index }, 4);
  return inverseBefore.test(before) && (/[A-Z]$/.test(before) || text[index + 2] === '(');
}

function matchBar(text: string, index: number): Match | undefined {
  const before = textBefore({ text, index }, 50);
  // `⟨ψ|φ⟩`
  if (braBefore.test(before)) return { end: index + 1, words: '' };
  if (matchAt(ket, text, index)) return { end: index + 1, words: 'ket' };
  if (conditionBefore.test(before)) return { end: index + 1, words: 'given' };
  if (setBefore.test(before)) return { end: index + 1, words: 'such that' };
  const bars = /(?:^|[\s(=+*/<>≤≥−-])$/.test(before) ? matchAt(absolute, text, index)?.[1] : undefined;
  if (bars && matchAt(barNext, text, text.indexOf(bars, index + bars.length))) {
    return { end: index + bars.length, words: bars === '|' ? 'absolute value of' : 'norm of' };
  }
  const opened = absoluteBefore.exec(before)?.[1];
  return opened && text.startsWith(opened, index) && matchAt(barNext, text, index)
    ? { end: index + opened.length, words: '' }
    : undefined;
}

/** The brackets and the comma of `∑ (i=1, n)`. */
function matchBounds(text: string, index: number): Match | undefined {
  const [found] = boundsBefore.exec(textBefore({ text, index }, 64)) ?? [];
  if (found === undefined || found.endsWith(' ') !== (text[index] === '(')) return undefined;
  return { end: index + 1, words: { '(': 'from', ',': 'to', ')': 'of' }[text[index]!]! };
}
