import { join } from 'node:path';
import type { Boundary, Phoneme, PhonemeSynthesizer, SpokenChunk } from '../../../contracts/synthesis.ts';
import type { ComputeType, Device } from '../../../ort/device.ts';
import { WorkerPool } from '../../../scheduling/pool.ts';
import { supportedLanguages } from '../../../text/languages.ts';
import { isMark } from '../../../text/phoneme-alphabet.ts';
import { type KokoroConfiguration, SAMPLE_RATE } from '../configuration.ts';
import { VoicePacks } from '../voices.ts';
import { compileKokoro } from './load.ts';
import type { SpeechTask } from './speech.ts';
import { MEASURED_PHONEMES, VoiceGains } from './voice-gains.ts';

export interface KokoroOptions {
  /** Directory of `config.json` and `kokoro-v1_0.pth`, and optionally of `voices/*.pt`. */
  checkpoint: string;
  modelsDir: string;
  /** Directory of saved voices, `<name>.pt`, which may come, change and go. */
  savedVoices?: string | undefined;
  computeType: ComputeType;
  /** Its threads are shared by all workers. */
  device: Device;
  /** Chunks that are spoken at the same time, each by threads of its own. */
  workers: number;
  /** Milliseconds; a chunk that takes longer ends the process. */
  timeoutMs: number;
}

/**
 * Kokoro, from a checkpoint of the official form.
 * @throws HearsayError `model_load_failed`
 */
export async function loadKokoro(options: KokoroOptions): Promise<PhonemeSynthesizer> {
  const { checkpoint, modelsDir, computeType, device, workers, timeoutMs, savedVoices } = options;
  const form = computeType === 'int8' ? 'int8' : device.name === 'cpu' ? 'winograd' : 'direct';
  const compiled = await compileKokoro({ checkpoint, modelsDir, device, form });
  // A GPU is busy with one chunk.
  const size = device.name === 'cpu' ? Math.min(workers, device.threads) : 1;
  const pool = await WorkerPool.start<SpeechTask, SpokenChunk>({
    entry: new URL('./worker.js', import.meta.url),
    size,
    setup: { ...compiled, device: { ...device, threads: Math.floor(device.threads / size) } },
    taskTimeoutMs: timeoutMs,
  });
  const { configuration } = compiled;
  const run: SynthesizerParts['run'] = (owner, task, signal) => pool.run(owner, task, signal);
  return kokoroSynthesizer({
    run,
    gains: new VoiceGains(run, configuration.tokens),
    voices: new VoicePacks({ checkpoint: join(checkpoint, 'voices'), saved: savedVoices }, 2 * configuration.style),
    configuration,
    device: device.name,
    computeType,
    parallelChunks: size,
  });
}

/** What the synthesizer needs, so that tests can speak without a model. */
export interface SynthesizerParts {
  /** Speaks one chunk when it is its owner's turn. */
  run: (owner: object, task: SpeechTask, signal: AbortSignal) => Promise<SpokenChunk>;
  /** How loud each voice has to be made; if omitted, it is left as it is. */
  gains?: Pick<VoiceGains, 'of'>;
  voices: Pick<VoicePacks, 'style'>;
  configuration: KokoroConfiguration;
  device: Device['name'];
  computeType: ComputeType;
  /** Chunks of one job that are spoken at the same time. */
  parallelChunks: number;
}

export function kokoroSynthesizer({
  run,
  gains,
  voices,
  configuration,
  device,
  computeType,
  parallelChunks,
}: SynthesizerParts): PhonemeSynthesizer {
  const { tokens } = configuration;
  return {
    info: {
      model: 'kokoro',
      backend: 'onnxruntime',
      device,
      compute_type: computeType,
      sampleRate: SAMPLE_RATE,
      languages: [...supportedLanguages],
    },
    input: 'phonemes',
    alphabet: new Set(tokens.keys()),
    limits: {
      // One and a half seconds of speech. With the windows that stand for the rest, that takes as long as two.
      first: 20,
      growth: 2.5,
      // Three seconds: the first part with its windows takes as long.
      whole: 44,
      // Some eight seconds. Longer chunks take more memory, and no less time.
      usual: 110,
      // A full stop may be added at the end.
      max: configuration.albert.positions - 3,
      // Some twenty seconds.
      phrase: 300,
      settleFor: 'clause',
    },
    parallelChunks,
    warmUpText: 'Good morning.',
    async speak(chunk, { voice, owner, signal }) {
      const { units, begin, end } = chunk.phrase ?? { units: chunk.units, begin: 0, end: chunk.units.length };
      const phonemes = withFullStop(units, chunk.boundary);
      const task: SpeechTask = {
        phonemes: phonemes.map(({ symbol }) => tokens.get(symbol)!),
        owners: phonemes.map(({ symbol, token }) => (isMark(symbol) ? -1 : token)),
        begin,
        end: end === units.length ? phonemes.length : end,
        style: await voices.style(voice, phonemes.length),
        boundary: chunk.boundary,
        // Slower, the model mumbles in the silence that it has to fill; faster, its phonemes become too short, and how much
        // silence it leaves at the ends varies. Stretched sound is clearer and has the length asked for.
        speed: 1,
      };
      const measured = gains && (await voices.style(voice, MEASURED_PHONEMES.length));
      const gain = measured ? gains.of(measured, owner, signal) : undefined;
      // Awaited with the chunk, but it may fail before.
      gain?.catch(() => {});
      const spoken = run(owner, task, signal);
      return { spoken: gain ? louder(spoken, gain) : spoken };
    },
  };
}

async function louder(spoken: Promise<SpokenChunk>, gain: Promise<number>): Promise<SpokenChunk> {
  const [chunk, factor] = await Promise.all([spoken, gain]);
  const scaled = (samples: Float32Array) => samples.map((sample) => sample * factor);
  return { ...chunk, samples: scaled(chunk.samples), ...(chunk.tail && { tail: scaled(chunk.tail) }) };
}

/** A sentence ends with a mark, or the model may swallow its last sound. */
function withFullStop(units: Phoneme[], boundary: Boundary): Phoneme[] {
  const last = units.at(-1);
  if (boundary !== 'sentence' || !last || isMark(last.symbol)) return units;
  return [...units, { symbol: '.', token: last.token }];
}
