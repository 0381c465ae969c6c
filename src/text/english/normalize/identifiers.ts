import { matchAt, textBefore } from '../../patterns.ts';
import { digitByDigit } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\p{L}\d-])/iuy;
const hardwareAddress = /[\da-f]{2}(?:[:-][\da-f]{2}){5}(?![\p{L}\d:-])/iuy;
/** The hash of a commit, or a checksum, in small hexadecimal digits. */
const hash = /(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,128}(?![\p{L}\d_]|[-.]\w)/uy;
/** `2e10`, and an amount with a letter: `1000000d` */
const number = /^(?:\d+e\d+|\d+[a-f])$/i;
const color = /#(?=[\da-f]*\d)([\da-f]{6}|[\da-f]{3})(?![\p{L}\d]|-\d)/iuy;
const zipAfterState =
  /(?:(?:, (?:California|Texas|Florida|New York|Illinois|Ohio|Georgia|Washington|Virginia|Colorado|Massachusetts|Arizona|Michigan|Oregon|Minnesota|Pennsylvania|New Jersey)|Washington,? D\.C\.|(?:^|[\s,])(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]))),? $/;
const zip = /\d{5}(?![\p{L}\d%]|[.,-]\d)/uy;

/** Hashes, UUIDs and hardware addresses, letter by letter; ZIP codes after a state. */
export function matchIdentifier({ text, index, allCaps }: Context): Match | undefined {
  if (/[\p{L}\d_]$/u.test(textBefore({ text, index }, 1))) return undefined;
  const grouped = (matchAt(uuid, text, index) ?? matchAt(hardwareAddress, text, index))?.[0];
  if (grouped && /\d/.test(grouped)) {
    return { end: index + grouped.length, words: grouped.split(/[:-]/).map(letterByLetter).join(', ') };
  }
  const digest = matchAt(hash, text, index)?.[0];
  if (digest && !number.test(digest)) return { end: index + digest.length, words: letterByLetter(digest) };
  const code = allCaps ? undefined : matchAt(zip, text, index)?.[0];
  if (code && zipAfterState.test(textBefore({ text, index }, 20))) {
    return { end: index + code.length, words: digitByDigit(code) };
  }
  return undefined;
}

const styleBefore =
  /(?<![\p{L}\d])(?:color|background|border|outline|fill|stroke|(?:box|text)-shadow)[a-z-]{0,20}['"]?\s?:\s?['"]?(?:[\w.]{1,12}\s){0,4}$/iu;
const styled = /#([\da-f]{6}|[\da-f]{3})(?![\p{L}\d]|-\d)/iuy;

/** `#ff0000`; `#333` and `#ccc` only in a style sheet, as in `border: 1px solid #ccc` */
export function matchColor({ text, index }: Context): Match | undefined {
  const isStyle = text[index] === '#' && styleBefore.test(textBefore({ text, index }, 80));
  const [all = '', digits = ''] = matchAt(isStyle ? styled : color, text, index) ?? [];
  if (all === '') return undefined;
  if (!isStyle && (!/[a-f]/i.test(digits) || /[\p{L}\d]$/u.test(textBefore({ text, index }, 1)))) return undefined;
  return { end: index + all.length, words: `hash ${letterByLetter(digits)}` };
}

function letterByLetter(text: string): string {
  return Array.from(text, (each) => (/\d/.test(each) ? digitByDigit(each) : each.toUpperCase())).join(' ');
}
