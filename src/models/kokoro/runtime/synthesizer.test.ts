import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallKokoro } from '../../../../test/fixtures/kokoro.ts';
import { modelsDir } from '../../../../test/fixtures/models-dir.ts';
import type { PendingChunk, SpeechSynthesizer, SpokenAudio, Utterance } from '../../../contracts/synthesis.ts';
import { cpu } from '../../../ort/device.ts';
import type { LanguageText } from '../../../text/language.ts';
import type { SpokenToken } from '../../../text/types.ts';
import { UserLexicon } from '../../../text/user-lexicon.ts';
import { type KokoroConfiguration, readKokoroConfiguration } from '../configuration.ts';
import { VoicePacks } from '../voices.ts';
import { compileKokoro, loadCompiledKokoro } from './load.ts';
import { type SpeechTask, type SpokenRun, speakRun } from './speech.ts';
import { kokoroSynthesizer, type SynthesizerParts } from './synthesizer.ts';

let configuration: KokoroConfiguration;
let voices: VoicePacks;
beforeAll(async () => {
  configuration = await readKokoroConfiguration(join(smallKokoro, 'config.json'));
  voices = new VoicePacks({}, 256);
});

/** Tokens whose written words are their phonemes. */
const tokensOf = (text: string): SpokenToken[] => text.split(' ').map((word) => ({ written: word, spoken: word }));
const asSpoken: LanguageText = {
  segments: () => [],
  phonemes: async (tokens) => tokens.map(({ spoken }, index) => (index > 0 ? ' ' : '') + spoken),
  beginsPhrase: () => false,
};
const languages = { load: async () => asSpoken };
const utterance = (text: string, change: Partial<Utterance> = {}): Utterance => ({
  tokens: tokensOf(text),
  voice: [{ name: 'af_heart', weight: 1 }],
  language: 'a',
  speed: 1,
  ...change,
});

/** A synthesizer that keeps the tasks of its runs; each phoneme sounds for 0.1 s. */
function recording(change: Partial<SynthesizerParts> = {}) {
  const tasks: SpeechTask[] = [];
  const run = async (_: object, task: SpeechTask): Promise<SpokenRun> => {
    tasks.push(task);
    const owners = [...new Set(task.owners.filter((token) => token >= 0))];
    const times = owners.map((token) => ({
      token,
      start: task.owners.indexOf(token) / 10,
      end: (task.owners.lastIndexOf(token) + 1) / 10,
    }));
    return { samples: new Float32Array(2400 * task.phonemes.length), times };
  };
  // The published size of a run.
  const sized = { ...configuration, albert: { ...configuration.albert, positions: 512 } };
  const synthesizer = kokoroSynthesizer({
    run,
    languages,
    voices,
    configuration: sized,
    computeType: 'float32',
    parallelChunks: 1,
    ...change,
  });
  return { synthesizer, tasks, run };
}

async function all(
  synthesizer: SpeechSynthesizer,
  spoken: Utterance,
  { owner = {}, first = true, signal = new AbortController().signal } = {},
): Promise<SpokenAudio[]> {
  const parts: SpokenAudio[] = [];
  for await (const part of synthesizer.speak(spoken, { owner, first, signal })) parts.push(await part.audio());
  return parts;
}

const symbols = (task: SpeechTask) => {
  const names = new Map([...configuration.tokens].map(([symbol, token]) => [token, symbol]));
  return task.phonemes.map((token) => names.get(token)).join('');
};

const long = `ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps, ${'ænd ɹˈʌnz əwˈA fɹʌm ðə dˈɔɡ '.repeat(12)}ət lˈæst.`;

