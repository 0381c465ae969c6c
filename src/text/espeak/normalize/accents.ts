import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

/** A word with an apostrophe for the accent of its last vowel. Shorter words are cut: `un po'`, `va'`. */
const TYPED = /(\p{L}{2,30}[aeiou]|piu|puo|gia|pero|cosi|cioe|E)['’](?![\p{L}\d])/uy;
/** A quotation that may still be open. */
const QUOTATION = /(?:^|[\s([“"«—–-])['‘]\p{L}/u;
const CUT = /^(?:quest|grand|sant|bell|quell|frat)[aeio]$/i;
const ACCENTED: Readonly<Record<string, string>> = { a: 'à', e: 'è', i: 'ì', o: 'ò', u: 'ù', E: 'È' };

/** `perche'`, `citta'`, `E'`: the accents of a keyboard without them, in Italian. */
export function matchTypedAccent(context: Context): Match | undefined {
  const { text, index, language } = context;
  if (language.rules.tag !== 'it' || /[\p{L}\p{M}\d'’]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, word = ''] = matchAt(TYPED, text, index) ?? [];
  if (all === undefined || CUT.test(word) || QUOTATION.test(textBefore(context, 60))) return undefined;
  const accent = /ch.$/.test(word) ? 'é' : ACCENTED[word.slice(-1)]!;
  return { end: index + all.length, words: word.slice(0, -1) + accent };
}
