import { lookUp, matchAt } from '../../patterns.ts';
import type { LanguageRules } from '../rules.ts';
import { type Context, isSentenceEnd } from './rule.ts';

/** The singular and plural of an abbreviated noun after a number. */
export interface CountedNoun {
  end: number;
  one: string;
  many: string;
  /** A full stop if the abbreviation also ends the sentence. */
  stop: '' | '.';
}

/** The pattern of the abbreviations, sticky; spaces within may be missing. */
export function countedNounPattern({ countedNouns = {} }: LanguageRules): RegExp {
  const keys = Object.keys(countedNouns).sort((a, b) => b.length - a.length);
  const sources = keys.map(
    (key) =>
      key.replace(/[()]/g, '\\$&').replaceAll('.', '[.॰]').replaceAll(' ', '\\s?') +
      (/[.)]$/.test(key) ? '' : "(?![\\p{L}\\p{M}’'-]|\\.[\\p{L}\\d])"),
  );
  return new RegExp(`\\s?(${sources.join('|') || '(?!)'})`, 'uy');
}

/** Numbers up to this are small, as those of rooms. */
const FEW = 12;

/**
 * The abbreviated noun at `end`: `2 c. à s.`, `3 hab.`, `1 cda.`
 * @param number before it
 */
export function countedNounAt(
  context: Context,
  end: number,
  number = Number.POSITIVE_INFINITY,
): CountedNoun | undefined {
  const { language, text } = context;
  const match = matchAt(language.countedNoun, text, end);
  if (!match) return undefined;
  const written = match[1]!.replace(/\s/g, '').replaceAll('॰', '.');
  const key = Object.keys(language.rules.countedNouns!).find((each) => each.replace(/\s/g, '') === written)!;
  const { countedFew = {}, countedNouns } = language.rules;
  const few = number <= FEW ? lookUp(countedFew, key) : undefined;
  const [one, many] = few ?? lookUp(countedNouns!, key)!;
  const nounEnd = end + match[0].length;
  return { end: nounEnd, one, many, stop: written.endsWith('.') && isSentenceEnd(context, nounEnd) ? '.' : '' };
}
