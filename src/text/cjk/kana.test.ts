import { describe, expect, it } from 'vitest';
import { unknownPhonemes } from '../phoneme-alphabet.ts';
import { kanaPhonemes, toHiragana } from './kana.ts';

describe('kanaPhonemes', () => {
  it.each([
    ['わがはい', 'βaɡahai'],
    ['とーきょー', 'toːkʲoː'],
    ['がっこー', 'ɡaʔkoː'],
    ['しんぶん', 'ɕimbɯɴ'],
    ['りんご', 'ɾʲiŋɡo'],
    ['こんにち', 'koɲɲiʨi'],
    ['しんせー', 'ɕiɴseː'],
    ['じゅーねん', 'ʥɨːneɴ'],
    ['ふぁん', 'ɸaɴ'],
    ['ぱーてぃー', 'paːtʲiː'],
    ['うぃき', 'βikʲi'],
    ['すぃー', 'siː'],
    ['ゔぁ', 'va'],
    ['ちぇっく', 'ʨeʔkɯ'],
    ['を', 'o'],
    ['?', ''],
  ])('%s', (kana, phonemes) => {
    expect(kanaPhonemes(kana)).toBe(phonemes);
  });

  it('stays in the alphabet for every pair of kana', () => {
    const kana = Array.from({ length: 0x3097 - 0x3041 }, (_, index) => String.fromCharCode(0x3041 + index)).concat(
      'ー',
    );
    const unknown = kana.flatMap((first) => kana.flatMap((second) => unknownPhonemes(kanaPhonemes(first + second))));
    expect(unknown).toEqual([]);
  });
});

describe('toHiragana', () => {
  it('converts katakana', () => {
    expect(toHiragana('テレビーヴ')).toBe('てれびーゔ');
  });
});
