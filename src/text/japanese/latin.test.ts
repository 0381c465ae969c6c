import { beforeAll, describe, expect, it } from 'vitest';
import { Lexicon, PronouncingDictionary } from '../english/g2p/lexicon.ts';
import { latinKana } from './latin.ts';

let english: Lexicon;
beforeAll(async () => {
  english = new Lexicon(await PronouncingDictionary.load());
});

describe('latinKana', () => {
  it.each([
    ['AI', 'えーあい'],
    ['USB', 'ゆーえすびー'],
    ['HTML', 'えいちてぃーえむえる'],
    ['LOVE', 'らぶ'],
    ['Google', 'ぐーぐる'],
    ['computer', 'こんぴゅーたー'],
    ['music', 'みゅーじっく'],
    ['box', 'ぼっくす'],
    ['station', 'すてーしょん'],
    ['camera', 'かめら'],
    ["it's", 'いっつ'],
    ['GitHub', 'ぎっとはぶ'],
    ['OpenAI', 'おーぺんえーあい'],
    ['iPad', 'あいぱっど'],
    ['McDonald', 'まくだなるど'],
    ['Shibuya', 'しぶや'],
    ['Shinkansen', 'しんかんせん'],
    ['matcha', 'まっちゃ'],
    ['Tokyo', 'とーきょー'],
    ['Café', 'かふぇー'],
    ['?', ''],
  ])('%s', (word, kana) => {
    expect(latinKana(word, english)).toBe(kana);
  });

  it('reads any sequence of letters as kana', () => {
    for (const word of ['a'.repeat(300), 'bcd', 'qzx', 'thth', 'xyzzy', 'rhythm', 'constructor', 'ngng', 'eau', 'zh']) {
      expect(latinKana(word, english)).toMatch(/^[ぁ-ゖー]+$/);
    }
  });
});
