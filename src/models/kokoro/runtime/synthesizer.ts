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
  /** Directory of saved voices, `<name>.pt`, which may change at any time. */
  savedVoices?: string | undefined;
  computeType: ComputeType;
  /** Its threads are shared by all workers. */
  device: Device;
  /** Chunks that are synthesized at the same time, each on its own threads. */
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

/** Dependencies of the synthesizer, so that tests need no model. */
export interface SynthesizerParts {
  /** Speaks one chunk when it is its owner's turn. */
  run: (owner: object, task: SpeechTask, signal: AbortSignal) => Promise<SpokenChunk>;
  /** Gains that make voices equally loud; if omitted, their loudness is unchanged. */
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
      // One and a half seconds of speech, which take as long as two with the windows for the rest of the phrase.
      first: 20,
      growth: 2.5,
      // Three seconds: splitting a shorter sentence saves no time, because of the windows.
      whole: 44,
      // About eight seconds. Longer chunks take more memory and save no time.
      usual: 110,
      // A full stop may be added at the end.
      max: configuration.albert.positions - 3,
      // About twenty seconds.
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
        // The pipeline stretches the sound instead: slower, the model mumbles in the silence that it has to fill; faster,
        // its phonemes become too short, and the silence at the ends varies.
        speed: 1,
      };
      const measured = gains && (await voices.style(voice, MEASURED_PHONEMES.length));
      const gain = measured ? gains.of(measured, owner, signal) : undefined;
      // Awaited with the chunk, but it may fail earlier.
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
