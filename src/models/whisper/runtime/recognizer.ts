import type {
  BeamSize,
  RecognitionJob,
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  TranscriptionTask,
  WindowLimits,
} from '../../../contracts/transcription.ts';
import { HearsayError } from '../../../errors.ts';
import { readGpu } from '../../../machine/gpu.ts';
import type { ComputeType, Device } from '../../../ort/device.ts';
import type { GraphForm } from '../../../ort/graph/linear.ts';
import { abortable } from '../../../scheduling/abortable.ts';
import { WorkerThread } from '../../../scheduling/worker-thread.ts';
import { SAMPLE_RATE } from '../../../vad/frames.ts';
import { POSITION_SECONDS, readWhisperConfiguration, type WhisperConfiguration } from '../configuration.ts';
import { type CompiledWhisper, compileWhisper } from '../graph/compile.ts';
import { encodedPositions } from './audio-length.ts';
import { ATTEMPTS } from './decoding.ts';
import { MelSpectrogram } from './mel.ts';
import { trimToEncoder } from './piece-decoder.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { checkTokenizer } from './tokenizer-files.ts';
import type { Context, TranscribedWindow } from './transcribe.ts';
import type { WorkerInput, WorkerSetup } from './worker.ts';

export interface WhisperOptions {
  /** Directory or file of a checkpoint. */
  checkpoint: string;
  /** Directory of the tokenizer; by default that of the checkpoint. */
  tokenizer?: string | undefined;
  /** Name in GET /v1/models: a preset, a hub id or a directory. */
  name: string;
  computeType: ComputeType;
  /** Directory of compiled graphs. */
  modelsDir: string;
  /** Device of the model. Each operator uses all of its threads; all windows share them. */
  device: Device;
  /**
   * Milliseconds for one decoding of a window. A window may need `ATTEMPTS` decodings for each of `MAX_PIECES` pieces; one
   * that takes longer than all of that is stuck, and ends the process.
   */
  timeoutMs: number;
  beamSize: BeamSize;
}

/** A window is decoded in pieces if its text ends early or fails; few such pieces need all attempts. */
const MAX_PIECES = 4;

/**
 * Compiles a checkpoint, unless it is compiled already, and loads it in its own thread. Resolves after a first run.
 * @throws HearsayError model_load_failed naming what is wrong with the checkpoint
 */
export async function loadWhisper(options: WhisperOptions): Promise<SpeechRecognizer> {
  const { checkpoint, tokenizer = checkpoint, name, computeType, modelsDir, device, timeoutMs, beamSize } = options;
  const { special } = await WhisperTokenizer.read(tokenizer);
  const configuration = await readWhisperConfiguration(checkpoint);
  checkTokenizer(special, configuration.vocabulary);
  const source = { checkpoint, modelsDir, device, computeType, configuration, endOfText: special.endOfText };
  const compiled = await compileWhisper(source);
  const { perRequest, lookAhead, slowdown } = WINDOWS[compiled.form];
  const gpu = compiled.form === 'gpu' ? await readGpu() : null;
  const slots = windowSlots(compiled, gpu?.memory_total_bytes);
  const limits = { slots, slotsPerOwner: Math.min(perRequest, slots - 1) };
  const thread = await WorkerThread.start<WorkerInput, TranscribedWindow>({
    entry: new URL('./worker.js', import.meta.url),
    setup: { compiled, tokenizer, limits } satisfies WorkerSetup,
    timeoutMs: timeoutMs * ATTEMPTS * MAX_PIECES * Math.min(slots, slowdown),
    // Windows wait for their turns in the step scheduler.
    reportsStart: true,
  });
  const languages = [...special.languages.keys()];
  return whisperRecognizer(
    {
      model: name,
      device: device.name,
      compute_type: computeType,
      ...capabilities(name, configuration, languages),
    },
    {
      windowLimits: windowLimits(configuration),
      parallelWindows: lookAhead,
      beamSize,
      spectrogram: spectrogramOf(configuration),
      run: (input, signal) => thread.run(input, { signal, transfer: buffersOf(input) }),
    },
  );
}

