/** Operators, relations and letters of LaTeX as the characters that the languages read. */
const symbols = new Map(
  Object.entries({
    times: '×',
    cdot: '×',
    div: '÷',
    pm: '±',
    mp: '∓',
    le: '≤',
    leq: '≤',
    leqslant: '≤',
    ge: '≥',
    geq: '≥',
    geqslant: '≥',
    lt: '<',
    gt: '>',
    ne: '≠',
    neq: '≠',
    approx: '≈',
    sim: '~',
    equiv: '≡',
    propto: '∝',
    infty: '∞',
    sum: '∑',
    prod: '∏',
    int: '∫',
    partial: '∂',
    nabla: '∇',
    in: '∈',
    notin: '∉',
    subset: '⊂',
    subseteq: '⊆',
    cup: '∪',
    cap: '∩',
    emptyset: '∅',
    forall: '∀',
    exists: '∃',
    neg: '¬',
    mid: '|',
    land: '∧',
    lor: '∨',
    to: '→',
    rightarrow: '→',
    leftarrow: '←',
    Rightarrow: '⇒',
    implies: '⇒',
    ldots: '…',
    cdots: '…',
    dots: '…',
    degree: '°',
    circ: '°',
    percent: '%',
    varepsilon: 'ε',
    varphi: 'φ',
    vartheta: 'θ',
  }),
);
const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega';
const greekLetters = new Map(
  greek.split(' ').flatMap((name, index) => {
    // Final sigma has its own code point, before sigma.
    const letter = String.fromCharCode(0x3b1 + index + (index > 16 ? 1 : 0));
    return [[name, letter] as const, [name[0]!.toUpperCase() + name.slice(1), letter.toUpperCase()] as const];
  }),
);
const group = String.raw`\s{0,4}(\{[^{}]{0,400}\}|\\[a-zA-Z]{1,24}|[\p{L}\d])`;
const fraction = new RegExp(String.raw`\\[dt]?frac${group}${group}`, 'gu');
const root = new RegExp(String.raw`\\sqrt(?:\[(\d{1,3})\])?${group}`, 'gu');
const bounds = new RegExp(String.raw`\\(sum|prod|int)(?:\\limits)?\s{0,4}_${group}\s{0,4}\^${group}`, 'gu');
const script = new RegExp(`([_^])${group}`, 'gu');
const wrapper =
  /([_^]?)\s{0,4}\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it|sf|cal|bb)|operatorname|boxed|overline|bar|hat|vec|tilde)\*?\s{0,4}\{([^{}]{0,400})\}/g;
/** Names and words within a formula. */
const names = new Set(
  'sin cos tan cot sec csc log ln exp max min lim gcd lcm mod det arg sup inf and or if for is km cm mm kg mg ms Hz'.split(
    ' ',
  ),
);
/** A product of variables or a minus, and what is not one: indexes, text, commands and words. */
const product =
  /_\{[^{}]{0,400}\}|\\(?:text(?:bf|it|rm)?|mathrm|operatorname)\*?\s{0,4}\{[^{}]{0,400}\}|\\[a-zA-Z]{1,24}|(?<!\p{L})[a-zA-Z]{2,3}(?!\p{L})|-/gu;
/** Its rows are lists. */
const table =
  /\\begin\s{0,4}\{((?:[pbvBV]|small)?matrix|array|cases)\*?\}(?:\{[lcr|\s]{0,20}\})?([^{}]{0,1000}?)\\end\s{0,4}\{\1\*?\}/g;
const environment = /\\(?:begin|end)\s{0,4}\{[a-z*]{1,20}\}(?:\{[lcr|\s]{0,20}\})?/g;
const layout =
  /\\(?:left|right|middle|[bB]igg?[lr]?|displaystyle|textstyle|limits|nonumber)(?![a-zA-Z])\.?|\\(?:q?quad(?![a-zA-Z])|[,;:!\s])|\\\\|(?<!\\)&/g;
