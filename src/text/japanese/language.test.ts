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

  describe('with words of the user', () => {
    const each = async (text: string, lexicon: Record<string, string>, options = defaultNormalization) => {
      const entries = UserLexicon.from(lexicon);
      const said: [string, string][] = [];
      for (const segment of japanese.segments(text, options, entries)) {
        if (segment.type !== 'sentence') continue;
        const phonemes = await japanese.phonemes(segment.tokens, entries);
        said.push(...segment.tokens.map(({ written }, at): [string, string] => [written, phonemes[at]!.trim()]));
      }
      return said;
    };

    it('says a word of the dictionary where it is one in the sentence, and only there', async () => {
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

    it('says one that it does not know wherever it stands, the longest first, and keeps the words around it', async () => {
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

    it('says words in Latin letters and with digits, in small letters and full width too', async () => {
      const lexicon = { google: 'ɡɯɡɯ', 'AT&T': 'atatʲi', iPhone15: 'aiɸoɴ', '3D': 'sɨɾʲiː' };
      const text = 'ＧoogleのAT&TのiPhone15で3D、iPhone150。Googleさん';
      for (const normalize of [true, false]) {
        const said = (await each(text, lexicon, { ...defaultNormalization, normalize })).map(([, sound]) => sound);
        expect(said.slice(0, 7)).toEqual(['ɡɯɡɯ', 'no', 'atatʲi', 'no', 'aiɸoɴ', 'de', 'sɨɾʲiː,']);
        expect(said.slice(7)).not.toContain('aiɸoɴ');
        expect(said.slice(-2)).toEqual(['ɡɯɡɯ', 'saɴ']);
      }
    });

    it('leaves what is given in the text before them', async () => {
      expect(await each('[猫](/mʲaː/)と猫', { 猫: 'njaŋ' })).toEqual([
        ['猫', 'mʲaː'],
        ['と', 'to'],
        ['猫', 'njaŋ'],
      ]);
    });
  });

  it('cuts sentences and keeps a quotation in the one it stands in', () => {
    expect(sentences('雨だ。「傘は？」と聞いた。\n　次の段落。\n第一章\n雪').length).toBe(5);
  });

  it('says what is given as phonemes, and pauses', async () => {
    const segments = [...japanese.segments('[東京](/toːkʲoː/)です。[pause:1s]はい', defaultNormalization)];
    expect(segments.map(({ type }) => type)).toEqual(['sentence', 'pause', 'sentence']);
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

  it('knows by their sound where a phrase may begin', async () => {
    const [tokens] = sentences('猫はテレビから3台');
    const begins = (await japanese.phonemes(tokens!)).map((sound, at) =>
      japanese.beginsPhrase(tokens![at]!, sound.trim()),
    );
    expect(begins).toEqual([true, false, true, false, true]);
  });
});
