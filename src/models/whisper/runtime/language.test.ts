import { describe, expect, it } from 'vitest';
import { at, ScriptedDecoder, special } from '../../../../test/fixtures/scripted-decoder.ts';
import { detectLanguage } from './language.ts';

describe('detectLanguage', () => {
  it('is the most probable among the languages, whatever else is more probable', async () => {
    const state = new ScriptedDecoder(() => ({ 5: 0.5, [at(0)]: 0.35, 22: 0.05, 23: 0.1 }));
    const { language, probabilities } = await detectLanguage(state, special);
    expect(language).toBe('fr');
    expect(probabilities.get('fr')).toBeCloseTo(2 / 3, 5);
    expect(probabilities.get('en')).toBeCloseTo(1 / 3, 5);
    expect(state.fed).toEqual([[special.startOfTranscript]]);
  });
});
