import { beforeAll, describe, expect, it } from 'vitest';
import type { SpokenToken } from '../../synthesis.ts';
import type { LanguageText } from '../language.ts';
import { Languages } from '../languages.ts';
import { defaultNormalization } from '../normalize.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';

let japanese: LanguageText;
beforeAll(async () => {
  japanese = await new Languages().load('j');
});

const sentences = (text: string): SpokenToken[][] =>
  [...japanese.pieces(text, defaultNormalization)].flatMap((piece) =>
    piece.type === 'sentence' ? [piece.tokens] : [],
  );
const say = async (text: string): Promise<string> =>
  (await Promise.all(sentences(text).map((tokens) => japanese.phonemes(tokens))))
    .map((phonemes) => phonemes.join(''))
    .join(' | ');

describe('Japanese', () => {
  it.each([
    ['吾輩は猫である。', 'βaɡahai βa neko de aɾɯ.'],
    ['私は学校へ行きます。', 'βataɕi βa ɡaʔkoː e ikʲimasɨ.'],
    ['「今日は」と言った。', '“kʲoː βa” to iʔta.'],
    ['大きい映画だろう？', 'oːkʲiː eːɡa daɾoː?'],
    ['GoogleのAIを使う。', 'ɡɯːɡɯɾɯ no eːai o ʦɨkaɯ.'],
    ['人々は時々笑う！', 'çitobʲito βa tokʲidokʲi βaɾaɯ!'],
    ['（金）テレビ・ラジオ', '(kʲiɴ) teɾebʲi ɾaʥio'],
  ])('%s', async (text, phonemes) => {
    expect(await say(text)).toBe(phonemes);
  });

  it('shows its words as they are written', () => {
    const text = '「2024年3月に、iPhoneを3台買った。」と彼は言った。';
    const [tokens] = sentences(text);
    expect(tokens!.map(({ written }) => written).join('')).toBe(text);
    expect(tokens!.map(({ written }) => written)).toEqual(
      expect.arrayContaining(['「2024年', '3月', 'iPhone', '3台', '買った。」', '彼', '言った。']),
    );
  });

  it('cuts sentences and keeps a quotation in the one it stands in', () => {
    expect(sentences('雨だ。「傘は？」と聞いた。\n　次の段落。\n第一章\n雪').length).toBe(5);
  });

  it('says what is given as phonemes, and pauses', async () => {
    const pieces = [...japanese.pieces('[東京](/toːkʲoː/)です。[pause:1s]はい', defaultNormalization)];
    expect(pieces.map(({ type }) => type)).toEqual(['sentence', 'pause', 'sentence']);
    expect(await say('[東京](/toːkʲoː/)です。')).toBe('toːkʲoː desɨ.');
  });

  it('reads tokens that were phonemes from the start', async () => {
    const tokens = [
      { written: 'neko', spoken: '', ipa: 'neko' },
      { written: '.', spoken: '.' },
    ];
    expect(await japanese.phonemes(tokens)).toEqual(['neko', '.']);
  });

  it('says something for what its dictionary does not know', async () => {
    for (const text of ['㐂', '龘', '思つて', '𠮷野家', 'ゐる', '々', 'Ж', '٣', 'ﾊﾝ'])
      expect(await say(text)).not.toBe('');
  });

  it('stays in the alphabet, one string a token', async () => {
    for (const part of [
      'あ',
      'ー',
      'っん',
      '一',
      '1,',
      '1:',
      '漢',
      '한',
      '😀',
      '\ud800',
      '々',
      'Aa',
      '__proto__',
      '「"',
      'ﾞ',
    ]) {
      for (const normalize of [true, false]) {
        for (const piece of japanese.pieces(`今日は${part.repeat(300)}3月`, { ...defaultNormalization, normalize })) {
          if (piece.type !== 'sentence') continue;
          const phonemes = await japanese.phonemes(piece.tokens);
          expect(phonemes).toHaveLength(piece.tokens.length);
          expect(unknownPhonemes(phonemes.join(''))).toEqual([]);
        }
      }
    }
  });

  it('knows by their sound where a phrase may begin', async () => {
    const [tokens] = sentences('猫はテレビから3台');
    const begins = (await japanese.phonemes(tokens!)).map((sound, at) =>
      japanese.beginsPhrase(tokens![at]!, sound.trim()),
    );
    expect(begins).toEqual([true, false, true, false, true]);
  });
});
