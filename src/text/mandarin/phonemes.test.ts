import { describe, expect, it } from 'vitest';
import { syllablePhonemes } from './phonemes.ts';

describe('syllablePhonemes', () => {
  it.each([
    ['zhong1', '\uAB67ʊ→ŋ'],
    ['guo2', 'kwo↗'],
    ['ren2', 'ɻə↗n'],
    ['shi4', 'ʂɨ↘'],
    ['zi5', 'ʦɨ'],
    ['er2', 'ɚ↗'],
    ['lü4', 'ly↘'],
    ['lv4', 'ly↘'],
    ['lue4', 'lɥe↘'],
    ['ju1', 'ʨy→'],
    ['quan2', 'ʨʰɥɛ↗n'],
    ['you3', 'jou↓'],
    ['liu2', 'ljou↗'],
    ['wen2', 'wə↗n'],
    ['bo1', 'pwo→'],
    ['xiong2', 'ɕjʊ↗ŋ'],
    ['le5', 'lɤ'],
    ['ma0', 'ma'],
    ['xx1', undefined],
    ['hao', undefined],
  ])('%s', (syllable, phonemes) => {
    expect(syllablePhonemes(syllable)).toBe(phonemes);
  });
});
