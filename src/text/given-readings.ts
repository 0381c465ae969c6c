import type { SentenceRules } from './language.ts';
import { defaultNormalization } from './normalization.ts';
import type { GivenReading, NormalizationOptions, SayAs, SpokenToken } from './types.ts';

/**
 * The tokens for words with a given reading: the words of the language for it, shown as one word of the captions.
 * @param options of the text; `as` may require more
 */
export function readingTokens(
  written: string,
  reading: Exclude<GivenReading, { ipa: string }>,
  rules: SentenceRules,
  options: NormalizationOptions,
): SpokenToken[] {
  const said =
    'alias' in reading
      ? rules.tokens(reading.alias, [], options)
      : stretches(written, reading.as, rules).flatMap((text) => rules.tokens(text, [], sayAsOptions));
  const tokens = said.length > 0 ? said : [{ written, spoken: '' }];
  return tokens.map((token, index) => ({ ...token, caption: index === 0 ? written.trim() : '' }));
}

const sayAsOptions: NormalizationOptions = { ...defaultNormalization, markdown_normalization: false };
const digitOf = /\p{Nd}/u;

/** The texts that are read separately, one after the other. */
function stretches(written: string, as: SayAs, rules: SentenceRules): string[] {
  // Full-width digits as ASCII ones.
  const text = written.normalize('NFKC').trim();
  if (as === 'characters') return Array.from(text).flatMap((character) => character.trim().toUpperCase() || []);
  if (as === 'digits') return Array.from(text).filter((character) => character.trim() !== '');
  if (as === 'telephone') return telephone(text);
  const digits = wholeNumber(text);
  // A number with marks, a fraction or a word: as it is usually read.
  if (digits === undefined) return [text];
  const sign = /^[-−]/.exec(text)?.[0] ?? '';
  if (as === 'ordinal') return [rules.ordinal(digits)];
  return [sign + (rules.cardinal?.(digits) ?? digits)];
}

/**
 * The digits of a whole number without spaces, sign and leading zeros; undefined for other text. What a comma or a full stop
 * means depends on the language.
 */
function wholeNumber(text: string): string | undefined {
  const [, number] = /^[-−+]?(\d{1,3}(?:[\u00A0\u202F ']\d{3})+|\d+)(?:st|nd|rd|th|[.º°ªe])?$/i.exec(text) ?? [];
  return number?.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
}

/** Digits one by one, with a comma after each group; a plus is said, other signs are not. */
function telephone(text: string): string[] {
  const groups = text.match(/[+]|[\p{Nd}\p{L}]+/gu) ?? [];
  return groups.flatMap((group, index) => {
    // An extension: `x123`, `ext. 5`.
    const said = digitOf.test(group) ? (group.match(/\p{Nd}|\p{L}+/gu) ?? []) : [group];
    const isLast = index === groups.length - 1;
    return isLast || group === '+' ? said : [...said.slice(0, -1), `${said.at(-1)},`];
  });
}
