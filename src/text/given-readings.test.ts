import { describe, expect, it } from 'vitest';
import { Languages, supportedLanguages } from './languages.ts';
import { defaultNormalization } from './normalization.ts';
import type { LanguageLetter, SayAs } from './types.ts';

const languages = new Languages();

/** The spoken English words. */
async function spoken(written: string, as: SayAs, options = {}): Promise<string> {
  const english = await languages.load('a');
  const parts = [{ type: 'reading', written, reading: { as } }] as const;
  const [segment] = [...english.segments(parts, { ...defaultNormalization, ...options })];
  return segment?.type === 'sentence' ? segment.tokens.map((token) => token.spoken).join(' ') : '';
}

async function phonemes(letter: LanguageLetter, text: string, as?: SayAs): Promise<string> {
  const language = await languages.load(letter);
  const input = as ? ([{ type: 'reading', written: text, reading: { as } }] as const) : text;
  const all: string[] = [];
  for (const segment of language.segments(input, defaultNormalization)) {
    if (segment.type === 'sentence') all.push((await language.phonemes(segment.tokens)).join(''));
  }
  return all.join(' ').trim();
}

describe('readings of say-as', () => {
  it.each<[string, SayAs, string]>([
    ['A7b', 'characters', 'A seven B'],
    ['A B', 'characters', 'A B'],
    ['x@y', 'characters', 'X at Y'],
    ['404', 'digits', 'four zero four'],
    ['1984', 'cardinal', 'one thousand nine hundred eighty four'],
    ['1984', 'ordinal', 'one thousand nine hundred eighty fourth'],
    ['-5', 'cardinal', 'minus five'],
    ['007', 'cardinal', 'seven'],
    ['12 345', 'cardinal', 'twelve thousand three hundred forty five'],
    ['3.5', 'cardinal', 'three point five'],
    ['3.141', 'cardinal', 'three point one four one'],
    ['1,984', 'cardinal', 'one thousand nine hundred eighty four'],
    ['1', 'ordinal', 'first'],
    ['12', 'ordinal', 'twelfth'],
    ['22nd', 'ordinal', 'twenty second'],
    ['many', 'ordinal', 'many'],
    ['+1 (800) 555-1234', 'telephone', 'plus one, eight zero zero, five five five, one two three four'],
    ['5551234 ext. 9', 'telephone', 'five five five one two three four, ext, nine'],
  ])('reads %s as %s', async (written, as, words) => {
    expect((await spoken(written, as)).replace(/ ,/g, ',')).toBe(words);
  });

  it('reads them even without normalization of the text', async () => {
    expect(await spoken('12', 'ordinal', { normalize: false })).toBe('twelfth');
  });

  it.each<[LanguageLetter, string]>([
    ['e', '21.º'],
    ['f', '21e'],
    ['h', '21वाँ'],
    ['i', '21º'],
    ['p', '21º'],
    ['j', '21番目'],
    ['z', '第21'],
  ])('knows ordinals, letters and digits of the language %s', async (letter, ordinal) => {
    if (!supportedLanguages.includes(letter)) return;
    expect(await phonemes(letter, '21', 'ordinal')).toBe(await phonemes(letter, ordinal));
    expect(await phonemes(letter, '21', 'cardinal')).toBe(await phonemes(letter, '21'));
    for (const as of ['characters', 'digits', 'telephone'] as const) {
      const digits = await phonemes(letter, '21', as);
      expect(digits).not.toBe(await phonemes(letter, '21'));
      // The end of a word may change before the next.
      expect(digits.startsWith((await phonemes(letter, '2')).slice(0, 3))).toBe(true);
    }
    expect(await phonemes(letter, 'dvd', 'characters')).not.toBe('');
  });
});
