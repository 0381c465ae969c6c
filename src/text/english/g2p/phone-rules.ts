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
interface SpelledPhones {
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

/** Common spellings of each phone; others are possible at a higher cost. */
const SPELLINGS: Record<string, string> = {
  AA: 'o a aa ah ea oh e',
  AE: 'a ai au',
  AH: 'a e i o u ou oo ai ia io eo ea iou eou ui y ah',
  AO: 'o a au aw ou oa augh ough oo',
  AW: 'ou ow au ough',
  AY: 'i y ie igh ye uy ei eigh ai',
  EH: 'e ea a ai ei ie ae eo u',
  ER: 'er ir ur or ar ear our yr re err urr orr eur oar ure',
  EY: 'a ai ay ei ey eigh ea e aigh ae au et ee',
  IH: 'i y e ie ui ee ea a u ei ia ai',
  IY: 'e ee ea ie i y ey ei ae oe eo',
  OW: 'o oa ow oe ou ough ew eau au oh',
  OY: 'oi oy eu',
  UH: 'oo u ou o',
  UW: 'u oo ew ue ou o ui eu oe ough',
  B: 'b bb',
  CH: 'ch tch t c cz',
  D: 'd dd ed ld',
  DH: 'th',
  F: 'f ff ph gh lf pph',
  G: 'g gg gh gu x',
  HH: 'h wh j g x',
  JH: 'j g dg d gg dj',
  K: 'k c ck ch cc q kh cq lk kk x',
  L: 'l ll',
  M: 'm mm mb mn lm',
  N: 'n nn kn gn pn',
  NG: 'n ng',
  P: 'p pp',
  R: 'r rr wr rh rrh',
  S: 's ss c sc st ps z x sw',
  SH: 'sh s ss t ti ci si ch sch c ssi sc xi sci',
  T: 't tt th ed pt bt ct d',
  TH: 'th t tth',
  V: 'v f vv lv',
  W: 'w wh u o',
  Y: 'y i u j e',
  Z: 'z s zz x ss',
  ZH: 's g z j si ti zi',
};

const LISTED = new Map(Object.entries(SPELLINGS).map(([phone, list]) => [phone, new Set(list.split(' '))]));
const MAX_LETTERS = 4;
/** The step of a letter without a phone. Others are the number of letters of the next phone. */
const SILENT = -1;

/**
 * The letters of each phone of a word, by the cheapest alignment; empty for a phone without letters (the second of `x`).
 * Takes time proportional to letters times phones.
 * @param word in lower case; other characters than letters are silent
 */
export function alignLetters(word: string, phones: readonly Phone[]): string[] {
  const steps = cheapestSteps(word, phones);
  const letters = phones.map(() => '');
  let end = word.length;
  for (let phone = phones.length - 1; end > 0 || phone >= 0; ) {
    const step = steps[end * (phones.length + 1) + phone + 1]!;
    if (step === SILENT) end -= 1;
    else {
      letters[phone] = word.slice(end - step, end);
      end -= step;
      phone -= 1;
    }
  }
  return letters;
}

/** For each number of letters, and within it for each number of phones, the last step of their cheapest alignment. */
function cheapestSteps(word: string, phones: readonly Phone[]): Int8Array {
  const columns = phones.length + 1;
  const costs = new Float64Array((word.length + 1) * columns).fill(Number.POSITIVE_INFINITY);
  const steps = new Int8Array(costs.length);
  costs[0] = 0;
  const reach = (cell: number, cost: number, step: number) => {
    if (cost >= costs[cell]!) return;
    costs[cell] = cost;
    steps[cell] = step;
  };
  for (let start = 0; start <= word.length; start++) {
    const silent = start < word.length ? silence(word, start) : 0;
    const borrowed = start > 0 && 'xuo'.includes(word[start - 1]!) ? 0.8 : 2;
    for (let column = 0; column < columns; column++) {
      const cell = start * columns + column;
      const cost = costs[cell]!;
      if (cost === Number.POSITIVE_INFINITY) continue;
      if (start < word.length) reach(cell + columns, cost + silent, SILENT);
      const phone = phones[column];
      if (!phone) continue;
      reach(cell + 1, cost + borrowed, 0);
      const maxLetters = Math.min(phone.stress === undefined ? 3 : MAX_LETTERS, word.length - start);
      for (let length = 1; length <= maxLetters; length++) {
        const spelling = word.slice(start, start + length);
        reach(cell + length * columns + 1, cost + spellingCost(spelling, phone), length);
      }
    }
  }
  return steps;
}

function silence(word: string, index: number): number {
  const letter = word[index]!;
  if (letter === word[index - 1]) return 0.3;
  if (letter === 'e') return 0.5;
  return letter >= 'a' && letter <= 'z' ? 1 : 0;
}

function spellingCost(letters: string, phone: Phone): number {
  // Longer spellings are cheaper per letter, so that `ea` is one spelling and not `e` with a silent `a`.
  if (LISTED.get(phone.symbol)?.has(letters)) return 0.1 + 0.05 * (letters.length - 1);
  if (letters.length > 1) return Number.POSITIVE_INFINITY;
  return 'aeiouy'.includes(letters) === (phone.stress !== undefined) ? 2 : 4;
}
