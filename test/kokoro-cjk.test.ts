import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallKokoro } from './fixtures/kokoro.ts';
import { endAll, type Say, startSay } from './fixtures/service.ts';

let say: Say;
beforeAll(async () => {
  say = await startSay({ TTS_MODEL: smallKokoro });
  await say.ready();
}, 120_000);
afterAll(endAll);

async function captionsOf(body: object): Promise<{ word: string; start_time: number; end_time: number }[]> {
  const answer = await say.post('/dev/captioned_speech', { response_format: 'pcm', stream: false, ...body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { timestamps: { word: string; start_time: number; end_time: number }[] }).timestamps;
}

describe('Kokoro in Japanese and Mandarin', () => {
  it('lists their voices', async () => {
    const { voices } = (await (await say.get('/v1/audio/voices')).json()) as { voices: { id: string }[] };
    const letters = voices.map(({ id }) => id[0]);
    expect(letters.filter((letter) => letter === 'j')).toHaveLength(5);
    expect(letters.filter((letter) => letter === 'z')).toHaveLength(8);
  });

  it.each([
    ['j', '今日は3本', 'kʲoː βa samboɴ'],
    ['ja-JP', '猫', 'neko'],
    ['z', '2个', 'lja↓ŋkɤ↘'],
    ['zh-CN', '你好', 'ni↗xau↓'],
    ['cmn', '谢谢', 'ɕje↘ɕje↘'],
  ])('puts %s into phonemes', async (language, text, phonemes) => {
    const answer = await say.post('/dev/phonemize', { text, language });
    expect(await answer.json()).toEqual({ phonemes, tokens: [] });
  });

  it.each([
    ['j', '鬼滅はGoogleだ', { 鬼滅: 'kʲimeʦɨ', google: 'ɡɯɡɯ' }, 'kʲimeʦɨ βa ɡɯɡɯ da'],
    ['z', '赫尔赛用Google', { 赫尔赛: 'xɤ↘ɚ↓sai→', google: 'ɡˈuɡə' }, 'xɤ↘ɚ↓sai→ jʊ↘ŋ ɡˈuɡə'],
  ])('says words of the lexicon (%s)', async (language, text, lexicon, phonemes) => {
    const answer = await say.post('/dev/phonemize', { text, language, lexicon });
    expect(await answer.json()).toEqual({ phonemes, tokens: [] });
    const fields = { input: `${text}。`, lang_code: language, voice: language === 'j' ? 'jf_alpha' : 'zf_xiaobei' };
    const speech = async (extra: object) => {
      const spoken = await say.post('/v1/audio/speech', { ...fields, response_format: 'pcm', ...extra });
      expect(spoken.status).toBe(200);
      return Buffer.from(await spoken.arrayBuffer());
    };
    expect((await speech({ lexicon })).equals(await speech({}))).toBe(false);
    const words = await captionsOf({ ...fields, lexicon });
    expect(words.map(({ word }) => word).join('')).toBe(fields.input);
    expect(words[0]?.word).toBe(Object.keys(lexicon)[0]);
  });

  it.each([
    ['jf_alpha', '今日は、iPhoneを3台買った。とても楽しい！', undefined],
    ['zf_xiaobei', '今天，我买了3台iPhone。真高兴！', undefined],
    ['af_heart', '今天真高兴！', 'zh'],
  ])('times the words of %s as they are written', async (voice, input, lang_code) => {
    const words = await captionsOf({ voice, input, ...(lang_code && { lang_code }) });
    expect(words.map(({ word }) => word).join('')).toBe(input);
    expect(words.length).toBeGreaterThan(2);
    let earliest = 0;
    for (const { start_time, end_time } of words) {
      expect(start_time).toBeGreaterThanOrEqual(earliest);
      expect(end_time).toBeGreaterThan(start_time);
      earliest = end_time;
    }
  });
});
