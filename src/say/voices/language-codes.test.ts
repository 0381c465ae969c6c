import { expect, it } from 'vitest';
import { languageLetter } from './language-codes.ts';

it('languageLetter accepts letters and language tags', () => {
  const letters = {
    a: 'a',
    B: 'b',
    en: 'a',
    'en-US': 'a',
    en_us: 'a',
    'en-gb': 'b',
    'EN-AU': 'b',
    'en-Latn-GB': 'b',
    es: 'e',
    'es-MX': 'e',
    'es-419': 'e',
    'fr-fr': 'f',
    hi: 'h',
    it: 'i',
    ja: 'j',
    'pt-br': 'p',
    zh: 'z',
    'zh-Hans-CN': 'z',
    cmn: 'z',
  };
  for (const [code, letter] of Object.entries(letters)) expect([code, languageLetter(code)]).toEqual([code, letter]);
  for (const code of ['', 'x', 'de', 'english', 'en-', '-us', 'constructor', 'en us', `en${'-a'.repeat(100_000)}`]) {
    expect([code.slice(0, 20), languageLetter(code)]).toEqual([code.slice(0, 20), undefined]);
  }
});
