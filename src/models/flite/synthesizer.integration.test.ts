import { beforeAll, describe, expect, it } from 'vitest';
import type { Boundary, SpokenChunk, Word } from '../../contracts/synthesis.ts';
import { compileFlite, Flite, SAMPLE_RATE } from './flite.ts';
import { speakChunk } from './speech.ts';
import { fliteSynthesizer } from './synthesizer.ts';

let flite: Flite;
beforeAll(async () => {
  flite = Flite.of(await compileFlite());
});

/** Words with the punctuation after them, each a separate token. */
const wordsOf = (text: string): Word[] =>
  text.split(' ').map((written, token) => {
    const [, word, punctuation] = /^(.*?)([.,;!?]?)$/.exec(written)!;
    return { text: word!.toLowerCase(), punctuation: punctuation!, token };
  });

const phonesOf = (...phones: string[]): Word[] =>
  phones.map((each, token) => ({ text: 'phonestring', phones: each, punctuation: '', token }));

/** Speaks one chunk on the test's own thread. */
async function speak(
  words: string | Word[],
  { voice = 'af_heart', boundary = 'sentence' as Boundary } = {},
): Promise<SpokenChunk> {
  const synthesizer = fliteSynthesizer(async (_owner, task) => speakChunk(flite, task), 1);
  const units = typeof words === 'string' ? wordsOf(words) : words;
  const options = { voice: [{ name: voice, weight: 1 }], owner: {}, signal: new AbortController().signal };
  return (await synthesizer.speak({ units, boundary }, options)).spoken;
}

const seconds = ({ samples }: SpokenChunk) => samples.length / SAMPLE_RATE;

/** Root mean square in dB of full scale, from one second to another. */
function loudness({ samples }: SpokenChunk, from = 0, to = samples.length / SAMPLE_RATE): number {
  const span = samples.subarray(Math.round(from * SAMPLE_RATE), Math.round(to * SAMPLE_RATE));
  return 10 * Math.log10(span.reduce((sum, sample) => sum + sample * sample, 1e-12) / span.length);
}

const pangram = 'The quick brown fox jumps over the lazy dog, and the cat watches from the wall.';

describe('fliteSynthesizer', () => {
  it('reports the time of each word, in order', async () => {
    const audio = await speak('Hello, John Smith; welcome.');
    expect(audio.times.map(({ token }) => token)).toEqual([0, 1, 2, 3]);
    let before = 0;
    for (const { start, end } of audio.times) {
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeGreaterThan(start + 0.1);
      expect(loudness(audio, start, end)).toBeGreaterThan(-30);
      before = end;
    }
    expect(before).toBeLessThan(seconds(audio));
    const [hello, john, smith, welcome] = audio.times;
    expect(loudness(audio, hello!.end + 0.03, john!.start)).toBeLessThan(-40);
    expect(john!.end).toBe(smith!.start);
    expect(loudness(audio, smith!.end + 0.03, welcome!.start)).toBeLessThan(-40);
  });

  it('times a token of several words once', async () => {
    const words = wordsOf("three dollars and fifty cents, that's").map((word, index) => ({
      ...word,
      token: index < 5 ? 1 : 3,
    }));
    const { times } = await speak(words);
    expect(times.map(({ token }) => token)).toEqual([1, 3]);
    expect(times[0]!.end - times[0]!.start).toBeGreaterThan(1);
  });

  it.each(['Hi.', 'No', 'A', 'I', "'tis", 'B', 'hmm', '3', 'x'])('speaks %j', async (text) => {
    const audio = await speak(text);
    expect(audio.times).toHaveLength(1);
    expect(loudness(audio, audio.times[0]!.start, audio.times[0]!.end)).toBeGreaterThan(-30);
  });

  it('speaks phones as they are given, and repeats them if they are repeated', async () => {
    const audio = await speak(phonesOf('hh ax0 l ow1', 'w er1 l d', 'w er1 l d'));
    expect(audio.times).toHaveLength(3);
    for (const { start, end } of audio.times) expect(end - start).toBeGreaterThan(0.15);
    const long = await speak(phonesOf(Array(3).fill('hh ax0 l ow1').join(' ')));
    expect(seconds(long)).toBeGreaterThan(seconds(await speak(phonesOf('hh ax0 l ow1'))) + 0.4);
  });

  it('levels the loudness of the speakers, with headroom', async () => {
    for (const voice of ['af_heart', 'am_adam', 'bf_emma', 'bm_george']) {
      const audio = await speak(pangram, { voice });
      const { times } = audio;
      expect(Math.abs(loudness(audio, times[0]!.start, times.at(-1)!.end) + 19.3)).toBeLessThan(1.5);
      const peak = audio.samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
      expect(peak).toBeLessThanOrEqual(0.951);
      const offset = audio.samples.reduce((sum, sample) => sum + sample, 0) / audio.samples.length;
      expect(Math.abs(offset)).toBeLessThan(1e-3);
    }
  });

  it('begins and ends in silence, so that chunks join without a step', async () => {
    const { samples, times } = await speak('the quick brown fox', { boundary: 'word' });
    expect([samples[0], samples.at(-1)].every((sample) => Math.abs(sample!) < 1e-3)).toBe(true);
    expect(times[0]!.start).toBeLessThan(0.03);
  });

  it('pauses by the boundary', async () => {
    const silence = async (boundary: Boundary) => {
      const audio = await speak('good morning', { boundary });
      return seconds(audio) - audio.times.at(-1)!.end;
    };
    expect(await silence('sentence')).toBeCloseTo(0.35, 2);
    expect(await silence('clause')).toBeCloseTo(0.15, 2);
    expect(await silence('word')).toBeCloseTo(0.05, 2);
  });
});
