import { beforeAll, describe, expect, it } from 'vitest';
import { formatPhones } from './arpabet.ts';
import { borrowedWord } from './borrowed-words.ts';
import { English } from './phonemes.ts';

let english: English;
beforeAll(async () => {
  english = await English.load();
});

describe('borrowed words', () => {
  it.each([
    ["hors d'oeuvres", 'ˈɔɹ dˈɜɹvz'],
    ['hors d’œuvres', 'ˈɔɹ dˈɜɹvz'],
    ["a coup d'état", 'ɐ kˈu dAtˈɑ'],
    ['Joaquin and Nguyen’s jalapeños', 'wɑkˈin ænd wˈɪnz hˌɑləpˈAnjOz'],
    ['Des Moines', 'də mˈYn'],
    ['in Leicester', 'ɪn lˈɛstəɹ'],
    ['the Sioux', 'ðə sˈu'],
    ['Siobhan and Niamh', 'ʃəvˈɔn ænd nˈiv'],
    ['et cetera', 'ˈɛt sˈɛTəɹə'],
    ['Xi Jinping', 'ʃˈi ʤənpˈɪŋ'],
    ['La Jolla', 'lə hˈYə'],
    ['a rosé', 'ɐ ɹOzˈA'],
    ['a rose', 'ɐ ɹˈOz'],
    ['Goethe', 'ɡˈɜɹTə'],
    ['Mozart’s', 'mˈOtsˌɑɹts'],
    ['Jean-Luc', 'ʒɑnlˈuk'],
    ['Saint-Saëns', 'sænsˈɑn'],
    ['grass and foie gras', 'ɡɹˈæs ænd fwˈɑ ɡɹˈɑ'],
    ['a fajita', 'ɐ fəhˈiTə'],
    ['jared in los angeles', 'ʤˈɛɹəd ɪn lˈɑs ˈænʤələs'],
    ['angels in Los Angeles', 'ˈAnʤᵊlz ɪn lˈɑs ˈænʤələs'],
  ])('%s', (text, phonemes) => {
    const spoken = text.split(' ');
    const said = english.phonemes(
      spoken.map((word) => ({ written: word, spoken: word })),
      'us',
    );
    expect(said.join('')).toBe(phonemes);
  });

  it('are spoken in British English as they are spelled, but without its sounds of u and wa', () => {
    const said = ['Los', 'Dostoevsky', 'Knut', 'Gwangju'].map(
      (word) => english.phonemes([{ written: word, spoken: word }], 'gb')[0],
    );
    expect(said).toEqual(['lˈɒs', 'dˌɒstəjˈɛfski', 'knˈuːt', 'ɡwˈɑːŋʤuː']);
  });

  it('need the capital or the accent that tells them from other words', () => {
    expect([borrowedWord('pho'), borrowedWord('chopin'), borrowedWord('NG'), borrowedWord('attache')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(formatPhones(borrowedWord('Attaché')!)).toEqual(['AE2', 'T', 'AH0', 'SH', 'EY1']);
    expect(formatPhones(borrowedWord('Des', 'Lee')!)).toEqual(['D', 'EH1', 'Z']);
  });
});
