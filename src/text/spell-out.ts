import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** A rule of a set: it applies from `base` up to the base of the next rule. */
interface Rule {
  base: number;
  /** The highest power of the radix up to the base. */
  divisor: number;
  /** For multiples of the divisor: without the text in brackets. */
  exact: readonly Part[];
  other: readonly Part[];
  /** Whether the rule formats both the quotient and the remainder. */
  hasBoth: boolean;
}

/**
 * Text, the plural form for the quotient, or a number to format by another rule set (by the same if empty). No set has
 * the name of a decimal format such as `#,##0`, so that a number without words has none.
 */
type Part =
  | string
  | { plural: ReadonlyMap<string, string> }
  | { operand: 'quotient' | 'remainder' | 'number'; set: string };

/** The source of a rule set: bases, with their radix if it is not 10, and texts. */
type RuleLines = readonly (readonly [base: string, text: string])[];

const OPERANDS = { '←': 'quotient', '→': 'remainder', '=': 'number' } as const;
const PART = /\$\(cardinal,([^)]*)\)\$|→→→|([←→=])%{0,2}([^←→=]*)\2/g;
const PLURAL_FORM = /(\w+)\{([^}]*)\}/g;

/**
 * Spells numbers by the rule-based number formats of CLDR, Unicode's Common Locale Data Repository:
 * https://unicode.org/reports/tr35/tr35-numbers.html#Rule-Based_Number_Formatting
 */
export class SpellOut {
  readonly #sources: ReadonlyMap<string, RuleLines>;
  readonly #compiled = new Map<string, readonly Rule[]>();
  readonly #language: string;
  #plurals: Intl.PluralRules | undefined;

  private constructor(file: string, language: string) {
    const { rbnf } = JSON.parse(file) as { rbnf: { rbnf: { SpelloutRules: Record<string, RuleLines> } } };
    const sets = Object.entries(rbnf.rbnf.SpelloutRules).filter(([, lines]) => typeof lines !== 'string');
    this.#sources = new Map(sets.map(([name, lines]) => [name.replace(/^%+/, ''), lines]));
    this.#language = language;
  }

  /** @param language as in CLDR: `es`, `fr`, `ja` … */
  static async load(language: string): Promise<SpellOut> {
    return new SpellOut(await readFile(pathOf(language), 'utf8'), language);
  }

  /** Like `load`, for modules that need numbers as soon as they are imported. */
  static loadSync(language: string): SpellOut {
    return new SpellOut(readFileSync(pathOf(language), 'utf8'), language);
  }

  /**
   * @param number a whole number from 0 to `Number.MAX_SAFE_INTEGER`
   * @param set name of the rule set, such as `spellout-cardinal-feminine`
   * @returns the words; undefined if the language has none for this number
   */
  say(number: number, set: string): string | undefined {
    if (!Number.isSafeInteger(number) || number < 0) return undefined;
    return this.#format(number, set)?.replace(/ {2,}/g, ' ').trim();
  }

  #format(number: number, set: string): string | undefined {
    const rules = this.#rules(set);
    const index = lastUpTo(rules, number);
    if (index < 0) return undefined;
    let rule = rules[index]!;
    // The rollback rule of the specification, for multiples of the divisor.
    if (rule.hasBoth && index > 0 && number % rule.divisor === 0 && rule.base % rule.divisor !== 0) {
      rule = rules[index - 1]!;
    }
    const quotient = Math.floor(number / rule.divisor);
    const remainder = number % rule.divisor;
    let words = '';
    for (const part of remainder === 0 ? rule.exact : rule.other) {
      if (typeof part === 'string') words += part;
      else if ('plural' in part) words += this.#pluralForm(part.plural, quotient);
      else {
        const value = part.operand === 'quotient' ? quotient : part.operand === 'remainder' ? remainder : number;
        const inner = this.#format(value, part.set || set);
        if (inner === undefined) return undefined;
        words += inner;
      }
    }
    return words;
  }

  /** The rules of a set, compiled when they are first used; none if the language lacks the set. */
  #rules(set: string): readonly Rule[] {
    let rules = this.#compiled.get(set);
    if (!rules) {
      rules = (this.#sources.get(set) ?? []).flatMap(compileRule);
      this.#compiled.set(set, rules);
    }
    return rules;
  }

  #pluralForm(forms: ReadonlyMap<string, string>, count: number): string {
    this.#plurals ??= new Intl.PluralRules(this.#language);
    return forms.get(this.#plurals.select(count)) ?? forms.get('other') ?? '';
  }
}

/** Index of the last rule whose base is not above the number; -1 if there is none. */
function lastUpTo(rules: readonly Rule[], number: number): number {
  let low = 0;
  let high = rules.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rules[middle]!.base <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function pathOf(language: string): string {
  return createRequire(import.meta.url).resolve(`cldr-rbnf/rbnf/${language}.json`);
}

/** No rule for `x.x` and `-x`: callers handle fractions and negative numbers. */
function compileRule([head, body]: readonly [base: string, text: string]): Rule[] {
  const [, base, radix = '10'] = /^(\d+)(?:\/(\d+))?$/.exec(head) ?? [];
  if (base === undefined) return [];
  const text = body.replace(/;$/, '').replace(/^'/, '').replaceAll('\u00AD', '').replace(/\s+/g, ' ');
  let divisor = 1;
  while (divisor * Number(radix) <= Number(base)) divisor *= Number(radix);
  return [
    {
      base: Number(base),
      divisor,
      exact: partsOf(text.replace(/\[[^\]]*\]/g, '')),
      other: partsOf(text.replace(/[[\]]/g, '')),
      hasBoth: text.includes('←') && text.includes('→'),
    },
  ];
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(PART)) {
    const [all, forms, sign = '→', set = ''] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    if (forms === undefined) parts.push({ operand: OPERANDS[sign as keyof typeof OPERANDS], set });
    else parts.push({ plural: new Map([...forms.matchAll(PLURAL_FORM)].map(([, name, form]) => [name!, form!])) });
    end = match.index + all.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
