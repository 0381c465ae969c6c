import { matchAt } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

/** Not `Am` and `Bb`, which may be words: a chord has a number, a sharp, or a flat and a quality. */
const chord =
  /(?=[A-G](?:[#♯♭]|b?(?:m|maj|min|dim|aug|add|sus)\d|b(?:m|maj|min|dim|aug|sus)))([A-G])([#♯♭b])?(maj|min|m|dim|aug|add|sus)(2|4|5|6|7|9|11|13)?(?![\p{L}\d²³])/uy;
/** Chords and keys that are words elsewhere, in a text about music: `Em`, `Bb`, `Bb/F` */
const bare = /([A-G])(b(?:m|maj)?|m|maj)(?![\p{L}\d'’]|\s(?:I|not)(?!\p{L}))/uy;
const musical =
  /(?<!\p{L})(?:bpm|BPM|chords?|[Cc]apo|[Kk]ey(?::| of))(?!\p{L})|[♩♭♯]|(?<!\p{L})[A-G][#b]?(?:m7|maj7|sus[24]|m7b5)(?![\p{L}\d])/u;
const qualities: Record<string, string> = {
  m: 'minor',
  min: 'minor',
  maj: 'major',
  dim: 'diminished',
  aug: 'augmented',
  add: 'add',
  sus: 'sus',
};
const accidentals: Record<string, string> = { '#': 'sharp', '♯': 'sharp', '♭': 'flat', b: 'flat' };

/** A chord of music: `F#m7`, `Cmaj7`, `Bbm`. */
export function matchChord({ text, index }: Context): Match | undefined {
  if (/[\p{L}\d$#-]/u.test(text[index - 1] ?? '')) return undefined;
  const [plain = '', root = '', written = ''] = musical.test(text) ? (matchAt(bare, text, index) ?? []) : [];
  if (plain) {
    const quality = written.replace(/^b/, '');
    const words = [root, written.startsWith('b') && 'flat', qualities[quality]];
    return { end: index + plain.length, words: words.filter(Boolean).join(' ') };
  }
  const [all, note, accidental, quality = '', number] = matchAt(chord, text, index) ?? [];
  if (all === undefined) return undefined;
  const words = [note, accidental && accidentals[accidental], qualities[quality], number && cardinal(number)];
  return { end: index + all.length, words: words.filter(Boolean).join(' ') };
}
