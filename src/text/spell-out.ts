import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** One line of a rule set: how to spell numbers from `base` up to the next line's. */
interface Rule {
  base: number;
  radix: number;
  text: string;
}

/**
 * Spells numbers by the rule-based number formats of CLDR, Unicode's Common Locale Data Repository:
 * https://unicode.org/reports/tr35/tr35-numbers.html#Rule-Based_Number_Formatting
 */
export class SpellOut {
  readonly #sets: ReadonlyMap<string, readonly Rule[]>;
  readonly #plurals: Intl.PluralRules;

  private constructor(sets: ReadonlyMap<string, readonly Rule[]>, language: string) {
    this.#sets = sets;
    this.#plurals = new Intl.PluralRules(language);
  }

  /** @param language as in CLDR: `es`, `fr`, `ja` … */
  static async load(language: string): Promise<SpellOut> {
    const path = createRequire(import.meta.url).resolve(`cldr-rbnf/rbnf/${language}.json`);
    const { rbnf } = JSON.parse(await readFile(path, 'utf8')) as {
      rbnf: { rbnf: { SpelloutRules: Record<string, [string, string][] | string> } };
    };
    const sets = new Map<string, Rule[]>();
    for (const [name, lines] of Object.entries(rbnf.rbnf.SpelloutRules)) {
      if (typeof lines === 'string') continue;
      // Callers spell fractions and negative numbers themselves.
      sets.set(name.replace(/^%+/, ''), lines.flatMap(parseRule));
    }
    return new SpellOut(sets, language);
  }

  /**
   * @param number a whole number, not negative
   * @param set name of the rule set, such as `spellout-cardinal-feminine`
   * @returns undefined if the language has no words for so large a number
   */
  say(number: number, set: string): string | undefined {
    if (!Number.isSafeInteger(number) || number < 0) return undefined;
    const words = this.#format(number, set);
    return /\d/.test(words) ? undefined : words.replaceAll('\u00AD', '').replace(/\s+/g, ' ').trim();
  }

  #format(number: number, set: string): string {
    const rules = this.#sets.get(set) ?? [];
    const index = rules.findLastIndex(({ base }) => base <= number);
    if (index < 0) return String(number);
    let rule = rules[index]!;
    let divisor = divisorOf(rule);
    const twice = rule.text.includes('←') && rule.text.includes('→');
    if (twice && number % divisor === 0 && rule.base % divisor !== 0 && index > 0) {
      rule = rules[index - 1]!;
      divisor = divisorOf(rule);
    }
    const above = Math.floor(number / divisor);
    const below = number % divisor;
    const text = below === 0 ? rule.text.replace(/\[[^\]]*\]/g, '') : rule.text.replace(/[[\]]/g, '');
    return text
      .replace(/\$\(cardinal,([^)]*)\)\$/g, (_, forms: string) => this.#plural(forms, above))
      .replace(/→→→/g, () => this.#format(below, set))
      .replace(/([←→=])(%{0,2}[^←→=]*)\1/g, (_, sign: string, name: string) => {
        const value = sign === '←' ? above : sign === '→' ? below : number;
        return /^[#0]/.test(name) ? String(value) : this.#format(value, name === '' ? set : name.replace(/^%+/, ''));
      });
  }

  #plural(forms: string, count: number): string {
    const listed = new Map([...forms.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, name, form]) => [name!, form!]));
    return listed.get(this.#plurals.select(count)) ?? listed.get('other') ?? '';
  }
}

function parseRule([head, body]: [string, string]): Rule[] {
  const [, base, radix = '10'] = /^(\d+)(?:\/(\d+))?$/.exec(head) ?? [];
  if (base === undefined) return [];
  return [{ base: Number(base), radix: Number(radix), text: body.replace(/;$/, '').replace(/^'/, '') }];
}

/** The highest power of the radix up to the base. */
function divisorOf({ base, radix }: Rule): number {
  let divisor = 1;
  while (divisor * radix <= base) divisor *= radix;
  return divisor;
}
