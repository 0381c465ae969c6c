import { firstMatch } from '../first-match.ts';
import { fold } from '../folding.ts';
import { matchAt } from '../patterns.ts';
import { itemNumber } from '../segments.ts';
import { endsInitial, letterNameChain } from './letter-names.ts';
import { monthNames, shortMonths } from './months.ts';
import type { LanguageRules } from './rules.ts';
import { isDayNext, weekdayNames } from './weekdays.ts';

/** The rules of a language, and the names that its sentences continue with. */
interface Names {
  rules: LanguageRules;
  shortMonths: ReadonlyMap<string, string>;
  weekdays: ReadonlyMap<string, string>;
  months: readonly string[];
  initials: RegExp | undefined;
}

/** A possible end of a sentence, and the text beside it in usual characters. */
interface Stop extends Names {
  /** All that is before it, as written. */
  written: string;
  before: string;
  /** The end of `before`. */
  view: string;
  after: string;
  /** The last word, without its full stop; empty if the text does not end with one. */
  word: string;
  /** The last word, or the last two if these are one abbreviation. */
  key: string;
  lower: string;
  /** Whether the word is a letter or a numeral but no initial: `20 °C.` */
  isLetter: boolean;
  isInitials: boolean;
}

/** In this order: the first that knows whether the sentence continues decides. */
const stopRules: readonly ((stop: Stop) => boolean | undefined)[] = [
  afterItemNumber,
  afterClosingDay,
  beforeEqualsSign,
  afterNumberSign,
  beforeLowerCase,
  afterMonth,
  afterWeekday,
  inAbbreviation,
  afterBothTitles,
  beforeNumber,
  afterAbbreviation,
  afterLetter,
  afterInitials,
  afterCountedNoun,
];

/** Makes the function that tells whether a sentence continues after an end by Unicode's rules. */
export function continuation(rules: LanguageRules): (written: string, rest: string) => boolean {
  const names = {
    rules,
    shortMonths: shortMonths(rules),
    weekdays: weekdayNames(rules.tag),
    months: monthNames(rules.tag, 'long'),
    initials: letterNameChain(rules),
  };
  return (written, rest) => {
    if (rest.trim() === '') return false;
    const stop = stopOf(names, written, rest);
    // Otherwise marks alone: a dash, an ellipsis at the start.
    return firstMatch(stopRules, stop) ?? !/[\p{L}\p{N}]/u.test(written);
  };
}

const WORD_BEFORE_STOP = /([\p{L}\p{M}][\p{L}\p{M}.]*)\.\s*$/u;
/** उ. प्र. */
const PAIR_BEFORE_STOP = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{1,6}\.\s[\p{L}\p{M}]{1,6}\.)\s*$/u;
/** Before a letter that is no initial: 20 °C. */
const PART_BEFORE = /[°º₀-₉]\s?$|\d-$/;

function stopOf(names: Names, written: string, rest: string): Stop {
  // The abbreviations are in usual characters.
  const before = fold(written.slice(-80)).text;
  const view = before.slice(-40);
  const after = fold(rest.slice(0, 80)).text;
  const found = WORD_BEFORE_STOP.exec(view);
  const word = found?.[1] ?? '';
  const beforeWord = view.slice(0, found?.index);
  const isLetter = PART_BEFORE.test(beforeWord) || isNumeral(names.rules, word, beforeWord);
  const isInitials = !isLetter && /^(?:\p{L}\p{M}*\.)*\p{Lu}\p{M}*$/u.test(word);
  const pair = PAIR_BEFORE_STOP.exec(view)?.[1]?.replace(/\s/g, '');
  const key = pair !== undefined && Object.hasOwn(names.rules.abbreviations, pair) ? pair : `${word}.`;
  return { ...names, written, before, view, after, word, key, lower: key.toLowerCase(), isLetter, isInitials };
}

const WORD_BEFORE = /([\p{L}\p{M}]+)\s$/u;

/** Whether a word is a Roman numeral after a word that it numbers: `Capítulo I.` */
function isNumeral({ numbered }: LanguageRules, word: string, before: string): boolean {
  const noun = WORD_BEFORE.exec(before)?.[1]?.toLowerCase();
  return noun !== undefined && /^[IVXLC]+$/.test(word) && numbered.has(noun);
}

/** `II. Métodos` */
function afterItemNumber({ written, view }: Stop): boolean | undefined {
  if (view !== written || !/\.\s*$/.test(view)) return undefined;
  return itemNumber.test(view.replace(/\.\s*$/, '')) || undefined;
}

/** What a shop is on the day that a weekday abbreviates, and Hindi words after it. */
const CLOSED_NEXT =
  /^\s?(?:(?:cerrad[oa]s?|chius[oaie]|fermée?s?|fechad[oa]s?)(?!\p{L})|(?:बंद|अवकाश|छुट्टी|को|से|तक|और|व|या|का|की|के|सुबह|शाम|दोपहर|रात)(?![\p{L}\p{M}]))/iu;

/** `dom. cerrado` */
function afterClosingDay({ weekdays, word, after }: Stop): boolean | undefined {
  return (weekdays.has(word.toLowerCase()) && CLOSED_NEXT.test(after)) || undefined;
}

