import { beforeAll, describe, expect, it } from 'vitest';
import type { SpokenAudio } from '../../contracts/synthesis.ts';
import { English } from '../../text/english/g2p/phonemes.ts';
import type { SpokenToken } from '../../text/types.ts';
import { compileFlite, Flite, type FliteEngine, FliteInstance, SAMPLE_RATE } from './flite.ts';
import { speakPart } from './speech.ts';
import { fliteSynthesizer } from './synthesizer.ts';
import type { WebAssemblyModule } from './webassembly.ts';

let module: WebAssemblyModule;
let flite: Flite;

beforeAll(async () => {
  module = await compileFlite();
  flite = Flite.of(module);
});

/** Speaks on the test's own thread. */
async function speak(
  text: string | SpokenToken[],
  { voice = 'af_heart', speed = 1, first = false } = {},
): Promise<SpokenAudio[]> {
  const tokens = typeof text === 'string' ? text.split(' ').map((word) => ({ written: word, spoken: word })) : text;
  const synthesizer = fliteSynthesizer(async (_owner, task) => speakPart(flite, task), await English.load(), 1);
  const utterance = { tokens, voice: [{ name: voice, weight: 1 }], language: 'a' as const, speed };
  const context = { owner: {}, first, signal: new AbortController().signal };
  const parts: SpokenAudio[] = [];
  for await (const part of synthesizer.speak(utterance, context)) parts.push(await part.audio());
  return parts;
}

const only = async (...call: Parameters<typeof speak>): Promise<SpokenAudio> => {
  const parts = await speak(...call);
  expect(parts).toHaveLength(1);
  return parts[0]!;
};

const seconds = ({ samples }: SpokenAudio) => samples.length / SAMPLE_RATE;

/** Root mean square in dB of full scale, from one second to another. */
function loudness({ samples }: SpokenAudio, from = 0, to = samples.length / SAMPLE_RATE): number {
  const span = samples.subarray(Math.round(from * SAMPLE_RATE), Math.round(to * SAMPLE_RATE));
  return 10 * Math.log10(span.reduce((sum, sample) => sum + sample * sample, 1e-12) / span.length);
}

const pangram = 'The quick brown fox jumps over the lazy dog, and the cat watches from the wall.';

