import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultNormalization } from '../normalization.ts';
import { textSegments } from '../segments.ts';
import type { LanguageLetter, NormalizationOptions } from '../types.ts';
import { sentenceRules } from './language.ts';

const golden = JSON.parse(readFileSync(new URL('normalize.golden.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string>
>;

async function tokensOf(letter: LanguageLetter, text: string, options: Partial<NormalizationOptions> = {}) {
  const segments = textSegments(text, { ...defaultNormalization, ...options }, await sentenceRules(letter));
  return [...segments].flatMap((segment) => (segment.type === 'sentence' ? segment.tokens : []));
}

async function spoken(letter: LanguageLetter, text: string, options: Partial<NormalizationOptions> = {}) {
  const tokens = await tokensOf(letter, text, options);
  return tokens
    .map((token) => token.spoken)
    .filter(Boolean)
    .join(' ');
}

describe('normalization by eSpeak languages', () => {
  for (const [letter, cases] of Object.entries(golden)) {
    it.each(Object.entries(cases))(`${letter}: %s`, async (written, words) => {
      expect(await spoken(letter as LanguageLetter, written, { unit_normalization: true })).toBe(words);
    });

    it(`${letter} has at least 60 golden cases`, () => {
      expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60);
    });
  }
});

describe('normalization options', () => {
  it.each([
    ['e', 'a 5 km', {}, 'a cinco km'],
    ['e', 'a 5 km', { unit_normalization: true }, 'a cinco kilómetros'],
    ['e', '5km-10km', {}, 'cinco km a diez km'],
    ['e', 'pan & vino', { replace_remaining_symbols: false }, 'pan vino'],
    ['e', '20/11/2026, 5 €', { normalize: false }, '20/11/2026, 5 €'],
    ['e', 'a@b.es', { email_normalization: false }, 'a arroba b punto es'],
    [
      'f',
      '01 23 45 67 89',
      { phone_normalization: false },
      'zéro un vingt-trois quarante-cinq soixante-sept quatre-vingt-neuf',
    ],
    ['p', '1 e 2', { normalize: false }, '1 e 2'],
  ] as [LanguageLetter, string, Partial<NormalizationOptions>, string][])(
    '%s: %s %o',
    async (letter, text, options, words) => {
      expect(await spoken(letter, text, options)).toBe(words);
    },
  );
});

describe('tokens', () => {
  it('keep the written text', async () => {
    const tokens = await tokensOf('f', 'Il est 15 h 30 à Paris, « vraiment » ; [Guermantes](/ɡɛʁmˈɑ̃t/) dit 1 234,5 €.');
    expect(tokens.map(({ written }) => written)).toEqual([
      'Il',
      'est',
      '15 h 30',
      'à',
      'Paris,',
      '«',
      'vraiment',
      '»',
      ';',
      'Guermantes',
      'dit',
      '1 234,5 €.',
    ]);
    expect(tokens.find(({ written }) => written === 'Guermantes')?.ipa).toBe('ɡɛʁmˈɑ̃t');
    expect(tokens.at(-1)?.spoken).toBe('mille deux cent trente-quatre virgule cinq euros.');
  });

  it('drop characters that no voice can pronounce', async () => {
    expect(await spoken('i', 'Ciao 👩‍👩‍👧 日本 *mondo* ===== `ok` !')).toBe('Ciao mondo ok !');
    expect(await spoken('h', 'नमस्ते Москва')).toBe('नमस्ते Moskva');
  });

  it('understand control tokens', async () => {
    const segments = [...textSegments('Hola.[pause:0.5s] Adiós.', defaultNormalization, await sentenceRules('e'))];
    expect(segments.map(({ type }) => type)).toEqual(['sentence', 'pause', 'sentence']);
  });
});

it('reads numbers without words digit by digit', async () => {
  expect(await spoken('p', '12345678901234567890')).toBe(
    'um dois três quatro cinco seis sete oito nove zero um dois três quatro cinco seis sete oito nove zero',
  );
});
