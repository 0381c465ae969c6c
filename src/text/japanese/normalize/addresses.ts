import { matchAt } from '../../patterns.ts';
import { latinKana, letterNames } from '../latin.ts';
import { kanaDigits } from '../numbers.ts';
import type { Rule } from './rule.ts';

const address =
  /(?:https?:\/\/|www\.)[\w./~%?=&#:+@-]*[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|jp|io|dev)(?![\w-])/iy;
const spelled = /^(?:www|org|io|jp|https?)$/i;
const SIGNS: Readonly<Record<string, string>> = {
  '.': 'どっと',
  '/': 'すらっしゅ',
  '@': 'あっと',
  '-': 'はいふん',
  ':': 'ころん',
  _: 'あんだーばー',
};

/** www.example.com, test@example.com */
export const rewriteAddress: Rule = ({ text, index, options, english }) => {
  const match = matchAt(address, text, index)?.[0];
  if (match === undefined) return undefined;
  const isMail = match.includes('@');
  const namesSigns = isMail ? !options.email_normalization : !options.url_normalization;
  const words = match.replace(/^https?:\/\//i, namesSigns ? '$&' : '').match(/[A-Za-z]+|\d+|[^A-Za-z\d]/g) ?? [];
  const spoken = words.map((word) => {
    if (/\d/.test(word)) return kanaDigits(word);
    if (/[A-Za-z]/.test(word)) return spelled.test(word) ? letterNames(word) : latinKana(word, english);
    return word === '@' || word === '.' || namesSigns ? (SIGNS[word] ?? '') : '';
  });
  return { end: index + match.length, spoken: spoken.filter(Boolean).join(' ') };
};
