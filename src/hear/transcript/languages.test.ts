import { describe, expect, it } from 'vitest';
import { languageCode, languageCodes, languageName } from './languages.ts';

describe('languageCode', () => {
  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    [' English ', 'en'],
    ['en-US', 'en'],
    ['pt_BR', 'pt'],
    ['zh-Hans-CN', 'zh'],
    ['zh-yue', 'yue'],
    ['yue-HK', 'yue'],
    ['eng', 'en'],
    ['deu', 'de'],
    ['ger', 'de'],
    ['cmn', 'zh'],
    ['iw', 'he'],
    ['jv', 'jw'],
    ['jw', 'jw'],
    ['nb-NO', 'no'],
    ['fil', 'tl'],
    ['haw', 'haw'],
    ['Cantonese', 'yue'],
    ['CASTILIAN', 'es'],
    ['mandarin', 'zh'],
    ['Flemish', 'nl'],
    ['burmese', 'my'],
    ['haitian creole', 'ht'],
    ['Norwegian Bokmål', 'no'],
  ])('%s is %s', (given, code) => {
    expect(languageCode(given)).toBe(code);
  });

  it.each(['', 'xx', 'tlh', 'Klingon', 'auto', 'constructor', 'en--US', '英語', 'e'])('%j is none', (given) => {
    expect(languageCode(given)).toBeUndefined();
  });

  it('knows 100 languages by code and by name', () => {
    expect(new Set(languageCodes).size).toBe(100);
    for (const code of languageCodes) {
      expect(languageCode(code)).toBe(code);
      expect(languageCode(languageName(code)!)).toBe(code);
    }
  });
});

describe('languageName', () => {
  it('is the English name', () => {
    expect(languageName('de')).toBe('German');
    expect(languageName('yue')).toBe('Cantonese');
    expect(languageName('German')).toBeUndefined();
  });
});
