import { join } from 'node:path';
import type {
  CaptionWord,
  SpeechSynthesizer,
  SynthesizerInfo,
  TokenTime,
  Utterance,
} from '../../../contracts/synthesis.ts';
import type { ComputeType, Device } from '../../../ort/device.ts';
import { WorkerPool } from '../../../scheduling/pool.ts';
import { type Languages, readLanguages } from '../../../text/languages.ts';
import type { SpokenToken } from '../../../text/types.ts';
import { type KokoroConfiguration, SAMPLE_RATE } from '../configuration.ts';
import { VoicePacks } from '../voices.ts';
import { compileKokoro } from './load.ts';
import { cutRuns, GROWTH, isMark, type Phoneme, type Run } from './runs.ts';
import type { SpeechTask, SpokenRun } from './speech.ts';

export interface KokoroOptions {
  /** Folder of `config.json` and `kokoro-v1_0.pth`, and perhaps of `voices/*.pt`. */
  checkpoint: string;
  modelsDir: string;
  /** Folder of saved voices, `<name>.pt`, which may come, change and go. */
  savedVoices?: string | undefined;
  languages: Pick<Languages, 'load'>;
  computeType: ComputeType;
  /** Its threads are those of all workers together. */
  device: Device;
  /** Runs that are spoken at the same time, each by threads of its own. */
  workers: number;
  /** Milliseconds; a run that takes longer ends the process. */
  timeoutMs: number;
}

/** Phonemes of the first run of a job, two seconds of speech: somebody waits for it. */
const FIRST_PHONEMES = 28;
/** Phonemes of a run otherwise, some eight seconds: one turn among the jobs. Longer ones take more memory, and no less time. */
const USUAL_PHONEMES = 110;
/** Slow speech is more work for as many phonemes; less than half a clause is no phrase any more. */
const SLOWEST = 0.5;

/**
 * Kokoro, from a checkpoint of the official form.
 * @throws HearsayError `model_load_failed`
 */
export async function loadKokoro(options: KokoroOptions): Promise<SpeechSynthesizer> {
  const { checkpoint, modelsDir, computeType, device, workers, timeoutMs, languages, savedVoices } = options;
  const form = computeType === 'int8' ? 'int8' : 'winograd';
  const compiled = await compileKokoro({ checkpoint, modelsDir, device, form });
  const size = Math.min(workers, device.threads);
  const pool = await WorkerPool.start<SpeechTask, SpokenRun>({
    entry: new URL('./worker.js', import.meta.url),
    size,
    setup: { ...compiled, device: { ...device, threads: Math.floor(device.threads / size) } },
    taskTimeoutMs: timeoutMs,
  });
  const { configuration } = compiled;
  const synthesizer = kokoroSynthesizer({
    run: (owner, task, signal) => pool.run(owner, task, signal),
    languages,
    voices: new VoicePacks({ checkpoint: join(checkpoint, 'voices'), saved: savedVoices }, 2 * configuration.style),
    configuration,
    computeType,
    parallelChunks: size,
  });
  await warmUp(synthesizer);
  return synthesizer;
}

/** Each worker once. */
async function warmUp(synthesizer: SpeechSynthesizer): Promise<void> {
  const tokens = [{ written: '', spoken: 'Good morning.' }];
  const utterance: Utterance = { tokens, voice: [{ name: 'af_heart', weight: 1 }], language: 'a', speed: 1 };
  const speak = async () => {
    const context = { owner: {}, first: false, signal: new AbortController().signal };
    for await (const part of synthesizer.speak(utterance, context)) await part.audio();
  };
  await Promise.all(Array.from({ length: synthesizer.parallelChunks }, speak));
}

/** What the synthesizer stands on, so that tests can speak without a model. */
export interface SynthesizerParts {
  /** Speaks one run when it is its owner's turn. */
  run: (owner: object, task: SpeechTask, signal: AbortSignal) => Promise<SpokenRun>;
  languages: Pick<Languages, 'load'>;
  voices: Pick<VoicePacks, 'style'>;
  configuration: KokoroConfiguration;
  computeType: ComputeType;
  /** Runs that are spoken at the same time. */
  parallelChunks: number;
}

