import { describe, expect, it } from 'vitest';
import { atLeastSecondary, balanced, emphasized, lessStressed } from './stress.ts';

describe('stress', () => {
  it('lessStressed lowers stress by a degree', () => {
    expect(lessStressed('stˈɔɹˌi')).toBe('stˌɔɹi');
    expect(lessStressed('ˌʌp')).toBe('ˌʌp');
    expect(lessStressed('ðə')).toBe('ðə');
  });

  it('atLeastSecondary and emphasized stress the first vowel of weak words', () => {
    expect(atLeastSecondary('ænd')).toBe('ˌænd');
    expect(atLeastSecondary('hiz')).toBe('hˌiz');
    expect(atLeastSecondary('bˌʌt')).toBe('bˌʌt');
    expect(atLeastSecondary('ʃ')).toBe('ʃ');
    expect(emphasized('hiz')).toBe('hˈiz');
    expect(emphasized('bˌʌt')).toBe('bˈʌt');
    expect(emphasized('stˈɔɹˌi')).toBe('stˈɔɹˌi');
  });

  it('balanced keeps stress on the heavier half of a compound', () => {
    expect(balanced(['wˈɛl', '', 'nˈOn'], ['well', '-', 'known'])).toEqual(['wˌɛl', '', 'nˈOn']);
    expect(balanced(['tˈi', '', 'ʃˌɜɹt'], ['T', '-', 'shirt'])).toEqual(['tˈi', '', 'ʃˌɜɹt']);
    expect(balanced(['ˈɛks', '', 'ɹˈA'], ['X', '-', 'ray'])).toEqual(['ˈɛks', '', 'ɹˌA']);
    expect(balanced(['stˈAt', 'ʌv', 'ði', 'ˈɑɹt'], ['state', 'of', 'the', 'art'])).toEqual([
      'stˈAt',
      'ʌv',
      'ði',
      'ˈɑɹt',
    ]);
    expect(balanced(['bˈOn'], ['bone'])).toEqual(['bˈOn']);
  });
});