/** The buffers to transfer to the thread: samples and spectrogram take 3 MB, and this thread needs neither again. */
function buffersOf({ window, mel }: WorkerInput): ArrayBuffer[] {
  return [window.samples, mel].flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}

interface WindowCounts {
  /** Maximum windows in flight: with more, each takes longer and throughput gains little. */
  slots: number;
  /** Maximum windows in flight of a recording that is alone: each delays a short recording that arrives later. */
  perRequest: number;
  /** Windows to find ahead: as many as it usually takes to reach one that follows a pause. */
  lookAhead: number;
  /** Maximum slowdown of a window among others, relative to running alone. */
  slowdown: number;
}

/** On a GPU a step of 32 windows takes half as long again as that of one. */
const WINDOWS: Record<GraphForm, WindowCounts> = {
  cpu: { slots: 8, perRequest: 4, lookAhead: 8, slowdown: 8 },
  gpu: { slots: 32, perRequest: 16, lookAhead: 24, slowdown: 8 },
};
/**
 * Seconds without speech after which a window starts without the context of the previous one, and need not wait for
 * it. Only the pause decides, so that the text does not depend on the load.
 */
const CONTEXT_PAUSE = 1;
/** Bytes for the keys and values of all windows; those of one window of large-v3 take half of it in floats. */
const WINDOW_BYTES = 2 ** 30;
/** The share of a GPU's memory for them, and the memory to assume if the driver does not report it. */
const GPU_SHARE = 0.25;
const USUAL_GPU_BYTES = 16 * 2 ** 30;

/**
 * How many windows can be in flight, at least two.
 * @param gpuBytes memory of the GPU, if it is known
 */
export function windowSlots(
  { windowBytes, form }: Pick<CompiledWhisper, 'windowBytes' | 'form'>,
  gpuBytes = USUAL_GPU_BYTES,
): number {
  const bytes = form === 'gpu' ? GPU_SHARE * gpuBytes : WINDOW_BYTES;
  return Math.min(WINDOWS[form].slots, Math.max(2, Math.floor(bytes / windowBytes)));
}

/** Windows are filled as far as possible: there are fewer to decode, and each has more context. */
export function windowLimits({ audioPositions }: Pick<WhisperConfiguration, 'audioPositions'>): WindowLimits {
  const seconds = audioPositions * POSITION_SECONDS;
  return { maxLength: 0.98 * seconds, enoughSpeech: 0.8 * seconds, longPause: 0.1 * seconds };
}

/** Models distilled on English speech only, although their vocabulary and configuration are multilingual. */
const ENGLISH_DISTILLATES = /(^|\/)(faster-)?distil-(whisper-)?(large|medium|small)[^/]*$/;

/** The languages of a checkpoint, and whether it translates. */
export function capabilities(
  name: string,
  {
    multilingual,
    encoderLayers,
    decoderLayers,
  }: Pick<WhisperConfiguration, 'multilingual' | 'encoderLayers' | 'decoderLayers'>,
  languages: readonly string[],
): Pick<SpeechModelInfo, 'languages' | 'translates'> {
  if (!multilingual || ENGLISH_DISTILLATES.test(name)) return { languages: ['en'], translates: true };
  // Whisper's encoder and decoder are equally deep; decoders cut to a fraction of that (large-v3-turbo, distillates) were
  // trained further on transcription alone.
  return { languages: [...languages], translates: 2 * decoderLayers >= encoderLayers };
}

/** Computes the mel spectrogram of a window's first piece. */
function spectrogramOf(configuration: WhisperConfiguration): RecognizerOptions['spectrogram'] {
  const mel = new MelSpectrogram(configuration.mels);
  return ({ samples }, task) => {
    const piece = trimToEncoder(samples, configuration.audioPositions);
    return mel.compute(piece, 2 * encodedPositions(piece.length, task, configuration));
  };
}

/** The last window of a job. */
interface LastWindow {
  owner: number;
  /** Resolves when the window can be posted to the model's thread. */
  ready: Promise<unknown>;
  /** End of its speech, in samples from the start of the recording. */
  speechEnd: number;
  context: Promise<Context | undefined>;
}