describe('kokoroSynthesizer', () => {
  it('speaks the phonemes of a sentence, and says when each word is spoken', async () => {
    const { synthesizer, tasks } = recording();
    const [part] = await all(synthesizer, utterance('həlˈO, wˈɜɹld!'));
    expect(tasks.map(symbols)).toEqual(['həlˈO, wˈɜɹld!']);
    expect(tasks[0]!.owners).toEqual([0, 0, 0, 0, 0, -1, -1, 1, 1, 1, 1, 1, 1, -1]);
    expect(part!.words).toEqual([
      { word: 'həlˈO,', start_time: 0, end_time: 0.5 },
      { word: 'wˈɜɹld!', start_time: 0.7, end_time: 1.3 },
    ]);
  });

  it('takes the style of a run by its length', async () => {
    const { synthesizer, tasks } = recording();
    await all(synthesizer, utterance('həlˈO, wˈɜɹld!', { voice: [{ name: 'bm_george', weight: 1 }] }));
    expect(tasks[0]!.style).toEqual(await voices.style([{ name: 'bm_george', weight: 1 }], 14));
  });

  it('begins a job with a clause, and goes on with longer runs, in its later sentences too', async () => {
    const { synthesizer, tasks } = recording();
    const owner = {};
    await all(synthesizer, utterance(long), { owner });
    const lengths = tasks.map(({ phonemes }) => phonemes.length);
    expect(symbols(tasks[0]!)).toBe('ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps,');
    expect(lengths[1]).toBeGreaterThan(lengths[0]!);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(225);
    tasks.length = 0;
    await all(synthesizer, utterance(long), { owner, first: false });
    expect(tasks[0]!.phonemes.length).toBeGreaterThan(100);
    tasks.length = 0;
    await all(synthesizer, utterance(long, { speed: 0.25 }));
    expect(Math.max(...tasks.map(({ phonemes }) => phonemes.length))).toBeLessThan(120);
  });

  it('leaves nothing out, however long, and captions each word once', async () => {
    const { synthesizer, tasks } = recording();
    const text = `${'kætz '.repeat(300)}${'a'.repeat(1500)}`;
    const parts = await all(synthesizer, utterance(text));
    expect(tasks.map(symbols).join('').replace(/[ .]/g, '')).toBe(text.replaceAll(' ', ''));
    expect(parts.flatMap(({ words }) => words.map(({ word }) => word))).toEqual(text.split(' '));
    expect(Math.max(...tasks.map(({ phonemes }) => phonemes.length))).toBeLessThanOrEqual(510);
  });

  it('ends a sentence with a mark, and a clause as it is', async () => {
    const { synthesizer, tasks } = recording();
    await all(synthesizer, utterance('nˈO'));
    await all(synthesizer, utterance('hˈI?'));
    expect(tasks.map(symbols)).toEqual(['nˈO.', 'hˈI?']);
    expect(tasks[0]!.owners).toEqual([0, 0, 0, -1]);
  });

  it('leaves out what the model does not know, and says nothing for marks alone', async () => {
    const { synthesizer, tasks } = recording();
    expect(await all(synthesizer, utterance('— … ☃'))).toEqual([]);
    expect(tasks).toEqual([]);
    await all(synthesizer, utterance('nˈ☃O.'));
    expect(tasks.map(symbols)).toEqual(['nˈO.']);
  });

  it('reads in the language that is asked for', async () => {
    const asked: string[] = [];
    const { synthesizer } = recording({
      languages: {
        load: async (letter) => {
          asked.push(letter);
          return asSpoken;
        },
      },
    });
    await all(synthesizer, utterance('ə', { language: 'b' }));
    await all(synthesizer, utterance('ə', { language: 'f' }));
    expect(asked).toEqual(['b', 'f']);
  });

  it('reads with the lexicon of the utterance, and takes phonemes as they are', async () => {
    const lexicon = UserLexicon.from({ a: 'ˈA' });
    const phonemes: LanguageText['phonemes'] = async (tokens, lexicon) =>
      tokens.map(({ spoken }) => lexicon?.pronounce(spoken) ?? spoken);
    const { synthesizer, tasks } = recording({ languages: { load: async () => ({ ...asSpoken, phonemes }) } });
    await all(synthesizer, utterance('a', { lexicon }));
    await all(synthesizer, utterance('a'));
    await all(synthesizer, utterance('b c', { phonemes: ['nˈO', '—jˈɛs!'] }));
    expect(tasks.map(symbols)).toEqual(['ˈA.', 'a.', 'nˈO—jˈɛs!']);
  });

  it('cuts by the sound of words, whatever tokens they are of, and captions a word with the run that it ends in', async () => {
    const { synthesizer, tasks } = recording();
    const words = long.split(' ');
    await all(synthesizer, utterance(long));
    const cut = tasks.splice(0).map(symbols);
    expect(cut.length).toBeGreaterThan(2);
    // Two written words for as many spoken ones, and all of them in one.
    for (const size of [2, words.length]) {
      const tokens: SpokenToken[] = [];
      for (let at = 0; at < words.length; at += size) {
        tokens.push({ written: `token ${at / size}`, spoken: words.slice(at, at + size).join(' ') });
      }
      const parts = await all(synthesizer, utterance('', { tokens }));
      const lengths = tasks.map(({ phonemes }) => phonemes.length / 10);
      expect(tasks.splice(0).map(symbols)).toEqual(cut);
      let offset = 0;
      const captions = parts.flatMap(({ words, samples }) => {
        const shifted = words.map((word) => ({
          ...word,
          start: offset + word.start_time,
          end: offset + word.end_time,
        }));
        offset += samples.length / 24_000;
        return shifted;
      });
      expect(captions.map(({ word }) => word)).toEqual(tokens.map(({ written }) => written));
      for (const [index, { start, end }] of captions.entries()) {
        expect(start).toBeGreaterThanOrEqual(captions[index - 1]?.end ?? 0);
        expect(end).toBeGreaterThan(start);
      }
      expect(captions.at(-1)!.end).toBeCloseTo(lengths.reduce((sum, length) => sum + length, 0) - 0.1, 5);
    }
  });

  it('stops between two runs when nobody listens any more', async () => {
    const { synthesizer, tasks } = recording();
    const listening = new AbortController();
    const speaking = (async () => {
      for await (const _ of synthesizer.speak(utterance(long), { owner: {}, first: true, signal: listening.signal })) {
        listening.abort();
      }
    })();
    await expect(speaking).rejects.toThrow();
    expect(tasks).toHaveLength(1);
  });

  it('captions words in their order, whichever run is done first', async () => {
    const one = await all(recording().synthesizer, utterance(long));
    const finish: (() => void)[] = [];
    const { run } = recording();
    const { synthesizer } = recording({
      run: async (owner, task) => {
        const done = new Promise<void>((resolve) => finish.push(resolve));
        const spoken = await run(owner, task);
        await done;
        return spoken;
      },
      parallelChunks: 9,
    });
    const context = { owner: {}, first: true, signal: new AbortController().signal };
    const parts: PendingChunk[] = [];
    for await (const part of synthesizer.speak(utterance(long), context)) parts.push(part);
    expect(parts).toHaveLength(one.length);
    for (const done of finish.reverse()) {
      done();
      await setImmediate();
    }
    const audio: SpokenAudio[] = [];
    for (const part of parts) audio.push(await part.audio());
    expect(audio).toEqual(one);
  });

  it('leaves a run that fails to who asks for it', async () => {
    const { synthesizer } = recording({ run: () => Promise.reject(new Error('no sound')) });
    const context = { owner: {}, first: true, signal: new AbortController().signal };
    for await (const _ of synthesizer.speak(utterance(long), context));
    await setImmediate();
    await expect(all(synthesizer, utterance(long))).rejects.toThrow('no sound');
  });

  it('speaks through the model', async () => {
    const model = await loadCompiledKokoro(
      await compileKokoro({ checkpoint: smallKokoro, modelsDir, device: cpu(), form: 'winograd' }),
    );
    const synthesizer = kokoroSynthesizer({
      run: (_, task) => speakRun(model, task),
      languages,
      voices,
      configuration,
      computeType: 'float32',
      parallelChunks: 1,
    });
    expect(synthesizer.info).toMatchObject({ model: 'kokoro', sampleRate: 24_000, compute_type: 'float32' });
    const spoken = utterance(`ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps, ${'ænd ɹˈʌnz əwˈA '.repeat(4)}ət lˈæst.`, { speed: 4 });
    const parts = await all(synthesizer, spoken);
    expect(parts.length).toBeGreaterThan(1);
    const words = parts.flatMap(({ words }) => words);
    expect(words.map(({ word }) => word)).toEqual(spoken.tokens.map(({ written }) => written));
    for (const { samples, words } of parts) {
      expect(samples.every((sample) => Math.abs(sample) <= 1)).toBe(true);
      for (const [index, { start_time, end_time }] of words.entries()) {
        expect(start_time).toBeGreaterThanOrEqual(words[index - 1]?.end_time ?? 0);
        expect(end_time).toBeGreaterThan(start_time);
        expect(end_time).toBeLessThanOrEqual(samples.length / 24_000);
      }
    }
    const again = await all(synthesizer, spoken);
    expect(again.map(({ samples }) => samples)).toEqual(parts.map(({ samples }) => samples));
  });
});
