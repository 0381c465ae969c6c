import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { compatibleAt, otherLettersAt } from '../../cjk/other-characters.ts';
import type { Rewrite } from '../../cjk/spans.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import { chineseNumber } from '../numbers.ts';
import { UNITS } from '../units.ts';
import type { Context, Rule } from './rule.ts';

const latin =
  /https?:\/\/[\w./~%?=&#:+@-]*[\w/]|\p{Script=Latin}(?:[\p{Script=Latin}\p{M}₀-₉]|\d(?!\d{0,6}\.\d)|[-'’.&+_@/](?=\p{Script=Latin})|\+\+|#| (?=\p{Script=Latin}))*/uy;
const ordinal = /\d{1,4}(?:st|nd|rd|th)(?![A-Za-z\d])/y;
const compatible = /[Ⅰ-ⅿ]+|[①-⓿㈠-㊰㋀-㏿]/uy;

/** A name with a number behind it, which is read in Chinese: A4纸, Win11. */
const numberedName = /^(\p{Lu}\p{L}{0,11})\d{1,4}$/u;

/** Words of chats by the first letters of their pinyin: yyds */
const initials = /^(?:yyds|yysy|xswl|nsdd|dbq|zqsg|awsl|xdm|plmm|gkd|ssfd|nbcs)$/;

/** 京A12345 */
const plateLetters = /^[A-Z]{1,2}(?=\d{4,6}$)/;
const plateBefore = /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]$/;

/** Words in Latin letters. */
export const rewriteLatin: Rule = (context) => {
  const { text, index } = context;
  const match = matchAt(latin, text, index)?.[0].trimEnd();
  if (match === undefined) return undefined;
  // 1v1, 5V5
  if (/\d$/.test(textBefore(context, 1)) && /^[vV]\d{1,2}$/.test(match)) return { end: index + 1, replacement: '对' };
  const plate = plateBefore.test(textBefore(context, 1)) ? plateLetters.exec(match)?.[0] : undefined;
  const words = plate ?? numberedName.exec(match)?.[1] ?? match;
  const letters = words.normalize('NFKC');
  return latinWords(
    context,
    index + words.length,
    initials.test(letters) ? [...letters.toUpperCase()].join(' ') : letters,
  );
};

/** 5th Avenue */
export const rewriteEnglishOrdinal: Rule = (context) => {
  const written = matchAt(ordinal, context.text, context.index)?.[0];
  return written === undefined ? undefined : latinWords(context, context.index + written.length, written);
};

/** Greek and Cyrillic words. */
export const rewriteOtherLetters: Rule = (context) => {
  const letters = otherLettersAt(context.text, context.index);
  if (!letters) return undefined;
  const { end, written, plain } = letters;
  // Take them whole even without a sound: otherwise each character would be tried with all that follow.
  return latinWords(context, end, plain) ?? { end, replacement: written };
};

function latinWords({ spokenLatin }: Context, end: number, letters: string): Rewrite | undefined {
  const spoken = letters === '' ? '' : spokenLatin(letters);
  return spoken ? { end, replacement: PLACEHOLDER, spoken } : undefined;
}

/** Circled digits, Roman numerals of one character, squared words. */
export const rewriteCompatible: Rule = (context) => {
  const characters = compatibleAt(compatible, context.text, context.index);
  if (!characters) return undefined;
  const { end, written, plain } = characters;
  if (Object.hasOwn(UNITS, written)) return { end, replacement: UNITS[written]! };
  if (plain === written) return undefined;
  if (/\p{Script=Latin}/u.test(plain)) return latinWords(context, end, plain);
  if (!/^\d+$/.test(plain)) return { end, replacement: plain };
  // ①切 is not 一切, but 第①章 is one word.
  const { text, index } = context;
  const isHan = (at: number) => /\p{Script=Han}/u.test(text[at] ?? '');
  const isItem =
    /[①-⑳]/.test(written) && isHan(end) && text[index - 1] !== '第' && !/[章节条项号款步]/.test(text[end]!);
  const number = chineseNumber(plain);
  return { end, replacement: isItem ? `${isHan(index - 1) ? '，' : ''}${number}，` : number };
};
