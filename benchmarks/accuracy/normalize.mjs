import { simplified } from './chinese.mjs';
import { numerals, spelledOut } from './numbers.mjs';
import { american } from './spelling.mjs';

const contractions = [
  [/\bwon't\b/g, 'will not'],
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\bshan't\b/g, 'shall not'],
  [/\blet's\b/g, 'let us'],
  [/\by'all\b/g, 'you all'],
  [/\bma'am\b/g, 'madam'],
  [/\b(wan|gon|got)(?:na|ta)\b/g, (_, verb) => ({ wan: 'want to', gon: 'going to', got: 'got to' })[verb]],
  [/n't\b/g, ' not'],
  [/'re\b/g, ' are'],
  [/'s\b/g, ' is'],
  [/'d\b/g, ' would'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
  [/'m\b/g, ' am'],
];

const titles = [
  [/\bmr\b/g, 'mister'],
  [/\bmrs\b/g, 'missus'],
  [/\bdr\b/g, 'doctor'],
  [/\bst\b/g, 'saint'],
  [/\bprof\b/g, 'professor'],
];

const currencies = { $: 'dollars', '€': 'euros', '£': 'pounds', '¢': 'cents' };

const replaceAll = (text, rules) => rules.reduce((current, [pattern, by]) => current.replace(pattern, by), text);

/**
 * English as the field compares it (the normalization of OpenAI's evaluation of Whisper): lower case, no punctuation,
 * hesitations or diacritics, contractions in full, numbers as digits, American spelling.
 */
function english(text) {
  let current = text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'");
  current = current.replace(/<[^>]*>|\[[^\]]*\]|\([^)]*\)/g, ' ');
  current = current.replace(/\b(?:hm+|mm+|mhm|uh|um)\b/g, ' ');
  current = replaceAll(current.replace(/\s+'/g, "'"), contractions);
  current = replaceAll(current, titles);
  current = current
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(
      /([$€£])\s?(\d+(?:\.\d+)?(?:\s(?:thousand|million|billion))?)/g,
      (_, sign, sum) => `${sum} ${currencies[sign]}`,
    )
    .replace(/(\d)\s?¢/g, '$1 cents')
    .replace(/(\d)\s?%/g, '$1 percent')
    .replace(/\bper cent\b/g, 'percent')
    .replace(/\.(?!\d)|(?<!\d)\./g, ' ');
  current = current
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}.]/gu, ' ');
  return american(numerals(split(current)).join(' '));
}

const split = (text) => text.split(/\s+/).filter((word) => word !== '');

/** Other languages: lower case; letters, vowel signs and digits only. */
function plain(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, ' ');
}

/** Languages written without spaces: compared by characters. */
export const isUnspaced = (language) => ['ja', 'zh', 'th'].includes(language);

/** The units of a text to compare: words, or characters in languages without spaces. `mixed` stands for several languages. */
export function tokens(text, language) {
  if (language === 'en') return split(english(text));
  if (!isUnspaced(language)) return split(plain(text)).map((word) => spelledOut(word, language));
  const joined = split(plain(text)).join('');
  return [...(language === 'zh' ? simplified(joined) : joined)];
}
