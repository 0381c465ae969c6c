import { describe, expect, it } from 'vitest';
import { foldWidth } from './folded-text.ts';

describe('foldWidth', () => {
  it.each([
    ['Ａ１！', 'A1!'],
    ['１，０００．５、１，２', '1,000.5、1,2'],
    ['か\u3099くせい', 'がくせい'],
    ['ハ\u309Aン', 'パン'],
    ['あ\u3099', 'あ'],
    ['中\u00AD国', '中国'],
    ['\u200B1\u200B0元\uFEFF', '10元'],
    ['葛\u{E0100}城', '葛城'],
    ['\u2060', ''],
    ['３‐５人、5‑6', '3-5人、5-6'],
    ['０３ー１２３４ー５６７８、03−1234−5678', '03-1234-5678、03-1234-5678'],
    ['〒１００－０００１、〒100−0001、中央1−2−3', '〒100-0001、〒100-0001、中央1-2-3'],
    ['1，000元，1，234，567、10，000', '1,000元，1,234,567、10,000'],
    ['300，500元，100，200，300，1，2，第3，100x50', '300，500元，100，200，300，1，2，第3，100x50'],
    ['共￥1，234，其中IPv6，802，拨打110，119。', '共￥1,234，其中IPv6，802，拨打110，119。'],
    ['123，456元，110，119，120', '123,456元，110，119，120'],
    ['39°54′17″，5′', '39°54分17秒，5′'],
    ['10−3、計算5−3−2=0、1ー', '10−3、計算5−3−2=0、1ー'],
  ])('%j is %j', (written, text) => {
    expect(foldWidth(written).text).toBe(text);
  });

  it('knows how each character is written', () => {
    const folded = foldWidth('\u200Bか\u3099く\u00ADせ𠮷\uFE00');
    const { length } = folded.text;
    expect(Array.from({ length }, (_, index) => folded.written(index, index + 1))).toEqual([
      '\u200Bか\u3099',
      'く\u00AD',
      'せ',
      '\uD842',
      '\uDFB7\uFE00',
    ]);
    expect(folded.written(0, length)).toBe('\u200Bか\u3099く\u00ADせ𠮷\uFE00');
  });
});
