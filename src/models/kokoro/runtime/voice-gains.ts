import { loudness } from '../../../audio/loudness.ts';
import type { SpokenChunk } from '../../../contracts/synthesis.ts';
import { seedOf } from '../../common/random.ts';
import { SAMPLE_RATE } from '../configuration.ts';
import { publishedLoudness } from './published-loudness.ts';
import type { SpeechTask } from './speech.ts';

/** Target loudness of every voice in LUFS, as in EBU R 128. The published voices range from −30 to −17. */
export const TARGET_LOUDNESS = -23;
/** Maximum gain in decibels; a pack that needs more is hardly a voice. */
const MAX_CHANGE = 15;
/** A second of speech, in which published voices are within 3.5 dB of their loudness in whole sentences. */
export const MEASURED_PHONEMES = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps.';
const SPEED = 2;
/** Maximum number of cached gains. */
const MAX_GAINS = 1000;

/** Identifies a voice or blend. @param style for as many phonemes as `MEASURED_PHONEMES` */
export function voiceKey(style: Float32Array): number {
  return seedOf(new Int32Array(style.buffer, style.byteOffset, style.length));
}

type Run = (owner: object, task: SpeechTask, signal: AbortSignal) => Promise<SpokenChunk>;

/**
 * Gains that make all voices and blends equally loud: known ones for the published voices; others are measured when
 * they first speak.
 */
export class VoiceGains {
  readonly #run: Run;
  readonly #phonemes: number[];
  readonly #gains = new Map<number, Promise<number>>();

  constructor(run: Run, tokens: ReadonlyMap<string, number>) {
    this.#run = run;
    this.#phonemes = [...MEASURED_PHONEMES].flatMap((symbol) => tokens.get(symbol) ?? []);
  }

  /**
   * Factor for the samples of a voice.
   * @param style of the voice for the phonemes of the measurement; it identifies the voice
   * @param owner owner of the measurement in the queue, if one is needed
   */
  of(style: Float32Array, owner: object, signal: AbortSignal): Promise<number> {
    const key = voiceKey(style);
    const published = publishedLoudness.get(key);
    if (published !== undefined) return Promise.resolve(gainFor(published));
    const known = this.#gains.get(key);
    if (known) {
      // The job that requested the measurement may have been aborted.
      return known.catch(() => {
        signal.throwIfAborted();
        return this.of(style, owner, signal);
      });
    }
    const gain = this.#measure(style, owner, signal);
    if (this.#gains.size >= MAX_GAINS) this.#gains.clear();
    this.#gains.set(key, gain);
    gain.catch(() => this.#gains.delete(key));
    return gain;
  }

  async #measure(style: Float32Array, owner: object, signal: AbortSignal): Promise<number> {
    const phonemes = this.#phonemes;
    const owners = phonemes.map(() => 0);
    const range = { begin: 0, end: phonemes.length };
    const task: SpeechTask = { phonemes, owners, ...range, style, boundary: 'sentence', speed: SPEED };
    const { samples } = await this.#run(owner, task, signal);
    return gainFor(loudness(samples, SAMPLE_RATE));
  }
}

/** @param level LUFS */
function gainFor(level: number): number {
  const change = TARGET_LOUDNESS - level;
  if (!Number.isFinite(change)) return 1;
  return 10 ** (Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, change)) / 20);
}
