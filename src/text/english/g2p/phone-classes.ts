import type { Phone } from './arpabet.ts';

/** ARPAbet consonants in Kokoro's alphabet; they are written alike in both accents. */
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

const CLASSES = new Map<string, ReadonlySet<string>>();

export const isVowel = (phone: Phone | undefined): boolean => phone?.stress !== undefined;

export const isWeak = (phone: Phone | undefined): boolean => phone?.stress === 0;

/** Whether the phone is one of some symbols, which are given separated by blanks. */
export function isOneOf(phone: Phone | undefined, symbols: string): boolean {
  if (phone === undefined) return false;
  let members = CLASSES.get(symbols);
  if (!members) {
    members = new Set(symbols.split(' '));
    CLASSES.set(symbols, members);
  }
  return members.has(phone.symbol);
}
