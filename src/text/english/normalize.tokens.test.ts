import { describe, expect, it } from 'vitest';
import { defaultNormalization } from '../normalization.ts';
import { englishSegments } from './normalize.ts';

const segments = (input: string, options = {}) => [...englishSegments(input, { ...defaultNormalization, ...options })];

const tokens = (input: string, options = {}) =>
  segments(input, options).flatMap((segment) => (segment.type === 'sentence' ? segment.tokens : []));

describe('English tokens', () => {
  it('keep the written text, one token per word', () => {
    expect(tokens('On Nov. 20, 2026, Dr. Lee paid $3.50.')).toEqual([
      { written: 'On', spoken: 'On' },
      { written: 'Nov.', spoken: 'November' },
      { written: '20,', spoken: 'twentieth,' },
      { written: '2026,', spoken: 'twenty twenty six,' },
      { written: 'Dr.', spoken: 'Doctor' },
      { written: 'Lee', spoken: 'Lee' },
      { written: 'paid', spoken: 'paid' },
      { written: '$3.50.', spoken: 'three dollars and fifty cents.' },
    ]);
  });

  it('end at a dash, and stay even if silent', () => {
    expect(tokens('yes—no 😀 ok')).toEqual([
      { written: 'yes—', spoken: 'yes—' },
      { written: 'no', spoken: 'no' },
      { written: '😀', spoken: '' },
      { written: 'ok', spoken: 'okay' },
    ]);
  });

  const samples = [
    'Mr. Smith, 3 3/4 cups (½) at 5:30 p.m.; see http://a.b/c?d=e&f — “ok”… it’s 20°C!',
    'Call (555) 123-4567 or +44 20 7946 0958, e.g. on 11/20/2026, the 3rd of May.',
    'Henry VIII’s R&D: AT&T *bold* _it_ #1 @me C++ -5 10-20 $5–10 £5m 50% x² 4x4 file(s) 24/7.',
    'Москва Αθήνα café 漢字 ٣ １２ 😀👍🏽 a\u00adb 𝐁 ① Ⅷ z\u0301 \ud800 end',
    '\u00adﬁne e\u0301\ufeff ㎏ 🅷🅸, don´t\u200E ¾',
  ];
  it.each(samples)('have all written characters in order: %s', (sample) => {
    const bare = (text: string) => text.replace(/\s/g, '');
    const plain = { markdown_normalization: false };
    for (const options of [plain, { ...plain, unit_normalization: true }, { normalize: false }]) {
      const written = tokens(sample, options).map((token) => token.written);
      expect(bare(written.join(''))).toBe(bare(sample));
    }
    const tagged = `<p>${sample}</p> [pause:1s] <em>x</em>`;
    expect(
      bare(
        tokens(tagged, plain)
          .map(({ written }) => written)
          .join(''),
      ),
    ).toBe(`${bare(sample)}x`);
  });

  it('speak only letters and punctuation', () => {
    for (const sample of samples) {
      for (const { spoken } of tokens(sample)) expect(spoken).toMatch(/^[\p{Script=Latin}\p{M}' ,;:.!?…—"“”()]*$/u);
    }
  });

  it('have the sounds of transcriptions, but not of other words between slashes and brackets', () => {
    const sounds = (text: string) =>
      tokens(text).flatMap(({ written, ipa }) => (ipa === undefined ? [] : [[written, ipa]]));
    expect(sounds('Say /ˈɹiːdɪŋ/, [ˈteɪ] or “/ə/”.')).toEqual([
      ['/ˈɹiːdɪŋ/', 'ˈɹiːdɪŋ'],
      ['[ˈteɪ]', 'ˈtA'],
      ['/ə/', 'ə'],
    ]);
    expect(sounds('and/or/not /usr/bin/ /2024/ [sic] a/ə/b https://a.io/ɪ/ Læsø/Ærø/Fyn')).toEqual([]);
  });
});
