import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  CaptionWord,
  Chunk,
  Phoneme,
  PhonemeSynthesizer,
  SpeakOptions,
  SpeechJob,
  SpokenChunk,
  SynthesisEvent,
  SynthesisJob,
} from '../../contracts/synthesis.ts';
import type { Engine } from '../../engine/host.ts';
import { compileFlite, Flite } from '../../models/flite/flite.ts';
import { speakChunk } from '../../models/flite/speech.ts';
import { fliteSynthesizer } from '../../models/flite/synthesizer.ts';
import type { LanguageText } from '../../text/language.ts';
import { Languages } from '../../text/languages.ts';
import { defaultNormalization } from '../../text/normalization.ts';
import { ALPHABET, isMark } from '../../text/phoneme-alphabet.ts';
import type { SpokenToken } from '../../text/types.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';
import { startPipeline } from './pipeline.ts';

/** Samples a second of the format `pcm`. */
const PCM_RATE = 24_000;
const noLexicon = { current: async () => undefined };
const open = new AbortController().signal;

const jobOf = (text: string, change: Partial<SpeechJob> = {}): SpeechJob => ({
  kind: 'speech',
  input: { text, normalization: defaultNormalization },
  voice: [{ name: 'af_heart', weight: 1 }],
  language: 'a',
  speed: 1,
  volume: 1,
  format: 'pcm',
  captions: true,
  ...change,
});

/** Seconds of audio, and the captions of each chunk. */
async function heard(pipeline: Engine<SynthesisJob, SynthesisEvent, unknown>, job: SynthesisJob, signal = open) {
  const bytes: Uint8Array[] = [];
  const chunks: CaptionWord[][] = [];
  for await (const event of pipeline.run(job, signal)) {
    if (event.type === 'audio') bytes.push(event.bytes);
    if (event.type === 'chunk') chunks.push(event.words);
  }
  return { seconds: Buffer.concat(bytes).length / 2 / PCM_RATE, chunks };
}

const writtenOf = (chunks: readonly CaptionWord[][]) => chunks.flat().map(({ word }) => word);

