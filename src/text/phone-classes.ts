import type { Phone } from './arpabet.ts';

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
