import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import { cardinal, designation, digitByDigit, pluralOfNumber } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const freephone = /(?:1-)?(8(?:00|33|44|55|66|77|88)|900)-(?=[A-Z]{3}|[A-Z]{2}-[A-Z])/y;
const aircraft = /(7[0-8]7)-([1-9]00|[1-9]\d?)(?=(?:ER|LR|SP|F|MAX)?(?![\p{L}\d]))/uy;

const airliner = /7[0-8]7(?![\p{L}\d]|[.,-]\d)/uy;

/** The number before the letters of `1-800-FLOWERS`. */
export function matchFreephone({ text, index }: Context): Match | undefined {
  const match = matchAt(freephone, text, index);
  if (!match?.[1]) return undefined;
  const code = match[1].endsWith('00') ? cardinal(match[1]) : digitByDigit(match[1]);
  return { end: index + match[0].length, words: match[0].startsWith('1-') ? `one ${code}` : code };
}

/** Boeing's airliners: `737-800`. */
export function matchAircraft({ text, index, previous }: Context): Match | undefined {
  const type = matchAt(airliner, text, index)?.[0];
  if (type && (previous === 'Boeing' || / MAX\b/.test(text.slice(index + 3, index + 8)))) {
    return { end: index + 3, words: designation(type) };
  }
  const match = matchAt(aircraft, text, index);
  if (!match) return undefined;
  return { end: index + match[0].length, words: `${designation(match[1]!)} ${cardinal(match[2]!)}` };
}

const model = /\d{4}(?![\d%]|[.,]\d)/y;
const modelBefore =
  /(?:^|[\s("“])(?:(?:RTX|GTX|RX|RFC|GeForce|Radeon|Quadro|Xeon|Form) |Ryzen \d |(?:[Ff]light|Flt\.?) [A-Z][A-Z\d] )$/;

/**
 * Four digits in pairs, after a name of electronics, a standard, a tax form or an airline: `RTX 4090`, `RFC 2616`,
 * `Form 1040`, `flight BA 2490`.
 */
export function matchModel({ text, index }: Context): Match | undefined {
  const digits = matchAt(model, text, index)?.[0];
  if (!digits || !modelBefore.test(textBefore({ text, index }, 12))) return undefined;
  return { end: index + 4, words: designation(digits) };
}

const plan = /(401|403|457|501)(?:\(([a-z])\)(?:\((\d{1,2})\))?|(k)(?![\p{L}\d]))/uy;

/** Savings plans and charities named after sections of law: `401(k)`, `501(c)(3)`. */
export function matchTaxSection({ text, index }: Context): Match | undefined {
  const [all, section = '', letter, part, plain] = matchAt(plan, text, index) ?? [];
  if (all === undefined) return undefined;
  const words = `${designation(section)} ${(letter ?? plain)!.toUpperCase()}`;
  return { end: index + all.length, words: part ? `${words} ${cardinal(part)}` : words };
}

const network = /802\.(\d{1,2})([a-z]{0,2})(?![\p{L}\d.])/uy;

/** Standards of networks: `802.11ax`. */
export function matchNetworkStandard({ text, index }: Context): Match | undefined {
  const [all, part = '', letters = ''] = matchAt(network, text, index) ?? [];
  if (all === undefined) return undefined;
  return { end: index + all.length, words: `eight oh two dot ${cardinal(part)} ${spell(letters)}`.trim() };
}

const plural = /(\d{1,4})s(?![\p{L}\d])/uy;
const members = /([1-9]\d)ers(?![\p{L}\d])/uy;

/** Several of a numbered kind, and the players of a team: `F-16s`, `747s`, `49ers`. */
export function matchPluralNumber({ text, index, previous }: Context): Match | undefined {
  const team = matchAt(members, text, index);
  if (team) {
    const words = cardinal(team[1]!);
    return { end: index + team[0].length, words: words + (words.endsWith('e') ? 'rs' : 'ers') };
  }
  const kind = matchAt(plural, text, index);
  if (!kind) return undefined;
  const isNamed = /\p{L}-$|\d[x×]$/u.test(textBefore({ text, index }, 6));
  if (!isNamed && !/^7[0-8]7$/.test(kind[1]!) && previous !== 'Boeing') return undefined;
  return { end: index + kind[0].length, words: pluralOfNumber(designation(kind[1]!)) };
}

const standard = /([A-OQ-Zx])\.(\d{1,4})(?![\d.])/uy;
const series = /^[GHIJQTVXx]\.\d{2,4}$/;

/** Standards and the numbers of figures and sections: `H.264`, `X.509`, `B.2`. */
export function matchStandard({ text, index }: Context): Match | undefined {
  const match = matchAt(standard, text, index);
  if (!match || /[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  const point = series.test(match[0]) ? '' : 'point ';
  return { end: index + match[0].length, words: `${match[1]!.toUpperCase()} ${point}${designation(match[2]!)}` };
}

/** Words that a version follows. */
export const versionWords = wordSet(
  'version release v ver python node windows ios macos android ubuntu java chrome firefox typescript',
);

/** Not `V8`, an engine. */
const version = /v\.?(?=\d)|V\.?(?=\d+\.\d)/y;

/** A speed or a component: `v1 = 3`, `√(v1² + v2²)`, `(v1, v2)` */
const unknownNext = /v\d(?:\s?=\s?[-−]?[\d(]|\s?[+*^×·÷²³]|\s[−-]\s)/y;
const unknownBefore = /(?:[=+*^×·÷√]\s?\(?|\(|\d|v\d\s?[−-]\s?)$/;
const firstBefore = /[([{⟨<]\s?$/;
const firstNext = /v\d,\s?(?:v\d|[.…])/y;
const componentsBefore = /[([{⟨<]\s?(?:(?:v\d|\.{3}|…),\s?){1,9}$/;

const namedBefore = /(?<!\p{L})version\s[`"“]?$/iu;

/** The v of `v2.0`, silent after its name: `version v2.0` */
export function matchVersion({ text, index }: Context): Match | undefined {
  const match = matchAt(version, text, index);
  if (!match || /[\p{L}\d]/u.test(text[index - 1] ?? '')) return undefined;
  if (isUnknown(text, index)) return { end: index + 1, words: 'V' };
  return {
    end: index + match[0].length,
    words: namedBefore.test(textBefore({ text, index }, 10)) ? '' : 'version',
  };
}

/** Whether the v before a digit is an unknown of an equation. */
function isUnknown(text: string, index: number): boolean {
  if (matchAt(unknownNext, text, index) || isComponent(text, index)) return true;
  return (
    unknownBefore.test(textBefore({ text, index }, 6)) &&
    /[=²³^√]/.test(text) &&
    /^v\d(?![\d.])/.test(text.slice(index, index + 3))
  );
}

/** `(v1, v2)`; `Releases: v1, v2` are versions. */
function isComponent(text: string, index: number): boolean {
  const before = textBefore({ text, index }, 50);
  return componentsBefore.test(before) || (firstBefore.test(before) && matchAt(firstNext, text, index) !== undefined);
}