describe('Flite as a synthesizer', () => {
  it('captions every token, in order, where it is heard', async () => {
    const audio = await only('Hello, John Smith; welcome.');
    expect(audio.words.map(({ word }) => word)).toEqual(['Hello,', 'John', 'Smith;', 'welcome.']);
    let before = 0;
    for (const { start_time, end_time } of audio.words) {
      expect(start_time).toBeGreaterThanOrEqual(before);
      expect(end_time).toBeGreaterThan(start_time + 0.1);
      expect(loudness(audio, start_time, end_time)).toBeGreaterThan(-30);
      before = end_time;
    }
    expect(before).toBeLessThan(seconds(audio));
    const [hello, john, smith, welcome] = audio.words;
    expect(loudness(audio, hello!.end_time + 0.03, john!.start_time)).toBeLessThan(-40);
    expect(john!.end_time).toBe(smith!.start_time);
    expect(loudness(audio, smith!.end_time + 0.03, welcome!.start_time)).toBeLessThan(-40);
  });

  it('gives one caption to a token of several words, and none to one that says nothing', async () => {
    const tokens = [
      { written: '—', spoken: '' },
      { written: '$3.50,', spoken: 'three dollars and fifty cents,' },
      { written: '你', spoken: '你' },
      { written: "that's", spoken: "that's" },
    ];
    const { words } = await only(tokens);
    expect(words.map(({ word }) => word)).toEqual(['$3.50,', "that's"]);
    expect(words[0]!.end_time - words[0]!.start_time).toBeGreaterThan(1);
  });

  it('speaks a token too long for one part and captions it once', async () => {
    const parts = await speak([{ written: 'x', spoken: 'one hundred '.repeat(50) }]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap(({ words }) => words)).toHaveLength(1);
  });

  it.each(['Hi.', 'No', 'A', 'I', "'tis", 'B', 'hmm', '3', 'x'])('speaks %j', async (text) => {
    const audio = await only(text);
    expect(audio.words).toHaveLength(1);
    expect(loudness(audio, audio.words[0]!.start_time, audio.words[0]!.end_time)).toBeGreaterThan(-30);
  });

  it.each(['', '...', '— ! "', '你好', '\ud800'])('says nothing for %j, and fails at nothing', async (text) => {
    expect(await speak(text)).toEqual([]);
  });

  it('speaks phonemes as they are given, also one after the other', async () => {
    const phonemes = (...ipa: string[]) => ipa.map((sounds) => ({ written: 'x', spoken: '', ipa: sounds }));
    const audio = await only(phonemes('həlˈO', 'wˈɜɹld', 'wˈɜɹld'));
    expect(audio.words).toHaveLength(3);
    for (const { start_time, end_time } of audio.words) expect(end_time - start_time).toBeGreaterThan(0.15);
    const long = await only(phonemes('həlˈOhəlˈOhəlˈO'));
    expect(seconds(long)).toBeGreaterThan(seconds(await only(phonemes('həlˈO'))) + 0.4);
  });

  it('takes letters for a word and not for something to rewrite', () => {
    const spoken = (...words: string[]) => {
      const tokens = words.map((text) => ({ text, punctuation: '' }));
      return flite
        .speak('slt', tokens, 1)
        .phones.filter(({ token }) => token === 1)
        .map(({ name }) => name)
        .join(' ');
    };
    expect(spoken('say', 'al', 'again')).toBe('ae l');
    expect(spoken('say', 'in', 'again')).toBe('ih n');
    expect(spoken('say', 'i', 'again')).toBe('ay');
    expect(spoken('say', "john's", 'again')).toBe('jh aa n z');
    expect(spoken('say', "don't", 'again')).toBe('d ow n t');
  });

  it.each(['af_heart', 'am_adam', 'bm_george'])('changes the tempo of %s and not its pitch', async (voice) => {
    const pace = async (speed: number) => {
      const words = (await only(pangram, { voice, speed })).words;
      return words.at(-1)!.end_time - words[0]!.start_time;
    };
    const usual = await pace(1);
    for (const speed of [0.25, 0.5, 1.5, 2, 3, 4]) {
      expect(Math.abs(usual / (await pace(speed)) / speed - 1)).toBeLessThan(0.04);
    }
    const vowel = [{ written: 'x', spoken: '', ipa: 'ˈɑ' }];
    const [slow, fast] = [await only(vowel, { voice, speed: 0.5 }), await only(vowel, { voice, speed: 1 })];
    expect(Math.abs(pitch(slow) / pitch(fast) - 1)).toBeLessThan(0.15);
  });

  it('evens out the loudness of the speakers, with headroom', async () => {
    for (const voice of ['af_heart', 'am_adam', 'bf_emma', 'bm_george']) {
      const audio = await only(pangram, { voice });
      const { words } = audio;
      expect(Math.abs(loudness(audio, words[0]!.start_time, words.at(-1)!.end_time) + 19.3)).toBeLessThan(1.5);
      const peak = audio.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(peak).toBeLessThanOrEqual(0.951);
      const offset = audio.samples.reduce((sum, sample) => sum + sample, 0) / audio.samples.length;
      expect(Math.abs(offset)).toBeLessThan(1e-3);
    }
  });

  it('cuts the first sentence so that something is there soon, and joins without a step', async () => {
    const parts = await speak(pangram, { first: true });
    expect(parts.length).toBeGreaterThan(1);
    expect(seconds(parts[0]!)).toBeLessThan(2.5);
    expect(parts.flatMap(({ words }) => words.map(({ word }) => word))).toEqual(pangram.split(' '));
    for (const { samples, words } of parts) {
      expect([samples[0], samples.at(-1)].every((sample) => Math.abs(sample!) < 1e-3)).toBe(true);
      expect(words[0]!.start_time).toBeLessThan(0.03);
    }
  });

  it('pauses as the punctuation says', async () => {
    const silence = async (text: string) => {
      const audio = await only(text);
      return seconds(audio) - audio.words.at(-1)!.end_time;
    };
    expect(await silence('good morning.')).toBeCloseTo(0.35, 2);
    expect(await silence('good morning')).toBeCloseTo(0.35, 2);
    expect(await silence('good morning,')).toBeCloseTo(0.15, 2);
  });

  it('speaks a sentence of hundreds of words', async () => {
    const text = Array(60).fill('and the rain fell on').join(' ');
    const parts = await speak(text);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.flatMap(({ words }) => words)).toHaveLength(300);
  });

  it('stops when nobody listens any more', async () => {
    const controller = new AbortController();
    let tasks = 0;
    const synthesizer = fliteSynthesizer(
      async (_owner, task) => {
        tasks++;
        return speakPart(flite, task);
      },
      await English.load(),
      1,
    );
    const tokens = Array.from({ length: 300 }, () => ({ written: 'rain', spoken: 'rain' }));
    const utterance = { tokens, voice: [{ name: 'af_heart', weight: 1 }], language: 'a' as const, speed: 4 };
    const context = { owner: {}, first: false, signal: controller.signal };
    await expect(
      (async () => {
        for await (const _ of synthesizer.speak(utterance, context)) controller.abort(new Error('gone'));
      })(),
    ).rejects.toThrow('gone');
    expect(tasks).toBe(1);
  });
});

