import { matchAt, textBefore } from '../../patterns.ts';
import type { Context, Match } from './rule.ts';

const TYPED = /(\p{L}{1,31})['’](?![\p{L}\d])/uy;
/** A quotation that may still be open. */
const QUOTATION = /(?:^|[\s([“"«—–-])['‘]\p{L}/u;

/** `perche'`, `citta'`, `E'`: the accents of a keyboard without them. */
export function matchTypedAccent(context: Context): Match | undefined {
  const { text, index, language } = context;
  const { typedAccent } = language.rules;
  if (!typedAccent || /[\p{L}\p{M}\d'’]/u.test(text[index - 1] ?? '')) return undefined;
  const [all, word = ''] = matchAt(TYPED, text, index) ?? [];
  const words = all === undefined ? undefined : typedAccent(word);
  if (words === undefined || QUOTATION.test(textBefore(context, 60))) return undefined;
  return { end: index + all!.length, words };
}
