import { isPunctuation, isVowel as isVowelPhoneme, PRIMARY_STRESS, SECONDARY_STRESS } from '../../phoneme-alphabet.ts';

/** Stress of a vowel: 0 none, 1 primary, 2 secondary. */
export type Stress = 0 | 1 | 2;

/** A phone of ARPAbet; all vowels, and no consonants, have a stress. */
export interface Phone {
  /** In capitals, without the digit: `AH`. */
  symbol: string;
  stress?: Stress;
}

const VOWEL_SYMBOLS = new Set('AA AE AH AO AW AX AXR AY EH ER EY IH IX IY OW OY UH UW'.split(' '));
const CONSONANT_SYMBOLS = new Set(
  'B CH D DH DX F G HH JH K L M N NG P R S SH T TH V W Y Z ZH EL EM EN NX Q WH'.split(' '),
);
const PLAIN: Record<string, string> = { AX: 'AH', AXR: 'ER', IX: 'IH', DX: 'T', NX: 'N', WH: 'W' };
const SYLLABIC: Record<string, string> = { EL: 'L', EM: 'M', EN: 'N' };

/**
 * Parses phones in dictionary notation: `AH0`, `ow1`, `hh`. The allophones ax, axr, ix, dx, nx, wh, el, em and en become
 * the phones of the dictionary.
 * @throws Error if a symbol is not ARPAbet
 */
export function parsePhones(phones: readonly string[]): Phone[] {
  return phones.flatMap((text): Phone[] => {
    const [, letters = '', digit] = /^([A-Za-z]+)([012])?$/.exec(text) ?? [];
    const name = letters.toUpperCase();
    const syllabic = SYLLABIC[name];
    if (syllabic) return [{ symbol: 'AH', stress: 0 }, { symbol: syllabic }];
    const symbol = PLAIN[name] ?? name;
    if (VOWEL_SYMBOLS.has(symbol)) return [{ symbol, stress: Number(digit ?? 0) as Stress }];
    if (CONSONANT_SYMBOLS.has(symbol) && symbol !== 'Q') return [{ symbol }];
    throw new Error(`${JSON.stringify(text)} is not an ARPAbet phone.`);
  });
}

/** Phones in dictionary notation: `['HH', 'AH0', 'L', 'OW1']`. */
export function formatPhones(phones: readonly Phone[]): string[] {
  return phones.map(({ symbol, stress }) => `${symbol}${stress ?? ''}`);
}

const PHONES: Record<string, string> = {
  A: 'ey',
  I: 'ay',
  O: 'ow',
  Q: 'ow',
  W: 'aw',
  Y: 'oy',
  a: 'ae',
  e: 'eh',
  i: 'iy',
  o: 'ow',
  u: 'uw',
  y: 'iy',
  æ: 'ae',
  ø: 'er',
  œ: 'eh',
  ɐ: 'ax',
  ɑ: 'aa',
  ɒ: 'aa',
  ɔ: 'ao',
  ə: 'ax',
  ɚ: 'er',
  ɛ: 'eh',
  ɜ: 'er',
  ɤ: 'ah',
  ɨ: 'ih',
  ɪ: 'ih',
  ɯ: 'uw',
  ʊ: 'uh',
  ʌ: 'ah',
  ᵊ: 'ax',
  ᵻ: 'ih',
  b: 'b',
  c: 'k',
  d: 'd',
  f: 'f',
  h: 'hh',
  j: 'y',
  k: 'k',
  l: 'l',
  m: 'm',
  n: 'n',
  p: 'p',
  q: 'k',
  r: 'r',
  s: 's',
  t: 't',
  v: 'v',
  w: 'w',
  x: 'k',
  z: 'z',
  S: 'sh',
  T: 't',
  ç: 'hh',
  ð: 'dh',
  ŋ: 'ng',
  β: 'v',
  ɕ: 'sh',
  ɖ: 'd',
  ɟ: 'g',
  ɡ: 'g',
  ɥ: 'w',
  ɣ: 'g',
  ɰ: 'w',
  ɲ: 'n y',
  ɳ: 'n',
  ɴ: 'ng',
  ɸ: 'f',
  ɹ: 'r',
  ɻ: 'r',
  ɽ: 'r',
  ɾ: 't',
  ʁ: 'r',
  ʂ: 'sh',
  ʃ: 'sh',
  ʈ: 't',
  ʋ: 'v',
  ʎ: 'l y',
  ʒ: 'zh',
  ʔ: 't',
  ʝ: 'y',
  θ: 'th',
  χ: 'k',
  ʣ: 'd z',
  ʤ: 'jh',
  ʥ: 'jh',
  ʦ: 't s',
  ʧ: 'ch',
  ʨ: 'ch',
};

/**
 * One word in Kokoro's alphabet as phones of a Flite lexicon addendum: `həlˈO` → `['hh', 'ax0', 'l', 'ow1']`. Vowels
 * have 1 for primary stress, else 0: Flite has no secondary stress. Foreign sounds become the nearest English ones;
 * punctuation, spaces, lengths and tones are dropped.
 */
export function toArpabet(phonemes: string): string[] {
  const phones: string[] = [];
  let stressed = false;
  const characters = [...phonemes];
  characters.forEach((character, index) => {
    if (character === PRIMARY_STRESS || character === SECONDARY_STRESS) stressed = character === PRIMARY_STRESS;
    // ɜɹ and əɹ are one phone, er.
    else if (character === 'ɹ' && phones.at(-1)?.startsWith('er')) return;
    else if (isVowelPhoneme(character)) {
      const rhotic = 'əɜᵊ'.includes(character) && characters[index + 1] === 'ɹ';
      phones.push(`${rhotic ? 'er' : PHONES[character]}${stressed ? 1 : 0}`);
      stressed = false;
    } else if (!isPunctuation(character)) phones.push(...(PHONES[character]?.split(' ') ?? []));
  });
  return phones;
}

/** ARPAbet consonants in Kokoro's alphabet, the same in both accents. */
export const CONSONANTS: Readonly<Record<string, string>> = {
  B: 'b',
  CH: 'ʧ',
  D: 'd',
  DH: 'ð',
  F: 'f',
  G: 'ɡ',
  HH: 'h',
  JH: 'ʤ',
  K: 'k',
  L: 'l',
  M: 'm',
  N: 'n',
  NG: 'ŋ',
  P: 'p',
  R: 'ɹ',
  S: 's',
  SH: 'ʃ',
  T: 't',
  TH: 'θ',
  V: 'v',
  W: 'w',
  Y: 'j',
  Z: 'z',
  ZH: 'ʒ',
};

export const isVowel = (phone: Phone | undefined): boolean => phone?.stress !== undefined;

export const isWeak = (phone: Phone | undefined): boolean => phone?.stress === 0;

export const hasSymbol = (phone: Phone | undefined, ...symbols: readonly string[]): boolean =>
  phone !== undefined && symbols.includes(phone.symbol);
