import { PLACEHOLDER } from '../../cjk/listed-words.ts';
import { matchAt, textBefore } from '../../patterns.ts';
import type { Rule } from './rule.ts';

const between = /間(?![\p{Script=Han}])/uy;
const betweenBefore = /[-–〜~～・]\p{Script=Han}{1,6}$/u;

/** 東京-大阪間 */
export const rewriteBetween: Rule = (context) =>
  betweenBefore.test(textBefore(context, 8)) && matchAt(between, context.text, context.index)
    ? { end: context.index + 1, spoken: 'かん', replacement: PLACEHOLDER }
    : undefined;

const tilde = /[〜～](?=[\p{Script=Han}A-Z])/uy;
const tildeBefore = /(?:\p{Script=Han}|(?<![A-Za-z])[A-Z])$/u;
/** In the same phrase. */
const earlierTilde = /[〜～~][^、。,.\s]{0,24}$/;
const laterTilde = /^[^、。,.\s]{0,24}[〜～~]/;
const NEAR = 25;

/** 東京〜大阪, A〜Z; not a subtitle between two tildes. */
export const rewriteWordRange: Rule = (context) => {
  const { text, index } = context;
  if (!matchAt(tilde, text, index) || !tildeBefore.test(textBefore(context, 2))) return undefined;
  const isPaired =
    earlierTilde.test(textBefore(context, NEAR)) || laterTilde.test(text.slice(index + 1, index + 1 + NEAR));
  return isPaired ? undefined : { end: index + 1, spoken: 'から', replacement: 'から' };
};