describe('an instance of Flite', () => {
  const silence = { samples: new Float32Array(0), phones: [] };
  const word = [{ text: 'word', punctuation: '' }];

  /** Counts the instances that a series of calls takes. */
  function counting(engine: (call: number) => FliteEngine): { flite: Flite; started: () => number } {
    let started = 0;
    return { flite: new Flite(() => engine(started++)), started: () => started };
  }

  it('is kept from call to call', () => {
    const { flite, started } = counting(() => ({ bytes: 1, speak: () => silence }));
    flite.speak('slt', word, 1);
    flite.speak('slt', word, 1);
    expect(started()).toBe(1);
  });

  it('is not used again after a trap', () => {
    const trapping: FliteEngine = {
      bytes: 1,
      speak: () => {
        throw new Error('unreachable');
      },
    };
    const { flite, started } = counting((call) => (call === 0 ? trapping : { bytes: 1, speak: () => silence }));
    expect(() => flite.speak('slt', word, 1)).toThrow('unreachable');
    expect(flite.speak('slt', word, 1)).toBe(silence);
    expect(started()).toBe(2);
  });

  it('is let go when its memory has grown large', () => {
    const { flite, started } = counting(() => ({ bytes: 2 ** 30, speak: () => silence }));
    flite.speak('slt', word, 1);
    flite.speak('slt', word, 1);
    expect(started()).toBe(2);
  });

  it('does not grow from sentence to sentence', () => {
    const sentence = pangram.replace(/[.,]/g, '').toLowerCase().split(' ');
    const tokens = sentence.map((text) => ({ text, punctuation: '' }));
    let engine: FliteEngine | undefined;
    const observed = new Flite(() => {
      engine = new FliteInstance(module);
      return engine;
    });
    observed.speak('slt', tokens, 0.5);
    const before = engine!.bytes;
    for (let round = 0; round < 20; round++) observed.speak('slt', tokens, 0.5);
    expect(engine!.bytes).toBeLessThan(before + 2 ** 20);
  });
});

/** Hz, by the highest autocorrelation in the middle of the sound. */
function pitch({ samples, words }: SpokenAudio): number {
  const middle = Math.round(((words[0]!.start_time + words[0]!.end_time) / 2) * SAMPLE_RATE);
  const span = samples.subarray(middle - 800, middle + 800);
  let best = 0;
  let highest = 0;
  for (let lag = 40; lag < 270; lag++) {
    let sum = 0;
    for (let index = lag; index < span.length; index++) sum += span[index]! * span[index - lag]!;
    if (sum > highest) [best, highest] = [lag, sum];
  }
  return SAMPLE_RATE / best;
}