/** `a != b`, `5! = 120` */
function beforeEqualsSign({ view, after }: Stop): boolean | undefined {
  return (view.trimEnd().endsWith('!') && /^\s?=/.test(after)) || undefined;
}

/** `lei nº. 8` */
function afterNumberSign({ view, after }: Stop): boolean | undefined {
  return (/(?<!\p{L})n[°º]\.\s*$/iu.test(view) && /^\s*\d/.test(after)) || undefined;
}

/** `¿Por qué? preguntó.`, `« Où ? » dit-il.` */
function beforeLowerCase({ after }: Stop): boolean | undefined {
  return /^(?:»\s)?\p{Ll}/u.test(after) || undefined;
}

/** `nov. 20` */
function afterMonth({ shortMonths, word, after }: Stop): boolean | undefined {
  return (shortMonths.has(word.toLowerCase()) && /^\s*\d/.test(after)) || undefined;
}

/** `lun. 5` */
function afterWeekday({ weekdays, months, word, after }: Stop): boolean | undefined {
  return (weekdays.has(word.toLowerCase()) && isDayNext(` ${after.trimStart()}`, months)) || undefined;
}

/** Between the parts of an abbreviation: `EE. UU.`, `p. ej.` */
function inAbbreviation({ rules, word, lower, after }: Stop): boolean | undefined {
  if (word === '') return undefined;
  const next = after.replace(/\s/g, '').toLowerCase();
  const begins = (name: string) =>
    name.startsWith(lower) && name !== lower && next.startsWith(name.slice(lower.length));
  return Object.keys(rules.abbreviations).some((name) => begins(name.toLowerCase())) || undefined;
}

/** Sr(a). Silva */
const TITLE_BEFORE = /(?<!\p{L})(?:Sr|Dr|Prof|Ilm[oa]|Exm[oa])\(a\)\.\s*$/u;

/** `Sr(a). Silva` */
function afterBothTitles({ view }: Stop): boolean | undefined {
  return TITLE_BEFORE.test(view) || undefined;
}

const NUMBER_NEXT = /^\s*(?:(?:de\s)?[-−(]?\d|\p{Lu}{1,3}-?\d|[IVXLC]{1,8}(?![\p{L}\d])|\p{Lu}(?![\p{L}\d.]))/u;

/** `p. 5`; S. is a title where s. is a century. */
function beforeNumber({ rules, key, lower, isInitials, after }: Stop): boolean | undefined {
  const isTitle = key !== lower && Object.hasOwn(rules.abbreviations, key);
  if (!rules.numberedAbbreviations.has(lower) || isTitle || isInitials) return undefined;
  return NUMBER_NEXT.test(after);
}

/** A time zone after a time. */
const ZONE_NEXT = /^\s*[([]?(?:UTC|GMT|CES?T|WES?T|[ECMP][SD]T|BRT|IST)(?!\p{L})/u;
const CAPITAL_NEXT = /^[^\p{L}\p{N}]*\p{Lu}/u;

/** `Lic. Ruiz`, `5 p.m. UTC`; not `etc. Luego` */
function afterAbbreviation({ rules, key, lower, after }: Stop): boolean | undefined {
  const { abbreviations, finalAbbreviations } = rules;
  if (!Object.hasOwn(abbreviations, key) && !Object.hasOwn(abbreviations, lower)) return undefined;
  return !finalAbbreviations.has(key) || !CAPITAL_NEXT.test(after) || ZONE_NEXT.test(after);
}

/** `20 °C.`, `Capítulo I.`; without this rule the sign `℃.` by itself would pass for a mark. */
function afterLetter({ word, isLetter }: Stop): boolean | undefined {
  return isLetter && /^\p{Lu}+$/u.test(word) ? false : undefined;
}

/** `J. Ruiz`, `ए. पी. जे.`, `बी.जे.पी.` */
function afterInitials(stop: Stop): boolean | undefined {
  return stop.isInitials || endsInitial(stop.rules, stop.before, stop.after) || isInChain(stop) || undefined;
}

const DOTTED = /(?<![\p{L}\p{M}.])[\p{L}\p{M}.]+$/u;

/** Whether initials without spaces, such as `बी.जे.पी.`, reach the end of `view` or continue after it. */
function isInChain({ initials, view, after }: Stop): boolean {
  const trimmed = view.replace(/[)\]"”»\s]+$/, '');
  const start = DOTTED.exec(trimmed)?.index;
  if (!initials || start === undefined) return false;
  const chain = matchAt(initials, view + after.slice(0, 40), start)?.[0];
  return chain !== undefined && start + chain.length >= trimmed.length;
}

const COUNTED = /(?:\d|[\dIVX](?:er|e|ème)|\/)\s?[\p{L}\p{M}]+\.\s*$/u;

/** `5 uds. de` */
function afterCountedNoun({ rules, key, before, after }: Stop): boolean | undefined {
  const isCounted = rules.counted && Object.hasOwn(rules.counted, key) && COUNTED.test(before);
  return isCounted ? !CAPITAL_NEXT.test(after) : undefined;
}
