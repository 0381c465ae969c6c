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
  ])('maps %s to %s', (tag, code) => {
    expect(languageCode(tag)).toBe(code);
  });

  it.each(['', 'xx', 'tlh', 'Klingon', 'auto', 'constructor', 'en--US', '英語', 'e'])(
    'maps %j to no language',
    (tag) => {
      expect(languageCode(tag)).toBeUndefined();
    },
  );

  it('maps every code and every name to its code', () => {
    for (const code of languageCodes) {
      expect(languageCode(code)).toBe(code);
      expect(languageCode(languageName(code)!)).toBe(code);
    }
  });
});

// Intl's names change with its version; clients send these.
const expectedNames =
  'en English, zh Chinese, de German, es Spanish, ru Russian, ko Korean, fr French, ja Japanese, ' +
  'pt Portuguese, tr Turkish, pl Polish, ca Catalan, nl Dutch, ar Arabic, sv Swedish, it Italian, ' +
  'id Indonesian, hi Hindi, fi Finnish, vi Vietnamese, he Hebrew, uk Ukrainian, el Greek, ms Malay, ' +
  'cs Czech, ro Romanian, da Danish, hu Hungarian, ta Tamil, no Norwegian, th Thai, ur Urdu, hr Croatian, ' +
  'bg Bulgarian, lt Lithuanian, la Latin, mi Maori, ml Malayalam, cy Welsh, sk Slovak, te Telugu, ' +
  'fa Persian, lv Latvian, bn Bengali, sr Serbian, az Azerbaijani, sl Slovenian, kn Kannada, et Estonian, ' +
  'mk Macedonian, br Breton, eu Basque, is Icelandic, hy Armenian, ne Nepali, mn Mongolian, bs Bosnian, ' +
  'kk Kazakh, sq Albanian, sw Swahili, gl Galician, mr Marathi, pa Punjabi, si Sinhala, km Khmer, sn Shona, ' +
  'yo Yoruba, so Somali, af Afrikaans, oc Occitan, ka Georgian, be Belarusian, tg Tajik, sd Sindhi, ' +
  'gu Gujarati, am Amharic, yi Yiddish, lo Lao, uz Uzbek, fo Faroese, ht Haitian Creole, ps Pashto, ' +
  'tk Turkmen, nn Nynorsk, mt Maltese, sa Sanskrit, lb Luxembourgish, my Myanmar, bo Tibetan, tl Tagalog, ' +
  'mg Malagasy, as Assamese, tt Tatar, haw Hawaiian, ln Lingala, ha Hausa, ba Bashkir, jw Javanese, ' +
  'su Sundanese, yue Cantonese';

describe('languageName', () => {
  it('returns the English names of 100 languages', () => {
    expect(languageCodes.map((code) => `${code} ${languageName(code)}`).join(', ')).toBe(expectedNames);
  });

  it('returns undefined for unknown codes', () => {
    expect(languageName('German')).toBeUndefined();
    expect(languageName('constructor')).toBeUndefined();
  });
});
