import { describe, expect, it } from 'vitest';
import { american } from './american.ts';
import { formatPhones, parsePhones, toArpabet } from './arpabet.ts';
import { british } from './british.ts';

describe('toArpabet', () => {
  it.each([
    ['həlˈO', 'hh ax0 l ow1'],
    ['wˈɜɹld', 'w er1 l d'],
    ['bˈʌTəɹ', 'b ah1 t er0'],
    ['bˈʌtᵊn', 'b ah1 t ax0 n'],
    ['ˌʌndəɹstˈænd', 'ah0 n d er0 s t ae1 n d'],
    ['ʧˈɜːʧ', 'ch er1 ch'],
    ['nˈIʦ', 'n ay1 t s'],
    ['ɡˈQ, bˈɒt.', 'g ow1 b aa1 t'],
    ['', ''],
  ])('%s → %s', (phonemes, phones) => {
    expect(toArpabet(phonemes).join(' ')).toBe(phones);
  });
});

describe('parsePhones', () => {
  it.each([
    ['HH AH0 L OW1', 'həlˈO', 'həlˈQ'],
    ['w er1 l d', 'wˈɜɹld', 'wˈɜːld'],
    ['K AA1 R', 'kˈɑɹ', 'kˈɑː'],
    ['B AH1 T ER0', 'bˈʌTəɹ', 'bˈʌtə'],
    ['ax0 g ow1', 'əɡˈO', 'əɡˈQ'],
  ])('%s → %s, %s', (phones, us, gb) => {
    const parsed = parsePhones(phones.split(' '));
    expect(american(parsed, '')).toBe(us);
    expect(british(parsed, '')).toBe(gb);
  });

  it('throws for unknown symbols', () => {
    expect(() => parsePhones(['HH', 'QQ1'])).toThrow(/QQ1/);
    expect(() => parsePhones(['B1X'])).toThrow();
  });
});

it('formatPhones reverses parsePhones, except for allophones', () => {
  const phones = ['HH', 'AH0', 'L', 'OW1'];
  expect(formatPhones(parsePhones(phones))).toEqual(phones);
  expect(formatPhones(parsePhones(['b', 'en', 'dx', 'axr']))).toEqual(['B', 'AH0', 'N', 'T', 'ER0']);
});
