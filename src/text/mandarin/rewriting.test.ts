import { describe, expect, it } from 'vitest';
import type { NormalizationOptions } from '../../synthesis.ts';
import { defaultNormalization } from '../normalize.ts';
import { rewrite } from './rewriting.ts';

/** What is read, with words in Latin letters between angle brackets. */
function read(text: string, options: NormalizationOptions = defaultNormalization): string {
  return rewrite(text, options, (latin) => `<${latin}>`)
    .map(({ read, said, mark }) => said ?? mark ?? read)
    .join('');
}

describe('what is read in Mandarin', () => {
  it.each([
    ['0', '零'],
    ['7', '七'],
    ['10', '十'],
    ['12', '十二'],
    ['20', '二十'],
    ['100', '一百'],
    ['101', '一百零一'],
    ['110', '一百一十'],
    ['1000', '一千'],
    ['1001', '一千零一'],
    ['1010', '一千零一十'],
    ['10000', '一万'],
    ['10001', '一万零一'],
    ['10100', '一万零一百'],
    ['12345', '一万两千三百四十五'],
    ['100000', '十万'],
    ['1000000', '一百万'],
    ['20000000', '两千万'],
    ['123456789', '一亿两千三百四十五万六千七百八十九'],
    ['2个', '两个'],
    ['2人', '两人'],
    ['2天', '两天'],
    ['12个', '十二个'],
    ['200块', '二百块'],
    ['2000年', '二零零零年'],
    ['2月', '二月'],
    ['2号', '二号'],
    ['2万', '两万'],
    ['22000', '两万两千'],
    ['3.14', '三点一四'],
    ['0.5', '零点五'],
    ['1.05', '一点零五'],
    ['-5', '负五'],
    ['007', '零零七'],
    ['1,234', '一千二百三十四'],
    ['3万', '三万'],
    ['1.5亿', '一点五亿'],
    ['2024年', '二零二四年'],
    ['98年5月', '九八年五月'],
    ['1998-2002年', '一九九八到二零零二年'],
    ['2024年3月15日', '二零二四年三月十五日'],
    ['2024-03-15', '二零二四年三月十五日'],
    ['2024/3/5', '二零二四年三月五日'],
    ['3/15', '三月十五日'],
    ['1/2', '二分之一'],
    ['3/4', '四分之三'],
    ['50%', '百分之五十'],
    ['12.5％', '百分之十二点五'],
    ['3‰', '千分之三'],
    ['15:30', '十五点三十分'],
    ['9:05', '九点零五分'],
    ['14:00', '十四点'],
    ['2:30', '两点三十分'],
    ['12:00:08', '十二点零分零八秒'],
    ['3:2', '三比二'],
    ['16：9', '十六比九'],
    ['¥5.50', '五元五角'],
    ['¥5.05', '五元零五分'],
    ['¥0.99', '九角九分'],
    ['￥100', '一百元'],
    ['¥7,999元', '七千九百九十九元'],
    ['$12.5', '十二点五美元'],
    ['US$3亿', '三亿美元'],
    ['€20', '二十欧元'],
    ['£5', '五英镑'],
    ['RMB 300', '三百元'],
    ['100元', '一百元'],
    ['10km', '十公里'],
    ['5kg', '五公斤'],
    ['36.5℃', '三十六点五摄氏度'],
    ['-3°C', '负三摄氏度'],
    ['60km/h', '六十公里每小时'],
    ['20m²', '二十平方米'],
    ['500ml', '五百毫升'],
    ['2kg', '两公斤'],
    ['13812345678', '幺三八幺二三四五六七八'],
    ['010-12345678', '零幺零幺二三四五六七八'],
    ['400-123-4567', '四零零幺二三四五六七'],
    ['10-20', '十到二十'],
    ['3~5天', '三到五天'],
    ['10%-20%', '百分之十到百分之二十'],
    ['第3章', '第三章'],
    ['5+3=8', '五加三等于八'],
    ['3×4', '三乘四'],
    ['1.2.3', '一点二点三'],
    ['iPhone 15', '<iPhone> 十五'],
    ['①', '一'],
    ['１２３', '一百二十三'],
    ['二〇二四年', '二零二四年'],
    ['A4纸', '<A4>纸'],
    ['Google', '<Google>'],
    ['@小明', '艾特小明'],
    ['C++', '<C++>'],
    ['©', '版权'],
  ])('%s', (written, expected) => {
    expect(read(written)).toBe(expected);
  });

  it('is the plain number without normalization, and still everything', () => {
    expect(read('2个Google，15:30', { ...defaultNormalization, normalize: false })).toBe('二个<Google>,十五:三十');
  });

  it('counts telephone numbers where they are not to be read as such', () => {
    expect(read('400-123-4567', { ...defaultNormalization, phone_normalization: false })).not.toContain('幺');
  });

  it('keeps what is written', () => {
    const text = '（２０２４年）iPhone花了¥5.50，ok？';
    expect(
      rewrite(text, defaultNormalization, () => 'x')
        .map(({ written }) => written)
        .join(''),
    ).toBe(text);
  });
});
