import { describe, expect, it } from 'vitest';
import { fold } from './folding.ts';

/** What each character of the folded text was written as. */
function sources(written: string): string[] {
  const folded = fold(written);
  return Array.from({ length: folded.text.length }, (_, index) => folded.written(index, index + 1));
}

describe('fold', () => {
  it.each([
    ['e\u0301te\u0301', 'été'],
    ['Ｈｅｌｌｏ， １２', 'Hello, 12'],
    ['10～20', '10～20'],
    ['eﬃcient ﬂow', 'efficient flow'],
    ['5㎏, 10㎡, 3㎧, 20℃', '5kg, 10m², 3m/s, 20°C'],
    ['𝐇𝐨𝐥𝐚 𝟏𝟐', 'Hola 12'],
    ['ⒽⓄ 🄷🄾 🅗🅞 🅷🅾', 'HO HO HO HO'],
    ['sᴍᴀʟʟ, not [ɪ]', 'small, not [ɪ]'],
    ['inter\u00ADnatio\u200Cn\u200Bal\uFEFF', 'international'],
    ['5\u061C6, 1\uFE0F9 \u006Dá\uFE0Fs, 1\uFE0F\u20E3', '56, 19 más, 1\uFE0F\u20E3'],
    ['\u001B[1;31mred\u001B[0m', 'red'],
    ['क्\u200Dष, टिप्पणि\u200Dयों, 👩\u200D🚀', 'क्ष, टिप्पणियों, 👩\u200D🚀'],
    ['don´t, it`s, won‘t, d`abord, l´été', "don't, it's, won't, d'abord, l'été"],
    ['``x`y``, ´quoted´', '``x`y``, ´quoted´'],
    ['5‑6, co‐op, 1\u2009000\u2009km, 1ˢᵗ 2ⁿᵈ 3ʳᵈ 5ᵗʰ xᵗʰ', '5-6, co-op, 1\u202F000\u2009km, 1st 2nd 3rd 5th xᵗʰ'],
    ['x², H₂O, ½, Ⅻ, 1ª, ™', 'x², H₂O, ½, Ⅻ, 1ª, ™'],
  ])('%j', (written, folded) => expect(fold(written).text).toBe(folded));

  it('knows how each character was written', () => {
    expect(sources('a ﬃ e\u0301b')).toEqual(['a', ' ', 'ﬃ', '', '', ' ', 'e\u0301', 'b']);
    expect(sources('so\u00ADft')).toEqual(['s', 'o\u00AD', 'f', 't']);
    expect(sources('\u00ADso\uFEFF')).toEqual(['\u00ADs', 'o\uFEFF']);
    expect(sources('plain')).toEqual([...'plain']);
  });
});
