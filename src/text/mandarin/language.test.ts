import { describe, expect, it } from 'vitest';
import { spokenLanguage } from '../../../test/fixtures/spoken-language.ts';
import { defaultNormalization } from '../normalization.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';
import { UserLexicon } from '../user-lexicon.ts';

const { text: mandarin, sentences, say } = await spokenLanguage('z');

describe('Mandarin', () => {
  it.each([
    ['我家的后面有一个很大的园。', 'wo↓ʨja→ tɤ xou↘mjɛ↘n jou↓ i↗kɤ↘ xə↓nta↘ tɤ ɥɛ↗n.'],
    ['你好！', 'ni↗xau↓!'],
    ['不是，不好。', 'pu↗ʂɨ↘, pu↘xau↓.'],
    ['一天、一样、第一', 'i↘tʰjɛ→n, i↗ja↘ŋ, ti↘i→'],
    ['1月1日，十一月二十一号', 'i→ɥe↘ i→ɻɨ↘, ʂɨ↗i→ɥe↘ ɚ↘ʂɨ↗i→ xau↘'],
    ['A4纸', 'ˈA sɨ↘ꭧɨ↓'],
    ['花儿', 'xwa→ɚ'],
    ['女儿', 'ny↓ɚ↗'],
    ['桌子和弟子', '\uAB67wo→ʦɨ xɤ↗ ti↘ʦɨ↓'],
    ['银行不行。', 'i↗nxa↗ŋ pu↘ɕi↗ŋ.'],
    ['他说：“好的。”', 'tʰa→ ʂwo→: “xau↓ tɤ.”'],
    ['他说"好"了', 'tʰa→ ʂwo→ “xau↓” lɤ'],
    ['我用Google。', 'wo↓jʊ↘ŋ ɡˈuɡᵊl.'],
    ['1.1', 'i→tjɛ↓n i→'],
    ['你好()，hello', 'ni↗xau↓, həlˈO'],
    ['说（），hello（）好', 'ʂwo→, həlˈO xau↓'],
    ['“……hello”', '“…həlˈO”'],
    ['X光片和γ射线', 'ˈɛks kwa→ŋpʰjɛ↘n xɤ↗ ɡˈæmə ʂɤ↘ɕjɛ↘n'],
    ['中\u00AD国', 'ꭧʊ→ŋkwo↗'],
    ['1\u200B00元', 'i↘pai↓ɥɛ↗n'],
    ['慢慢地走', 'ma↘nma↘n tɤ ʦou↓'],
    ['高兴地说', 'kau→ɕi↘ŋ tɤʂwo→'],
    ['静静地看着', 'ʨi↘ŋʨi↘ŋtɤ kʰa↘nꭧɤ'],
    ['这块地很好', 'ꭧɤ↘kʰwai↘ ti↘ xə↗n xau↓'],
    ['有空打的去', 'jou↓kʰʊ↘ŋ ta↓ ti→ ʨʰy↘'],
    ['打的上班', 'ta↓ ti→ ʂa↘ŋpa→n'],
    ['打的到底是谁', 'ta↓ tɤ tau↘ti↓ ʂɨ↘ ʂwei↗'],
    ['打的去年冠军', 'ta↓ tɤ ʨʰy↘njɛ↗n kwa↘nʨy→n'],
    ['他打的人', 'tʰa→ ta↓ tɤ ɻə↗n'],
    ['数一数相片', 'ʂu↓iʂu↓ ɕja↘ŋpʰjɛ↘n'],
    ['LED光很亮', 'ˌɛlˌidˈi kwa→ŋ xə↓nlja↘ŋ'],
    ['教我', 'ʨjau→ wo↓'],
    ['他教我，教他', 'tʰa→ʨjau→ wo↓, ʨjau→tʰa→'],
    ['一行人，他们一行三人', 'i↘ɕi↗ŋ ɻə↗n, tʰa→mən i↘ɕi↗ŋ sa→nɻə↗n'],
    ['一行代码，写了一行字', 'i↘xa↗ŋ tai↘ma↓, ɕje↓ lɤ i↘xa↗ŋ ʦɨ↘'],
    ['背着书包，背着我，背着手', 'pei→ꭧɤ ʂu→pau→, pei↘ꭧɤ wo↓, pei↘ꭧɤʂou↓'],
    ['背起书包，背上书包，背了课文', 'pei→ ʨʰi↓ ʂu→pau→, pei→ʂa↘ŋ ʂu→pau→, pei↘ lɤ kʰɤ↘wə↗n'],
    ['处长、局长、校长、身长', 'ꭧʰu↘ꭧa↓ŋ, ʨy↗ꭧa↓ŋ, ɕjau↘ꭧa↓ŋ, ʂə→nꭧʰa↗ŋ'],
    ['还没还我的书，还有', 'xai↗ mei↗ xwa↗n wo↓ tɤ ʂu→, xai↗jou↓'],
    ['曾国藩曾经', 'ʦə→ŋkwo↗fa→n ʦʰə↗ŋʨi→ŋ'],
    ['宗教', 'ʦʊ→ŋʨjau↘'],
    ['我得走，跑得快', 'wo↓ tei↗ ʦou↓, pʰau↓tɤ↗kʰwai↘'],
    ['他姓曾，单先生，曾经', 'tʰa→ ɕi↘ŋ ʦə→ŋ, ʂa↘n ɕjɛ→nʂə→ŋ, ʦʰə↗ŋʨi→ŋ'],
    ['头发长得快，时间长了', 'tʰou↗fa ꭧa↓ŋtɤ kʰwai↘, ʂɨ↗ʨjɛ→n ꭧʰa↗ŋ lɤ'],
    ['还了钱，还有钱', 'xwa↗n lɤ ʨʰjɛ↗n, xai↗jou↓ ʨʰjɛ↗n'],
    ['复制粘贴', 'fu↘ꭧɨ↘ꭧa→ntʰje→'],
  ])('%s', async (text, phonemes) => {
    expect(await say(text)).toBe(phonemes);
  });

  it('keeps the written text of its words', () => {
    const [hyphenated] = sentences('中\u00AD国。');
    expect(hyphenated!.map(({ written }) => written)).toEqual(['中\u00AD国。']);
    const [call] = sentences('你好()，hello');
    expect(call!.map(({ written }) => written)).toEqual(['你好()，', 'hello']);
    const text = '“2024年3月，iPhone 15售价¥7,999。”';
    const [tokens] = sentences(text);
    expect(tokens!.map(({ written }) => written)).toEqual(['“2024年', '3月，', 'iPhone', '15', '售价', '¥7,999。”']);
  });

  it("pronounces the user's words, even if jieba cuts them differently", async () => {
    const entries = UserLexicon.from({ 行: 'xa↗ŋ', 赫尔赛: 'xɤ↘ɚ↓sai→', kokoro: 'kˈOkəɹO', '3D': 'sa→nti→' });
    const each = async (text: string) => {
      const pairs: [string, string][] = [];
      for (const segment of mandarin.segments(text, defaultNormalization, entries)) {
        if (segment.type !== 'sentence') continue;
        const phonemes = await mandarin.phonemes(segment.tokens, entries);
        pairs.push(...segment.tokens.map(({ written }, index): [string, string] => [written, phonemes[index]!.trim()]));
      }
      return pairs;
    };
    expect(await each('“赫尔赛”，行，银行。')).toEqual([
      ['“赫尔赛”，', '“xɤ↘ɚ↓sai→”,'],
      ['行，', 'xa↗ŋ,'],
      ['银行。', 'i↗nxa↗ŋ.'],
    ]);
    expect(await each('用Kokoro TTS看3D，赫尔赛赫尔赛')).toEqual([
      ['用', 'jʊ↘ŋ'],
      ['Kokoro TTS', expect.stringMatching(/^kˈOkəɹO t/)],
      ['看', 'kʰa↘n'],
      ['3D，', 'sa→nti→,'],
      ['赫尔赛', 'xɤ↘ɚ↓sai→'],
      ['赫尔赛', 'xɤ↘ɚ↓sai→'],
    ]);
  });

  it('reads given pronunciations and pauses', async () => {
    const segments = [...mandarin.segments('[重](/ꭧʰʊ↗ŋ/)来。[pause:1s]好', defaultNormalization)];
    expect(segments.map(({ type }) => type)).toEqual(['sentence', 'pause', 'sentence']);
    expect(await say('[重](/ꭧʰʊ↗ŋ/)来。')).toBe('ꭧʰʊ↗ŋ lai↗.');
  });

  it('decides by the sound if a phrase may begin', async () => {
    const [tokens] = sentences('我走因为他来');
    const begins = (await mandarin.phonemes(tokens!)).map((sound, index) =>
      mandarin.beginsPhrase(tokens![index]!, sound.trim()),
    );
    expect(tokens!.map(({ written }) => written)).toEqual(['我', '走', '因为', '他来']);
    expect(begins).toEqual([false, false, true, false]);
  });

  it('reads characters that its dictionary does not have', async () => {
    for (const text of ['龘', '𠮷', '㐂', 'カナ', 'Ж', '٣', '繁體中文']) expect(await say(text)).not.toBe('');
  });

  it('stays in the alphabet, one string per token', async () => {
    for (const part of [
      '一',
      '不',
      '儿',
      '子',
      '了',
      '1,',
      '1:',
      '漢',
      '한',
      '😀',
      '\ud800',
      'Aa',
      '__proto__',
      '「"',
      'カ',
      '嗯',
      '噷',
      '欸',
    ]) {
      for (const normalize of [true, false]) {
        for (const segment of mandarin.segments(`我${part.repeat(300)}3月`, { ...defaultNormalization, normalize })) {
          if (segment.type !== 'sentence') continue;
          const phonemes = await mandarin.phonemes(segment.tokens);
          expect(phonemes).toHaveLength(segment.tokens.length);
          expect(unknownPhonemes(phonemes.join(''))).toEqual([]);
        }
      }
    }
  });
});
