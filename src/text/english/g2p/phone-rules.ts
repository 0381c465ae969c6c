import type { Phone } from './arpabet.ts';

/**
 * Rewrites a phone in its context. All conditions must hold; the first rule of a table that fits applies.
 *
 * `from` and each element of `context` are patterns of one phone: symbols (`AH`), symbols with stress (`AH0`), or the
 * classes `any`, `vowel`, `consonant`, `weak` (an unstressed vowel) and `primary` (one with the primary stress). `|` is
 * or, `&` is and, and `!` negates the alternatives after it: `!vowel|R`. `start` and `end` are the boundaries of the
 * word. Negations fit a boundary too, and `*` fits everything.
 */
export interface PhoneRule {
  from: string;
  /** Phones before and after `_`; an element ending in `?` is optional, and `…` skips any number of phones. */
  context?: string;
  /** The letters of the phone. */
  letters?: RegExp;
  /** The word's letters after those of the phone. */
  rest?: RegExp;
  /** The whole word. */
  spelling?: RegExp;
  to: string;
}

/** A word as rules see it: its phones, the letters of each, and its spelling. */
export interface SpelledPhones {
  phones: readonly Phone[];
  letters: readonly string[];
  spelling: string;
}

type PhoneTest = (phone: Phone | undefined) => boolean;
/** An element of a context; `…` has no test. */
interface Element {
  test?: PhoneTest;
  optional: boolean;
}
interface CompiledRule {
  rule: PhoneRule;
  test: PhoneTest;
  /** From the phone outwards. */
  before: readonly Element[];
  after: readonly Element[];
}

const CLASSES: Record<string, PhoneTest> = {
  '*': () => true,
  any: (phone) => phone !== undefined,
  vowel: (phone) => phone?.stress !== undefined,
  consonant: (phone) => phone !== undefined && phone.stress === undefined,
  weak: (phone) => phone?.stress === 0,
  primary: (phone) => phone?.stress === 1,
  start: (phone) => phone === undefined,
  end: (phone) => phone === undefined,
};

/**
 * Compiles a table of rules.
 * @returns the text for the phone at `index`, or nothing if no rule applies
 */
export function compileRules(rules: readonly PhoneRule[]): (word: SpelledPhones, index: number) => string | undefined {
  const compiled = rules.map(compileRule);
  // A phone is tested against the rules for its symbol and stress only.
  const bySound = new Map<string, CompiledRule[]>();
  return (word, index) => {
    const phone = word.phones[index]!;
    const sound = phone.symbol + (phone.stress ?? '');
    let candidates = bySound.get(sound);
    if (!candidates) {
      candidates = compiled.filter(({ test }) => test(phone));
      bySound.set(sound, candidates);
    }
    return candidates.find((candidate) => applies(candidate, word, index))?.rule.to;
  };
}

function applies({ rule, before, after }: CompiledRule, { phones, letters, spelling }: SpelledPhones, index: number) {
  return (
    fits(before, phones, index - 1, -1) &&
    fits(after, phones, index + 1, 1) &&
    (rule.letters === undefined || rule.letters.test(letters[index]!)) &&
    (rule.spelling === undefined || rule.spelling.test(spelling)) &&
    (rule.rest === undefined || rule.rest.test(letters.slice(index + 1).join('')))
  );
}

/** Whether phones fit a side of a context. @param step 1 to the right, -1 to the left */
function fits(elements: readonly Element[], phones: readonly Phone[], index: number, step: 1 | -1, first = 0): boolean {
  for (let next = first, at = index; next < elements.length; next++, at += step) {
    const { test, optional } = elements[next]!;
    if (!test) {
      for (; phones[at]; at += step) if (fits(elements, phones, at, step, next + 1)) return true;
      return false;
    }
    if (optional && fits(elements, phones, at, step, next + 1)) return true;
    if (!test(phones[at])) return false;
  }
  return true;
}

function compileRule(rule: PhoneRule): CompiledRule {
  const [before = '', after = ''] = (rule.context ?? '').split('_');
  return { rule, test: phoneTest(rule.from), before: elementsOf(before).reverse(), after: elementsOf(after) };
}

function elementsOf(side: string): Element[] {
  return side
    .split(' ')
    .filter(Boolean)
    .map((text) =>
      text === '…' ? { optional: false } : { test: phoneTest(text.replace(/\?$/, '')), optional: text.endsWith('?') },
    );
}

function phoneTest(pattern: string): PhoneTest {
  const tests = pattern.split('&').map((part): PhoneTest => {
    const isNegated = part.startsWith('!');
    const alternatives = part.replace('!', '').split('|').map(oneTest);
    return (phone) => alternatives.some((test) => test(phone)) !== isNegated;
  });
  return tests.length === 1 ? tests[0]! : (phone) => tests.every((test) => test(phone));
}

function oneTest(name: string): PhoneTest {
  const known = CLASSES[name];
  if (known) return known;
  const [, symbol, stress] = /^([A-Z]+)([012])?$/.exec(name) ?? [];
  if (symbol === undefined) throw new Error(`${JSON.stringify(name)} is not a phone or a class of phones.`);
  if (stress === undefined) return (phone) => phone?.symbol === symbol;
  return (phone) => phone?.symbol === symbol && phone.stress === Number(stress);
}
