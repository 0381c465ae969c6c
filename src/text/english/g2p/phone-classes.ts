import type { Phone } from './arpabet.ts';

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
