import { matchAt, textBefore } from './patterns.ts';

// Eyes, nose and mouth, upright and reversed, and upright faces.
const sideways = /[>]?[:;=8xX][-'^o]?(?:[)(\][}{/\\|*$@]+|D+|[Pp]+|[Oo3])|[)(][-']?[:;=]|[:;=]'-?[)(]+/y;
const upright =
  /\(?(?:\^[_.-]?\^|-[_.]+-|[TQ]_[TQ]|[oO][_.][oO]|0_0|>[_.]<|u[wW]u|[oO]w[oO]|\^o\^|<\/3|=[_.]=|¯\\?_?\(ツ\)_?\/¯)[;']?\)?/uy;
const separate = /\s|^$/;
const afterFace = /[\s.,;!?"”)]|^$/;

/** A name within a sentence. */
const nameBefore = /[\p{Ll}\d,]\s\p{Lu}\p{Ll}{2,20}\s$/u;

/**
 * Index after an emoticon, which is silent: `:-)`, `^_^`, `T_T`. It stands between spaces, or at the end of a sentence;
 * `8)` and the like begin a list.
 * @param isFirst whether no word precedes it in the sentence
 */
export function emoticonEnd(text: string, index: number, isFirst: boolean): number | undefined {
  if (!separate.test(text[index - 1] ?? '')) return undefined;
  const match = matchAt(upright, text, index) ?? matchAt(sideways, text, index);
  if (!match || !afterFace.test(text[index + match[0].length] ?? '')) return undefined;
  // `>=3.8`
  if (match[0].startsWith('>=')) return undefined;
  if (/^[8xX=]/.test(match[0]) && !/^(?:[xX]D+|=[)(DP\]]|8-\))$/.test(match[0])) return undefined;
  if (match[0].startsWith('8') && isFirst) return undefined;
  // `on Disney XD`
  if (match[0] === 'XD' && nameBefore.test(textBefore({ text, index }, 24))) return undefined;
  return index + match[0].length;
}