/** Cuts utterances into runs, has them spoken, and times their words. */
export function kokoroSynthesizer({
  run,
  languages,
  voices,
  configuration,
  computeType,
  parallelChunks,
}: SynthesizerParts): SpeechSynthesizer {
  const info: SynthesizerInfo = {
    model: 'kokoro',
    backend: 'onnxruntime',
    device: 'cpu',
    compute_type: computeType,
    sampleRate: SAMPLE_RATE,
    languages: [...readLanguages],
  };
  /** Phonemes that the next run of a job may have. */
  const allowances = new WeakMap<object, number>();
  return {
    info,
    parallelChunks,
    async *speak(utterance, { owner, first, signal }) {
      const { tokens, voice, language, speed, lexicon } = utterance;
      const read = await languages.load(language);
      const pieces = utterance.phonemes ?? (await read.phonemes(tokens, lexicon));
      const phonemes = pieces.flatMap((piece, token) =>
        [...piece].filter((symbol) => configuration.tokens.has(symbol)).map((symbol) => ({ symbol, token })),
      );
      const usual = USUAL_PHONEMES * Math.max(SLOWEST, Math.min(1, speed));
      const allowance = first ? FIRST_PHONEMES * Math.min(1, speed) : (allowances.get(owner) ?? usual);
      const limits = {
        first: Math.min(usual, allowance),
        usual,
        // A full stop may be added at the end.
        most: configuration.albert.positions - 3,
      };
      const captions = new Captions(tokens);
      const beginsPhrase = (sound: string, token: number) => read.beginsPhrase(tokens[token]!, sound);
      const runs = cutRuns(phonemes, limits, beginsPhrase).filter((part) => firstToken(part) !== undefined);
      for (const [index, part] of runs.entries()) {
        signal.throwIfAborted();
        allowances.set(owner, (allowances.get(owner) ?? limits.first) * GROWTH);
        const ended = withEnd(part);
        const style = await voices.style(voice, ended.length);
        const task: SpeechTask = {
          phonemes: ended.map(({ symbol }) => configuration.tokens.get(symbol)!),
          owners: ended.map(({ symbol, token }) => (isMark(symbol) ? -1 : token)),
          style,
          joint: part.joint,
          speed,
        };
        const speaking = run(owner, task, signal);
        // Perhaps nobody asks for it any more.
        speaking.catch(() => {});
        yield {
          async audio() {
            const spoken = await speaking;
            return { samples: spoken.samples, words: captions.of(spoken, firstToken(runs[index + 1])) };
          },
        };
      }
    },
  };
}

/** The token that is said first in a run. */
function firstToken(run: Run | undefined): number | undefined {
  return run?.phonemes.find(({ symbol }) => !isMark(symbol))?.token;
}

/** A sentence ends with a mark, or the model may swallow its last sound. */
function withEnd({ phonemes, joint }: Run): Phoneme[] {
  const last = phonemes.at(-1);
  if (joint !== 'sentence' || !last || isMark(last.symbol)) return phonemes;
  return [...phonemes, { symbol: '.', token: last.token }];
}

/** The captions of an utterance, as its runs are spoken one by one. */
class Captions {
  readonly #tokens: readonly SpokenToken[];
  /** Seconds of the runs so far. */
  #spoken = 0;
  /** The last token, which may go on in the next run. */
  #last: TokenTime | undefined;

  constructor(tokens: readonly SpokenToken[]) {
    this.#tokens = tokens;
  }

  /**
   * The words that end in a run, with times from its start.
   * @param next the token that the next run begins with
   */
  of({ samples, times }: SpokenRun, next: number | undefined): CaptionWord[] {
    const words: CaptionWord[] = [];
    const close = () => {
      if (!this.#last) return;
      const { token, start, end } = this.#last;
      this.#last = undefined;
      const [start_time, end_time] = [start - this.#spoken, end - this.#spoken];
      words.push({ word: this.#tokens[token]!.written, start_time, end_time });
    };
    for (const { token, start, end } of times) {
      if (this.#last?.token !== token) close();
      this.#last = { token, start: this.#last?.start ?? this.#spoken + start, end: this.#spoken + end };
    }
    if (this.#last?.token !== next) close();
    this.#spoken += samples.length / SAMPLE_RATE;
    return words;
  }
}