const command = /\\([a-zA-Z]{1,24})\*?/g;
/** Nested groups are opened from the inside out. */
const MAX_DEPTH = 8;

/**
 * A LaTeX formula in plain characters: `\frac{a}{b} \le \alpha^{2}` → `a ÷ b ≤ α²`. Drops commands for typesetting, and
 * replaces an unknown command with its name.
 */
export function plainFormula(latex: string): string {
  let text = latex
    .replace(table, (_, _name: string, rows: string) => ` ${listed(rows)} `)
    .replace(environment, ' ')
    .replace(/\\(?:\||[lr]?Vert(?![a-zA-Z]))/g, '||')
    .replace(/\\[lr]?vert(?![a-zA-Z])\s?/g, '|')
    .replace(layout, ' ')
    .replace(product, (found) =>
      found === '-' ? '−' : /^[\\_]/.test(found) || names.has(found) ? found : [...found].join(' '),
    );
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const before = text;
    text = text
      .replace(wrapper, (_, mark: string, of: string) => (mark ? `${mark}{${of}}` : ` ${of}`))
      .replace(bounds, (_, name: string, from: string, to: string) => {
        return ` ${symbols.get(name)} (${inner(from)}, ${inner(to)}) `;
      })
      .replace(fraction, (_, above: string, below: string) => quotient(inner(above), inner(below)))
      .replace(root, (_, degree: string | undefined, of: string) => {
        return ` ${degree === '3' ? '∛' : '√'} ${bracketed(inner(of))} `;
      })
      .replace(script, (_, mark: '^' | '_', of: string) => scriptOf(mark, inner(of)));
    if (text === before) break;
  }
  return text
    .replace(command, (_, name: string) => ` ${symbols.get(name) ?? greekLetters.get(name) ?? name} `)
    .replace(/\\([%$#&_])/g, '$1')
    .replace(/[{}\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/log (?=[₀-₉])/g, 'log')
    .replace(/\(\s|\s(?=\))/g, (found) => found.trim())
    .trim();
}

/** The rows of a table with commas between cells and semicolons between rows. */
function listed(rows: string): string {
  return rows
    .replace(/\s{0,9}\\\\(?:\s{0,9}$)?/g, (found, at: number) => (at + found.length < rows.length ? '; ' : ' '))
    .replace(/\s{0,9}(?<!\\)&\s{0,9}/g, ', ');
}

/** What a match of `group` holds. */
function inner(operand: string): string {
  return operand.replace(/^\{|\}$/g, '').trim();
}

function bracketed(operand: string): string {
  return /^\\?[\p{L}\d.]*$|^\([^()]*\)$/u.test(operand) ? operand : `(${operand})`;
}

function quotient(above: string, below: string): string {
  const isNumber = /^\d+$/.test(above) && /^\d+$/.test(below);
  return isNumber ? ` ${above}/${below} ` : ` ${bracketed(above)} ÷ ${bracketed(below)} `;
}

const smallDigits = { '^': '⁰¹²³⁴⁵⁶⁷⁸⁹', _: '₀₁₂₃₄₅₆₇₈₉' };

/** An exponent or an index in small digits, else with its mark. */
export function scriptOf(mark: '^' | '_', operand: string): string {
  const [, minus, digits] = /^([-−]?)(\d+)$/.exec(operand) ?? [];
  if (digits !== undefined && (mark === '^' || !minus)) {
    return (minus ? '⁻' : '') + Array.from(digits, (digit) => smallDigits[mark][Number(digit)]).join('');
  }
  if (operand === '\\circ') return '°';
  // `i^{th}`
  const ordinal = /^(s ?t|n ?d|r ?d|t ?h)$/.test(operand);
  if (mark === '^' && ordinal) return operand.replace(' ', '');
  return mark === '^' ? `^${bracketed(operand)}` : ` ${operand}`;
}
