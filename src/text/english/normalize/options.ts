import { matchAt, textBefore } from '../../patterns.ts';
import { spell } from './acronyms.ts';
import type { Context, Match } from './rule.ts';

const long = /--(?=[a-z][A-Za-z\d]*(?:-[a-z\d]+)*(?:[=\s,.;:)\]"'”’]|$))/y;
/** An option beyond doubt, by a hyphen, a capital, a value or the word after it. A plain word may follow a dash without a space. */
const certain = /--[a-z][a-z\d]*(?:[A-Z-]|=|\s(?:flag|option|argument|switch|parameter)s?\b)/y;
const namedBefore = /(?:^|\b(?:the|with|without|use|using|pass|passing|add|via|specify|run)\s)$/i;
const commandBefore =
  /\b(?:git|npm|npx|yarn|pnpm|docker|pip|cargo|node|tsc|curl|kubectl|brew|apt|make|helm|terraform)\s[^.;:]{0,60}$/;
const short = /-[A-Za-z](?=[\s,;)\]=]|$)/y;
/** Several options in one: `rm -rf` */
const joined = /-[A-Za-z]{2,5}(?=[\s,;)]|$)/y;
const shellBefore =
  /(?:^|[\s(`|;&])(?:ls|rm|cp|mv|tar|grep|ps|du|df|chmod|chown|mkdir|ssh|scp|rsync|curl|wget|docker|find|sort|head|tail|wc|sed|awk|cat|kill|netstat|ss|lsof|xargs|zip|unzip|git clean|node|python3?|bash|sh)\s$/;
const unknownBefore = /(?:[\d)\]]|(?<!\p{L})\p{L})\s$/u;

/** The hyphens of an option of a command: `--no-cache`, `-g`. */
export function matchOption({ text, index, previous }: Context): Match | undefined {
  if (/[\^=+*/×]\s?\(?$/.test(textBefore({ text, index }, 3))) return undefined;
  if (text[index] !== '-' || !/[\s([]|^$/.test(text[index - 1] ?? '')) return undefined;
  const before = textBefore({ text, index }, 16);
  if (matchAt(long, text, index)) {
    const isOption =
      matchAt(certain, text, index) ??
      (previous === '' || namedBefore.test(before) || commandBefore.test(textBefore({ text, index }, 72)));
    return isOption ? { end: index + 2, words: 'dash dash' } : undefined;
  }
  const letters = shellBefore.test(before) ? matchAt(joined, text, index)?.[0] : undefined;
  if (letters) return { end: index + letters.length, words: `dash ${spell(letters.slice(1))}` };
  const isShort = previous !== '' && !unknownBefore.test(before) && matchAt(short, text, index);
  return isShort ? { end: index + 1, words: 'dash' } : undefined;
}
