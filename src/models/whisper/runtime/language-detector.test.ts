import { describe, expect, it } from 'vitest';
import { at, ScriptedDecoder, special } from '../../../../test/fixtures/scripted-decoder.ts';
import type { DecodingResult } from './decoding.ts';
import { detectLanguage, surestText } from './language-detector.ts';

describe('detectLanguage', () => {
  it('picks the most probable language, even if other tokens are more probable', async () => {
    const state = new ScriptedDecoder(() => ({ 5: 0.5, [at(0)]: 0.35, 22: 0.05, 23: 0.1 }));
    const { language, probabilities } = await detectLanguage(state, special);
    expect(language).toBe('fr');
    expect(probabilities.get('fr')).toBeCloseTo(2 / 3, 5);
    expect(probabilities.get('en')).toBeCloseTo(1 / 3, 5);
    expect(state.fed).toEqual([[special.startOfTranscript]]);
  });

  it('picks among the languages of the request, with probabilities among them', async () => {
    const script = () => ({ 22: 0.05, 23: 0.1 });
    const only = await detectLanguage(new ScriptedDecoder(script), special, ['en', 'xx']);
    expect(only.language).toBe('en');
    expect([...only.probabilities]).toEqual([['en', expect.closeTo(1, 5)]]);
    const both = await detectLanguage(new ScriptedDecoder(script), special, ['en', 'fr']);
    expect(both.language).toBe('fr');
  });
});

describe('surestText', () => {
  const chosen = async (ofOther: Partial<DecodingResult>) => {
    const results: Record<string, Partial<DecodingResult>> = {
      en: { averageLogprob: -1.18, failed: true },
      ru: ofOther,
    };
    const candidates = [
      { language: 'en', probability: 0.35 },
      { language: 'ru', probability: 0.14 },
    ];
    return (await surestText(candidates, async (language) => results[language] as DecodingResult, 1)).language;
  };

  it('keeps the most probable language unless a text in another one passes', async () => {
    expect(await chosen({ averageLogprob: -1.05, failed: true })).toBe('en');
    expect(await chosen({ averageLogprob: -0.9, failed: false })).toBe('ru');
  });
});
