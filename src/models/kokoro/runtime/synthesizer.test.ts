import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallKokoro } from '../../../../test/fixtures/kokoro.ts';
import { modelsDir } from '../../../../test/fixtures/models-dir.ts';
import type {
  Boundary,
  Chunk,
  Phoneme,
  PhonemeSynthesizer,
  SpeakOptions,
  SpokenChunk,
} from '../../../contracts/synthesis.ts';
import { cpu } from '../../../ort/device.ts';
import { type KokoroConfiguration, readKokoroConfiguration } from '../configuration.ts';
import { VoicePacks } from '../voices.ts';
import { compileKokoro, loadCompiledKokoro } from './load.ts';
import { Speaker, type SpeechTask } from './speech.ts';
import { kokoroSynthesizer, type SynthesizerParts } from './synthesizer.ts';

let configuration: KokoroConfiguration;
let voices: VoicePacks;
beforeAll(async () => {
  configuration = await readKokoroConfiguration(join(smallKokoro, 'config.json'));
  voices = new VoicePacks({}, 256);
});

/** A chunk of phonemes, a token for each word. */
function chunkOf(text: string, boundary: Boundary = 'sentence'): Chunk<Phoneme> {
  const units = text.split(/(?= )/).flatMap((word, token) => [...word].map((symbol) => ({ symbol, token })));
  return { units, boundary };
}

/** A synthesizer that keeps its tasks. */
function recording(change: Partial<SynthesizerParts> = {}) {
  const tasks: SpeechTask[] = [];
  const run = async (_: object, task: SpeechTask): Promise<SpokenChunk> => {
    tasks.push(task);
    return { samples: new Float32Array(1), times: [] };
  };
  const parts = { run, voices, configuration, device: 'cpu', computeType: 'float32', parallelChunks: 1 } as const;
  return { synthesizer: kokoroSynthesizer({ ...parts, ...change }), tasks };
}

async function spoken(
  synthesizer: PhonemeSynthesizer,
  chunk: Chunk<Phoneme>,
  change: Partial<SpeakOptions> = {},
): Promise<SpokenChunk> {
  const voice = [{ name: 'af_heart', weight: 1 }];
  const options = { voice, owner: {}, signal: new AbortController().signal, ...change };
  return (await synthesizer.speak(chunk, options)).spoken;
}

const symbols = (task: SpeechTask) => {
  const names = new Map([...configuration.tokens].map(([symbol, token]) => [token, symbol]));
  return task.phonemes.map((token) => names.get(token)).join('');
};

describe('kokoroSynthesizer', () => {
  it('turns a chunk into tokens of the model, and maps each to its token of the sentence', async () => {
    const { synthesizer, tasks } = recording();
    await spoken(synthesizer, chunkOf('həlˈO, wˈɜɹld!'));
    expect(tasks.map(symbols)).toEqual(['həlˈO, wˈɜɹld!']);
    expect(tasks[0]!.owners).toEqual([0, 0, 0, 0, 0, -1, -1, 1, 1, 1, 1, 1, 1, -1]);
    expect(tasks[0]).toMatchObject({ boundary: 'sentence', speed: 1 });
  });

  it('selects the style by the number of phonemes', async () => {
    const { synthesizer, tasks } = recording();
    const voice = [{ name: 'bm_george', weight: 1 }];
    await spoken(synthesizer, chunkOf('həlˈO, wˈɜɹld!'), { voice });
    expect(tasks[0]!.style).toEqual(await voices.style(voice, 14));
  });

  it('adds a full stop to a sentence without a mark, and to nothing else', async () => {
    const { synthesizer, tasks } = recording();
    await spoken(synthesizer, chunkOf('nˈO'));
    await spoken(synthesizer, chunkOf('hˈI?'));
    await spoken(synthesizer, chunkOf('nˈO', 'word'));
    expect(tasks.map(symbols)).toEqual(['nˈO.', 'hˈI?', 'nˈO']);
    expect(tasks[0]!.owners).toEqual([0, 0, 0, -1]);
  });

  it('declares the phonemes that it knows, and chunks that fit with both ends and a full stop', () => {
    const { alphabet, limits } = recording().synthesizer;
    expect(alphabet.has('ˈ')).toBe(true);
    expect(alphabet.has('☃')).toBe(false);
    expect(limits.max).toBe(configuration.albert.positions - 3);
  });

  it('rejects an unknown voice before it queues the chunk', async () => {
    const { synthesizer, tasks } = recording();
    const voice = [{ name: 'af_unknown', weight: 1 }];
    await expect(spoken(synthesizer, chunkOf('ə'), { voice })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(tasks).toEqual([]);
  });

  it('speaks through the model', async () => {
    const model = await loadCompiledKokoro(
      await compileKokoro({ checkpoint: smallKokoro, modelsDir, device: cpu(), form: 'winograd' }),
    );
    const speaker = new Speaker(model);
    const { synthesizer } = recording({ run: (_, task) => speaker.speak(task) });
    expect(synthesizer.info).toMatchObject({ model: 'kokoro', sampleRate: 24_000, compute_type: 'float32' });
    const chunk = chunkOf('ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps, ænd ɹˈʌnz əwˈA.');
    const { samples, times } = await spoken(synthesizer, chunk);
    expect(times.map(({ token }) => token)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(samples.every((sample) => Math.abs(sample) <= 1)).toBe(true);
    for (const [index, { start, end }] of times.entries()) {
      expect(start).toBeGreaterThanOrEqual(times[index - 1]?.end ?? 0);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(samples.length / 24_000);
    }
    const again = await spoken(synthesizer, chunk);
    expect(again.samples).toEqual(samples);
  });
});