describe('SpeechPipeline with phonemes', () => {
  /** Tokens whose written words are their phonemes. */
  const tokensOf = (text: string): SpokenToken[] => text.split(' ').map((word) => ({ written: word, spoken: word }));
  const asSpoken: LanguageText = {
    segments: (text) =>
      String(text)
        .split('\n')
        .map((line) => ({ type: 'sentence', tokens: tokensOf(line) })),
    phonemes: async (tokens) => tokens.map(({ spoken }, index) => (index > 0 ? ' ' : '') + spoken),
    beginsPhrase: () => false,
  };
  const long = `ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps, ${'ænd ɹˈʌnz əwˈA fɹʌm ðə dˈɔɡ '.repeat(12)}ət lˈæst.`;
  const symbols = ({ units }: Chunk<Phoneme>) => units.map(({ symbol }) => symbol).join('');

  /** Each phoneme sounds for 0.1 s. */
  function spokenOf({ units }: Chunk<Phoneme>): SpokenChunk {
    const owners = units.map(({ symbol, token }) => (isMark(symbol) ? -1 : token));
    const times = [...new Set(owners.filter((token) => token >= 0))].map((token) => ({
      token,
      start: owners.indexOf(token) / 10,
      end: (owners.lastIndexOf(token) + 1) / 10,
    }));
    return { samples: new Float32Array(100 * units.length), times };
  }

  /** A pipeline around a synthesizer that keeps its chunks. */
  async function recording({
    language = asSpoken,
    parallelChunks = 1,
    speak = async (chunk: Chunk<Phoneme>, _: SpeakOptions): Promise<SpokenChunk> => spokenOf(chunk),
    lexicon = undefined as UserLexicon | undefined,
  } = {}) {
    const chunks: Chunk<Phoneme>[] = [];
    let warm = false;
    const synthesizer: PhonemeSynthesizer = {
      info: {
        model: 'recording',
        backend: 'none',
        device: 'cpu',
        compute_type: 'float32',
        sampleRate: 1000,
        languages: ['a'],
      },
      input: 'phonemes',
      alphabet: new Set(ALPHABET),
      limits: { first: 28, growth: 2.5, usual: 110, max: 509, settleFor: 'clause' },
      parallelChunks,
      warmUpText: 'ə',
      speak: async (chunk, options) => {
        if (warm) chunks.push(chunk);
        return { spoken: warm ? speak(chunk, options) : Promise.resolve(spokenOf(chunk)) };
      },
    };
    const languages = { load: async () => language };
    const pipeline = await startPipeline(synthesizer, languages, { current: async () => lexicon });
    warm = true;
    return { pipeline, chunks };
  }

  it('speaks a sentence, and reports when each word is spoken', async () => {
    const { pipeline, chunks } = await recording();
    const { seconds, chunks: captions } = await heard(pipeline, jobOf('həlˈO, wˈɜɹld!'));
    expect(chunks.map(symbols)).toEqual(['həlˈO, wˈɜɹld!']);
    expect(seconds).toBeCloseTo(1.4, 3);
    expect(captions).toEqual([
      [
        { word: 'həlˈO,', start_time: 0, end_time: 0.5 },
        { word: 'wˈɜɹld!', start_time: 0.7, end_time: 1.3 },
      ],
    ]);
  });

  it('rests longer between paragraphs, at the speed of the job, and captions what follows in time', async () => {
    const paragraphs: LanguageText = {
      ...asSpoken,
      segments: (text) =>
        String(text)
          .split('\n')
          .map((line) => ({ type: 'sentence', tokens: tokensOf(line), startsParagraph: true })),
    };
    for (const [speed, rest] of [
      [1, 0.4],
      [2, 0.2],
    ] as const) {
      const { pipeline } = await recording({ language: paragraphs });
      const { seconds, chunks: captions } = await heard(pipeline, jobOf('wˈʌn\nt', { speed }));
      const words = captions.flat();
      expect(words.map(({ word }) => word)).toEqual(['wˈʌn', 't']);
      // Not before the first one.
      expect(words[0]!.start_time).toBe(0);
      expect(words[1]!.start_time - words[0]!.end_time).toBeCloseTo(rest, 2);
      expect(seconds).toBeCloseTo(words[1]!.end_time, 1);
    }
  });

  it('begins a job with a clause, and continues with longer chunks, in later sentences too', async () => {
    const { pipeline, chunks } = await recording();
    await heard(pipeline, jobOf(`${long}\n${long}`));
    const lengths = chunks.map(({ units }) => units.length);
    expect(symbols(chunks[0]!)).toBe('ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps,');
    expect(lengths[1]).toBeGreaterThan(lengths[0]!);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(225);
    const second = chunks.findIndex((chunk, index) => index > 0 && symbols(chunk).startsWith('ðə kwˈɪk'));
    expect(lengths[second]).toBeGreaterThan(100);
  });

  it('queues the chunks of a job under one owner, and other jobs under others, so that jobs take turns', async () => {
    const owners: object[] = [];
    const speak = async (chunk: Chunk<Phoneme>, { owner }: SpeakOptions) => {
      owners.push(owner);
      return spokenOf(chunk);
    };
    const { pipeline } = await recording({ speak });
    await heard(pipeline, jobOf('wˈʌn\nt'));
    await heard(pipeline, jobOf('t'));
    expect(owners).toHaveLength(3);
    expect(owners[1]).toBe(owners[0]);
    expect(owners[2]).not.toBe(owners[0]);
  });

  it('leaves nothing of an endless sentence out, and captions each word once', async () => {
    const { pipeline, chunks } = await recording();
    const text = `${'kætz '.repeat(300)}${'a'.repeat(1500)}`;
    const { chunks: captions } = await heard(pipeline, jobOf(text));
    expect(chunks.map(symbols).join('').replace(/[ .]/g, '')).toBe(text.replaceAll(' ', ''));
    expect(writtenOf(captions)).toEqual(text.split(' '));
    expect(Math.max(...chunks.map(({ units }) => units.length))).toBeLessThanOrEqual(509);
  });

  it('refuses a text without a sound before it sends anything', async () => {
    const { pipeline, chunks } = await recording();
    for (const text of ['. ! ☃', '。']) {
      const events: SynthesisEvent[] = [];
      const run = async () => {
        for await (const event of pipeline.run(jobOf(text), open)) events.push(event);
      };
      await expect(run()).rejects.toMatchObject({ code: 'unspeakable_text', param: 'input' });
      expect(events.filter(({ type }) => type !== 'skipped')).toEqual([]);
    }
    const phonemes = jobOf('', { input: { phonemes: '…!' } });
    await expect(heard(pipeline, phonemes)).rejects.toMatchObject({ code: 'unspeakable_text', param: 'phonemes' });
    expect(chunks).toEqual([]);
  });

  it('keeps pauses by themselves and before the first words', async () => {
    const { pipeline } = await recording();
    expect((await heard(pipeline, jobOf('', { input: { phonemes: '[pause:2s]' } }))).seconds).toBe(2);
    const mixed = jobOf('', { input: { phonemes: '[pause:2s]…[pause:1s]næ[pause:1s]' } });
    expect((await heard(pipeline, mixed)).seconds).toBeCloseTo(4.2, 1);
  });

  it('counts the letters that the language leaves out, first of all', async () => {
    const { pipeline } = await recording();
    const first = async (text: string) => {
      for await (const event of pipeline.run(jobOf(text), open)) return event;
      return undefined;
    };
    expect(await first('kæt 日本, kæt ☃ العربية')).toEqual({ type: 'skipped', characters: 9 });
    expect((await first('kæt Ελλάδα 5 😀 — [日本](/nˈO/)'))?.type).not.toBe('skipped');
  });

  it('speaks given phonemes and pauses', async () => {
    const { pipeline, chunks } = await recording();
    const job = jobOf('', { input: { phonemes: 'nˈO\n[pause:2.5s]jˈɛs!' } });
    expect((await heard(pipeline, job)).seconds).toBeCloseTo(0.3 + 2.5 + 0.5, 3);
    expect(chunks.map(symbols)).toEqual(['nˈO', 'jˈɛs!']);
  });

  it("takes the words of the job's lexicon, then those of the shared one", async () => {
    const language: LanguageText = {
      ...asSpoken,
      phonemes: async (tokens, lexicon) => tokens.map(({ spoken }) => lexicon?.pronounce(spoken) ?? spoken),
    };
    const { pipeline, chunks } = await recording({ language, lexicon: UserLexicon.from({ a: 'ˈO', b: 'ˈɛ' }) });
    await heard(pipeline, jobOf('a b', { lexicon: { a: 'ˈA' } }));
    expect(chunks.map(symbols)).toEqual(['ˈAˈɛ']);
  });

  it('cuts by the sound of words, whatever tokens they are in, and captions a word with the chunk that it ends in', async () => {
    const words = long.split(' ');
    const one = await recording();
    await heard(one.pipeline, jobOf(long));
    const cuts = one.chunks.map(symbols);
    expect(cuts.length).toBeGreaterThan(2);
    // Two written words for as many spoken ones, and all of them in one.
    for (const size of [2, words.length]) {
      const tokens: SpokenToken[] = [];
      for (let at = 0; at < words.length; at += size) {
        tokens.push({ written: `token ${at / size}`, spoken: words.slice(at, at + size).join(' ') });
      }
      const { pipeline, chunks } = await recording({
        language: { ...asSpoken, segments: () => [{ type: 'sentence', tokens }] },
      });
      const { chunks: captions } = await heard(pipeline, jobOf(''));
      expect(chunks.map(symbols)).toEqual(cuts);
      expect(writtenOf(captions)).toEqual(tokens.map(({ written }) => written));
      const flat = captions.flat();
      for (const [index, { start_time, end_time }] of flat.entries()) {
        expect(start_time).toBeGreaterThanOrEqual((flat[index - 1]?.end_time ?? 0) - 1e-9);
        expect(end_time).toBeGreaterThan(start_time);
      }
      const length = chunks.reduce((sum, { units }) => sum + units.length / 10, 0);
      expect(flat.at(-1)!.end_time).toBeCloseTo(length - 0.1, 5);
    }
  });

  it('adds the tail of a chunk to the start of the next one', async () => {
    const { pipeline, chunks } = await recording({
      speak: async (chunk) => {
        const spoken = spokenOf(chunk);
        spoken.samples.fill(0.25);
        return { ...spoken, ...(chunks.length === 1 && { tail: new Float32Array(50).fill(0.5) }) };
      },
    });
    const bytes: Uint8Array[] = [];
    for await (const event of pipeline.run(jobOf(long), open)) if (event.type === 'audio') bytes.push(event.bytes);
    const pcm = Buffer.concat(bytes);
    const at = (seconds: number) => pcm.readInt16LE(2 * Math.round(seconds * PCM_RATE)) / 32768;
    const joint = chunks[0]!.units.length / 10;
    expect(at(joint - 0.02)).toBeCloseTo(0.25, 1);
    expect(at(joint + 0.025)).toBeCloseTo(0.75, 1);
    expect(at(joint + 0.08)).toBeCloseTo(0.25, 1);
  });

  it('stops between two chunks when the job is aborted', async () => {
    const controller = new AbortController();
    const { pipeline, chunks } = await recording();
    const listening = (async () => {
      for await (const event of pipeline.run(jobOf(long), controller.signal)) {
        if (event.type === 'audio') controller.abort(new Error('gone'));
      }
    })();
    await expect(listening).rejects.toThrow('gone');
    expect(chunks.length).toBeLessThanOrEqual(2);
  });

  it('sends chunks in their order, whichever is finished first', async () => {
    const one = await recording();
    const expected = await heard(one.pipeline, jobOf(long));
    const finish: (() => void)[] = [];
    const { pipeline, chunks } = await recording({
      parallelChunks: 9,
      speak: async (chunk) => {
        await new Promise<void>((resolve) => finish.push(resolve));
        return spokenOf(chunk);
      },
    });
    const result = heard(pipeline, jobOf(long));
    while (chunks.length < one.chunks.length) await setImmediate();
    for (const done of finish.reverse()) {
      done();
      await setImmediate();
    }
    expect(await result).toEqual(expected);
  });

  it('fails with a chunk that fails, and ignores those that are not asked for', async () => {
    const { pipeline } = await recording({ parallelChunks: 3, speak: () => Promise.reject(new Error('no sound')) });
    await expect(heard(pipeline, jobOf(long))).rejects.toThrow('no sound');
    await setImmediate();
  });

  it('phonemizes with the reading that is spoken', async () => {
    const { pipeline } = await recording();
    const lines: string[] = [];
    for await (const event of pipeline.run({ kind: 'phonemize', text: 'nˈO\njˈɛs!', language: 'a' }, open)) {
      if (event.type === 'phonemes') lines.push(event.phonemes);
    }
    expect(lines.join('')).toBe('nˈO\njˈɛs!');
  });
});

