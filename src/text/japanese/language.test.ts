import { describe, expect, it } from 'vitest';
import { spokenLanguage } from '../../../test/fixtures/spoken-language.ts';
import { defaultNormalization } from '../normalization.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';
import { UserLexicon } from '../user-lexicon.ts';

const { text: japanese, sentences, say } = await spokenLanguage('j');

describe('Japanese', () => {
  it.each([
    ['吾輩は猫である。', 'βaɡahai βa neko de aɾɯ.'],
    ['私は学校へ行きます。', 'βataɕi βa ɡaʔkoː e ikʲimasɨ.'],
    ['「今日は」と言った。', '“kʲoː βa” to iʔta.'],
    ['大きい映画だろう？', 'oːkʲiː eːɡa daɾoː?'],
    ['GoogleのAIを使う。', 'ɡɯːɡɯɾɯ no eːai o ʦɨkaɯ.'],
    ['人々は時々笑う！', 'çitobʲito βa tokʲidokʲi βaɾaɯ!'],
    ['（金）テレビ・ラジオ', '(kʲiɴ) teɾebʲi ɾaʥio'],
    ['「…そう」（）、はい', '“…soː”, hai'],
  ])('%s', async (text, phonemes) => {
    expect(await say(text)).toBe(phonemes);
  });

  it('keeps the written text of its words', () => {
    const text = '「2024年3月に、iPhoneを3台買った。」と彼は言った。';
    const [tokens] = sentences(text);
    expect(tokens!.map(({ written }) => written).join('')).toBe(text);
    expect(tokens!.map(({ written }) => written)).toEqual(
      expect.arrayContaining(['「2024年', '3月', 'iPhone', '3台', '買った。」', '彼', '言った。']),
    );
  });

  describe("with the user's words", () => {
    const each = async (text: string, lexicon: Record<string, string>, options = defaultNormalization) => {
      const entries = UserLexicon.from(lexicon);
      const pairs: [string, string][] = [];
      for (const segment of japanese.segments(text, options, entries)) {
        if (segment.type !== 'sentence') continue;
        const phonemes = await japanese.phonemes(segment.tokens, entries);
        pairs.push(...segment.tokens.map(({ written }, index): [string, string] => [written, phonemes[index]!.trim()]));
      }
      return pairs;
    };

    it('pronounces a dictionary word only if it is a word of the sentence', async () => {
      expect(await each('「京都」は東京都ではない。', { 京都: 'mʲijako' })).toEqual([
        ['「京都」', '“mʲijako”'],
        ['は', 'βa'],
        ['東京', 'toːkʲoː'],
        ['都', 'to'],
        ['で', 'de'],
        ['は', 'βa'],
        ['ない。', 'nai.'],
      ]);
      expect((await each('本を三本買った', { 本: 'moto' })).map(([, sound]) => sound)).toEqual([
        'moto',
        'o',
        'samboɴ',
        'kaʔta',
      ]);
    });

    it('pronounces an unknown word anywhere, longest first, without changing its neighbours', async () => {
      const lexicon = { 鬼滅: 'kʲimeʦɨ', 鬼滅の刃: 'kʲimeʦɨ no jaiba', ハーセイ: 'haːɾɯsei', 高輪: 'takanaβa' };
      expect(await each('鬼滅は『鬼滅の刃』へ。鬼滅鬼滅', lexicon)).toEqual([
        ['鬼滅', 'kʲimeʦɨ'],
        ['は', 'βa'],
        ['『鬼滅の刃』', '“kʲimeʦɨ no jaiba”'],
        ['へ。', 'e.'],
        ['鬼滅', 'kʲimeʦɨ'],
        ['鬼滅', 'kʲimeʦɨ'],
      ]);
      expect((await each('ハーセイとハーセイサービス', lexicon)).map(([written]) => written)).toEqual([
        'ハーセイ',
        'と',
        'ハーセイサービス',
      ]);
      expect((await each('鬼滅7', lexicon)).map(([, sound]) => sound)).toEqual(['kʲimeʦɨ', 'nana']);
    });

    it('pronounces words with Latin letters and digits, in any case and width', async () => {
      const lexicon = { google: 'ɡɯɡɯ', 'AT&T': 'atatʲi', iPhone15: 'aiɸoɴ', '3D': 'sɨɾʲiː' };
      const text = 'ＧoogleのAT&TのiPhone15で3D、iPhone150。Googleさん';
      for (const normalize of [true, false]) {
        const sounds = (await each(text, lexicon, { ...defaultNormalization, normalize })).map(([, sound]) => sound);
        expect(sounds.slice(0, 7)).toEqual(['ɡɯɡɯ', 'no', 'atatʲi', 'no', 'aiɸoɴ', 'de', 'sɨɾʲiː,']);
        expect(sounds.slice(7)).not.toContain('aiɸoɴ');
        expect(sounds.slice(-2)).toEqual(['ɡɯɡɯ', 'saɴ']);
      }
    });

    it('prefers pronunciations given in the text', async () => {
      expect(await each('[猫](/mʲaː/)と猫', { 猫: 'njaŋ' })).toEqual([
        ['猫', 'mʲaː'],
        ['と', 'to'],
        ['猫', 'njaŋ'],
      ]);
    });
  });

  it('keeps a quotation in its sentence', () => {
    expect(sentences('雨だ。「傘は？」と聞いた。\n　次の段落。\n第一章\n雪').length).toBe(5);
  });

  it('does not end a sentence at a full-width decimal point', () => {
    expect(sentences('１．５倍です．はい')).toHaveLength(2);
  });

  it('reads given pronunciations and pauses', async () => {
    const segments = [...japanese.segments('[東京](/toːkʲoː/)です。[pause:1s]はい', defaultNormalization)];
    expect(segments.map(({ type }) => type)).toEqual(['sentence', 'pause', 'sentence']);
    expect(await say('[東京](/toːkʲoː/)です。')).toBe('toːkʲoː desɨ.');
  });

  it('reads tokens made of given phonemes', async () => {
    const tokens = [
      { written: 'neko', spoken: '', ipa: 'neko' },
      { written: '.', spoken: '.' },
    ];
    expect(await japanese.phonemes(tokens)).toEqual(['neko', '.']);
  });

  it('reads characters that its dictionary does not have', async () => {
    for (const text of ['㐂', '龘', '思つて', '𠮷野家', 'ゐる', '々', 'Ж', '٣', 'ﾊﾝ'])
      expect(await say(text)).not.toBe('');
  });

  it('stays in the alphabet, one string per token', async () => {
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
        for (const segment of japanese.segments(`今日は${part.repeat(300)}3月`, {
          ...defaultNormalization,
          normalize,
        })) {
          if (segment.type !== 'sentence') continue;
          const phonemes = await japanese.phonemes(segment.tokens);
          expect(phonemes).toHaveLength(segment.tokens.length);
          expect(unknownPhonemes(phonemes.join(''))).toEqual([]);
        }
      }
    }
  });

  it('decides by the sound if a phrase may begin', async () => {
    const [tokens] = sentences('猫はテレビから3台');
    const begins = (await japanese.phonemes(tokens!)).map((sound, index) =>
      japanese.beginsPhrase(tokens![index]!, sound.trim()),
    );
    expect(begins).toEqual([true, false, true, false, true]);
  });
});