/** Inputs of `whisperRecognizer`, so that tests need no model. */
export interface RecognizerOptions {
  windowLimits: WindowLimits;
  /** Windows of a job that are in flight or found ahead. */
  parallelWindows: number;
  beamSize: BeamSize;
  spectrogram: (window: SpeechWindow, task: TranscriptionTask) => Float32Array;
  /** Transcribes a window on the model's thread. */
  run: (input: WorkerInput, signal: AbortSignal) => Promise<TranscribedWindow>;
}

/**
 * Recognizes windows, each with the context of the previous one unless a pause lies between them. Computes
 * spectrograms on the calling thread, which is idle while the model's is busy.
 */
export function whisperRecognizer(
  info: SpeechModelInfo,
  { windowLimits, parallelWindows, beamSize, spectrogram, run }: RecognizerOptions,
): SpeechRecognizer {
  const onlyLanguage = info.languages.length === 1 ? info.languages[0] : undefined;
  let owners = 0;
  // Weak, so that an entry is collected with its job.
  const lastWindows = new WeakMap<RecognitionJob, LastWindow>();
  return {
    info,
    parallelWindows,
    windowLimits,
    async recognize(window, { job, signal }) {
      const language = job.language ?? onlyLanguage;
      assertSupported(info, job, language);
      // An English-only model's transcript is its translation.
      const task = onlyLanguage === 'en' ? 'transcribe' : job.task;
      const last = lastWindows.get(job);
      const owner = last?.owner ?? ++owners;
      const speechStart = window.speech[0]?.start ?? window.start;
      const speechEnd = window.speech.at(-1)?.end ?? window.end;
      const hasPause = last === undefined || speechStart - last.speechEnd >= CONTEXT_PAUSE * SAMPLE_RATE;
      // A window that waits for another's context computes its spectrogram only when that one is posted: each takes a
      // megabyte.
      const mel = (hasPause ? Promise.resolve() : last.ready).then(() =>
        signal.aborted ? undefined : spectrogram(window, task),
      );
      const ready = Promise.all([hasPause ? undefined : last.context, mel]);
      const transcribed = ready.then(([context, mel]) => {
        const isNew = last === undefined;
        const input: WorkerInput = {
          ...optionsOf(job),
          window,
          mel,
          owner,
          isNew,
          task,
          beamSize: job.isDraft ? 1 : beamSize,
          language,
          expected: isNew ? job.expected : undefined,
          context,
        };
        return run(input, signal);
      });
      const context = transcribed.then(
        ({ context }) => context,
        () => undefined,
      );
      lastWindows.set(job, { owner, ready, speechEnd, context });
      // After an abort, wait for the window in flight.
      const { context: _, ...recognized } = await abortable(transcribed, signal);
      return recognized;
    },
  };
}

/** @throws HearsayError `unsupported_language` or `unsupported_task` */
function assertSupported(info: SpeechModelInfo, job: RecognitionJob, language: string | undefined): void {
  const named = [language ?? job.languages ?? []].flat();
  if (named.length > 0 && !named.some((code) => info.languages.includes(code))) {
    throw new HearsayError(
      'unsupported_language',
      `Unsupported language: ${named.join(', ')}. The model ${info.model} does not know it.`,
      { param: 'language' },
    );
  }
  if (job.task === 'translate' && !info.translates) {
    throw new HearsayError('unsupported_task', `The model ${info.model} cannot translate.`);
  }
}

/** The options of a job that the model's thread takes as they are; not its samples, of which the window is a part. */
function optionsOf(job: RecognitionJob): Partial<WorkerInput> {
  return {
    isDraft: job.isDraft,
    isLive: job.isLive,
    isUrgent: job.isUrgent,
    isBackground: job.isBackground,
    languages: job.languages,
    prompt: job.prompt,
    keywords: job.keywords,
    logprobs: job.logprobs,
    detectOnly: job.detectOnly,
    languageBefore: job.languageBefore,
  };
}
