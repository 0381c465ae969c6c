import { matchAt, textBefore, wordSet } from '../../patterns.ts';
import type { Context } from './rule.ts';

/** Before these an amount may describe the noun after it: `the $20 bill`. */
const determiners = wordSet(
  `a an the my your his her its our their this that these those another each every any no whose which one two three four five
  six seven eight nine ten several many few`,
);
const adjectives =
  wordSet(`new old brand whole first second third last next extra additional single entire recent reported proposed
  planned massive huge whopping mere measly cheap nearly almost about roughly annual monthly weekly daily initial total
  final big small original fake crisp average typical standard free one-time multi`);
/** Words after an amount that are not nouns. */
const noNouns =
  wordSet(`a an the this that these those my your his her its our their i he she it we they you who which what when where
  why how and or but nor so yet if than then as because while of in on at to for from by with without into onto over
  under about after before between during until till through per via off out up down back is are was were be been being
  am has have had do does did will would can could may might must shall should not more less extra each apiece total
  altogether instead again already now today tonight yesterday tomorrow later ago once went goes go came comes come cost
  costs covers cover bought buys buy paid pays pay gets got get made makes make spent spends saves saved took takes take
  gave gives give left lost fell rose seems seemed sounds looks bet said says there here only just too also even never
  always still ever worth short richer poorer cheaper higher lower plus minus times`);
const wordBefore = /([\p{L}-]{1,20})\s{1,2}$/u;
const noun = /\s(\p{Ll}[\p{Ll}-]{1,30})/uy;
const cashNext = /[\s-](?:bills?|notes?|banknotes?|coins?)(?!\p{L})/uy;
const compoundNext = /-(?!per\b|and\b|or\b|to\b)(?=\p{Ll})/uy;
const dealNouns = wordSet('deal deals contract fine prize budget loan grant lawsuit settlement bailout ransom');

/**
 * Whether an amount describes the noun after it, so that its currency has no plural: `a new $5 bill`, `Bob's $400 phone`,
 * `in $20 bills`, `a $5-a-day job`.
 */
export function isAttributive(context: Context, end: number): boolean {
  const { text } = context;
  if (matchAt(cashNext, text, end)) return true;
  const isCompound = matchAt(compoundNext, text, end) !== undefined;
  const next = matchAt(noun, text, end)?.[1] ?? '';
  if (!isCompound && (next === '' || noNouns.has(next) || /(?:ly|ed|ing)$/.test(next))) return false;
  if (dealNouns.has(next)) return true;
  let before = textBefore(context, 60);
  for (let count = 0; count < 3; count++) {
    if (/['’]s\s$/.test(before)) return true;
    const [all = '', word = ''] = wordBefore.exec(before) ?? [];
    if (determiners.has(word.toLowerCase())) return true;
    if (!adjectives.has(word.toLowerCase())) return false;
    before = before.slice(0, before.length - all.length);
  }
  return false;
}