describe('SpeechPipeline with Flite', () => {
  const pangram = 'The quick brown fox jumps over the lazy dog, and the cat watches from the wall.';
  let flite: Flite;
  beforeAll(async () => {
    flite = Flite.of(await compileFlite());
  });
  /** Speaks on the test's own thread. */
  const speaking = (spoke = () => {}) =>
    startPipeline(
      fliteSynthesizer(async (_owner, task) => {
        spoke();
        return speakChunk(flite, task);
      }, 1),
      new Languages(),
      noLexicon,
    );

  it('gives one caption to a token of several words, and none to one without a sound', async () => {
    const { chunks } = await heard(await speaking(), jobOf("— $3.50, 你 that's"));
    expect(writtenOf(chunks)).toEqual(['$3.50,', "that's"]);
    const [price] = chunks.flat();
    expect(price!.end_time - price!.start_time).toBeGreaterThan(1);
  });

  it('speaks a token too long for one chunk, and captions it once, with all of its time', async () => {
    const { chunks } = await heard(await speaking(), jobOf(`${'1'.repeat(300)} is much.`));
    const [number, is] = chunks.flat();
    expect(writtenOf(chunks)).toEqual(['1'.repeat(300), 'is', 'much.']);
    expect(number!.start_time).toBeLessThan(0.1);
    expect(is!.start_time - number!.end_time).toBeLessThan(0.2);
  });

  it.each(['', '...', '— ! "', '你好', '\ud800', '😀', '[pause:2s] 你好 [pause:1s]'])(
    'refuses %j, which has no sound',
    async (text) => {
      await expect(heard(await speaking(), jobOf(text))).rejects.toMatchObject({ code: 'unspeakable_text' });
    },
  );

  it('refuses hours of pauses, also those that Markdown hid until it was taken away', async () => {
    const text = '[pause:**60**s] '.repeat(121);
    const tooLong = { code: 'invalid_request', param: 'input' };
    await expect(heard(await speaking(), jobOf(text))).rejects.toMatchObject(tooLong);
    await expect(heard(await speaking(), jobOf(`${text} Hello.`))).rejects.toMatchObject(tooLong);
  });

  it('speaks given pronunciations', async () => {
    const { chunks } = await heard(await speaking(), jobOf('[x](/həlˈO/) [x](/wˈɜɹld/) [x](/wˈɜɹld/)'));
    expect(writtenOf(chunks)).toEqual(['x', 'x', 'x']);
    for (const { start_time, end_time } of chunks.flat()) expect(end_time - start_time).toBeGreaterThan(0.15);
  });

  it('sends the first chunk early', async () => {
    const { chunks } = await heard(await speaking(), jobOf(pangram));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks[0]!.at(-1)!.end_time).toBeLessThan(2.5);
    expect(writtenOf(chunks)).toEqual(pangram.split(' '));
  });

  it('speaks a sentence of hundreds of words', async () => {
    const { chunks } = await heard(await speaking(), jobOf(Array(60).fill('and the rain fell on').join(' ')));
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.flat()).toHaveLength(300);
  });

  it('stops when the job is aborted', async () => {
    const controller = new AbortController();
    let chunks = 0;
    const pipeline = await speaking(() => chunks++);
    chunks = 0;
    const job = jobOf(Array(300).fill('rain').join(' '));
    const listening = (async () => {
      for await (const _ of pipeline.run(job, controller.signal)) controller.abort(new Error('gone'));
    })();
    await expect(listening).rejects.toThrow('gone');
    expect(chunks).toBeLessThanOrEqual(2);
  });
});
