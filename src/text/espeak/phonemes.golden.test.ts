import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LanguageGolden, languageErrorRate, readGoldens } from '../../../benchmarks/phoneme-errors.mjs';
import type { LanguageText } from '../language.ts';
import { Languages } from '../languages.ts';
import { defaultNormalization } from '../normalization.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';
import type { LanguageLetter, SpokenToken } from '../types.ts';
import { UserLexicon } from '../user-lexicon.ts';
import { Espeak, hasEspeak } from './espeak.ts';
import { englishWord } from './phonemes.ts';

if (!hasEspeak()) console.log('Skipped: phonemes by eSpeak NG; its package is not installed.');

const goldens = readGoldens<LanguageGolden>(fileURLToPath(new URL('phonemes.golden.jsonl.gz', import.meta.url)));
const languages = new Languages();

describe.skipIf(!hasEspeak())('phonemes by eSpeak NG', () => {
  // The rest is normalization that differs on purpose, such as a dash for a hyphen between spaces.
  it.each(['e', 'f', 'h', 'i', 'p'] as LanguageLetter[])("are misaki's (%s)", async (letter) => {
    const sentences = goldens.filter(({ language }) => language === letter);
    expect(sentences.length).toBeGreaterThan(300);
    const modules = { defaultNormalization, unknownPhonemes };
    expect(await languageErrorRate(sentences, await languages.load(letter), modules)).toBeLessThan(0.0005);
  });

  describe('of tokens', () => {
    let spanish: LanguageText;
    let french: LanguageText;
    beforeAll(async () => {
      spanish = await languages.load('e');
      french = await languages.load('f');
    });
    const tokensOf = (language: LanguageText, text: string): SpokenToken[] =>
      [...language.segments(text, defaultNormalization)].flatMap((segment) =>
        segment.type === 'sentence' ? segment.tokens : [],
      );
    const each = async (language: LanguageText, text: string, entries?: UserLexicon) => {
      const tokens = tokensOf(language, text);
      const phonemes = await language.phonemes(tokens, entries);
      expect(phonemes).toHaveLength(tokens.length);
      return tokens.map(({ written }, index) => [written, phonemes[index]]);
    };

    it('have one string per token', async () => {
      expect(await each(spanish, '«Hola, (chico) —dijo» [Ana](/ˈana/). ¿5 € 😀?')).toEqual([
        ['«Hola,', '“ˈola,'],
        ['(chico)', ' (ʧˈiko)'],
        ['—dijo»', ' —dˈixo”'],
        ['Ana', ' ˈana'],
        ['.', '.'],
        ['¿5 €', ' θˈinko ˈeʊɾos'],
        ['😀?', '?'],
      ]);
      expect(await spanish.phonemes([])).toEqual([]);
    });

    it('are assigned to words that eSpeak joins or splits', async () => {
      for (const [, phonemes] of await each(french, "Il y a là un parce que, n'est-ce pas, tout à fait le week-end.")) {
        expect(phonemes).not.toBe('');
      }
    });

    it('have no space before French punctuation', async () => {
      const phonemes = await french.phonemes(tokensOf(french, 'Quoi ? « Oui ! »'));
      expect(phonemes.join('')).toBe('kwˈa? “wˈi!”');
    });

    it("use the user's lexicon", async () => {
      const entries = UserLexicon.from({ Hearsay: 'xˈeɾsaj' });
      expect(await each(spanish, '“Hearsay” es.', entries)).toEqual([
        ['“Hearsay”', '“xˈeɾsaj”'],
        ['es.', ' ˈes.'],
      ]);
    });

    it('stay in the alphabet for any text', async () => {
      for (const letter of ['e', 'f', 'h', 'i', 'p'] as const) {
        const language = await languages.load(letter);
        for (const part of ['a-', '日', 'क्', 'ा', '\ud800', 'www.', '(', 'x_', '\u0301', 'XIV ', 'ß']) {
          const phonemes = await language.phonemes(tokensOf(language, part.repeat(2000 / part.length)));
          expect(unknownPhonemes(phonemes.join(''))).toEqual([]);
        }
      }
    }, 60_000);
  });

  it('converts English words', async () => {
    const espeak = await Espeak.load();
    // As misaki's EspeakFallback.
    expect(englishWord(espeak, 'kubernetes', 'us')).toBe('kˌubəɹnˈɛTiz');
    expect(englishWord(espeak, 'Zuckerberg', 'gb')).toBe('zˈʌkəbˌɜːɡ');
  });

  it('loads eSpeak once', async () => {
    expect(await Espeak.load()).toBe(await Espeak.load());
  });
});
