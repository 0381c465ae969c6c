import type {
  SpeechModelInfo,
  SpeechRecognizer,
  SpeechWindow,
  TranscriptionJob,
  WindowLimits,
} from '../../../contracts/transcription.ts';
import { HearsayError } from '../../../errors.ts';
import type { ComputeType, Device } from '../../../ort/device.ts';
import { abortable } from '../../../scheduling/abortable.ts';
import { WorkerPool } from '../../../scheduling/pool.ts';
import { SAMPLE_RATE } from '../../../vad/silero.ts';
import type { WhisperConfiguration } from '../configuration.ts';
import { type CompiledWhisper, compileWhisper } from '../graph/compile.ts';
import { FRAME_SECONDS } from './cuts.ts';
import { ATTEMPTS } from './decoding.ts';
import { MelSpectrogram } from './mel.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { type Context, heardAtOnce, type TranscribedWindow } from './transcribe.ts';
import type { WorkerInput, WorkerSetup } from './worker.ts';

export interface WhisperOptions {
  /** Folder of a checkpoint in the official form. */
  checkpoint: string;
  /** What the model is called in GET /v1/models: a preset, a hub id or a folder. */
  name: string;
  computeType: ComputeType;
  /** Where compiled graphs are kept. */
  modelsDir: string;
  /** All of its threads compute one operator. */
  device: Device;
  /**
   * Milliseconds that one decoding of a window may take. A window is decoded up to six times where its text looks wrong,
   * and may have to be gone on with after its last timestamp: only what takes longer than all of that for two such pieces
   * is taken for stuck, and ends the process.
   */
  timeoutMs: number;
  /** 1 for greedy decoding, more for beam search. */
  beamSize: number;
}

/** Pieces that a window may be decoded in, for the time that it may take. */
const PIECES = 2;

/**
 * Compiles a checkpoint (or finds it compiled), and loads it in a thread of its own; when this resolves it has run once.
 * @throws HearsayError model_load_failed naming what is wrong with the checkpoint
 */
export async function loadWhisper(options: WhisperOptions): Promise<SpeechRecognizer> {
  const { checkpoint, name, computeType, modelsDir, device, timeoutMs, beamSize } = options;
  const { special } = await WhisperTokenizer.read(checkpoint);
  const compiled = await compileWhisper({ checkpoint, modelsDir, device, computeType, endOfText: special.endOfText });
  const windows = windowsAtOnce(compiled);
  const setup: WorkerSetup = { compiled, windows };
  const pool = await WorkerPool.start<WorkerInput, TranscribedWindow>({
    entry: new URL('./worker.js', import.meta.url),
    size: 1,
    tasksPerThread: windows,
    // A place is left for whoever comes.
    tasksPerOwner: Math.min(WINDOWS_OF_ONE, windows - 1),
    newcomersPerThread: 1,
    setup,
    taskTimeoutMs: timeoutMs * ATTEMPTS * PIECES,
  });
  const languages = [...special.languages.keys()];
  return whisperRecognizer(
    {
      model: name,
      device: device.name,
      compute_type: computeType,
      ...abilities(name, compiled.configuration, languages),
    },
    {
      windowLimits: windowLimits(compiled.configuration),
      beamSize,
      spectrogram: spectrogramOf(compiled.configuration),
      run: (job, input, signal) => pool.run(job, input, signal),
    },
  );
}

/** Windows that are decoded together at most: more of them take longer each, and gain little more together. */
const MOST_WINDOWS = 8;
/** Windows of one recording among them, while there is no other: each would slow down a short recording that comes. */
const WINDOWS_OF_ONE = 4;
/** How far ahead windows are cut: as far as there is likely to be one that does not go on from another. */
const WINDOWS_AHEAD = 8;
/**
 * After so many seconds without speech a window does not go on from the one before, and need not wait for it: with the
 * pause the thread of what was said is cut, too. That the pause alone decides keeps the text the same however busy the
 * service is.
 */
const NEW_BEGINNING = 1;
/** Bytes that the encoded audio of all windows may take together; in floats, one window of large-v3 has half of that. */
const AUDIO_BYTES = 2 ** 30;

/**
 * How many windows are worked on at the same time, at least two.
 * @param audioBytes what the encoded audio of one window takes
 */
export function windowsAtOnce({ audioBytes }: Pick<CompiledWhisper, 'audioBytes'>): number {
  return Math.min(MOST_WINDOWS, Math.max(2, Math.floor(AUDIO_BYTES / audioBytes)));
}

/** The encoder takes a whole window however little of it is speech: windows are filled. */
export function windowLimits({ audioPositions }: Pick<WhisperConfiguration, 'audioPositions'>): WindowLimits {
  const seconds = audioPositions * FRAME_SECONDS;
  return { longest: 0.98 * seconds, enoughSpeech: 0.8 * seconds, longPause: 0.1 * seconds };
}

/** Distilled on English speech alone, whatever their vocabulary and their configuration say. */
const ENGLISH_DISTILLATES = /(^|\/)distil-(large|medium|small)[^/]*$/;

/** What a checkpoint can be asked for. */
export function abilities(
  name: string,
  {
    multilingual,
    encoderLayers,
    decoderLayers,
  }: Pick<WhisperConfiguration, 'multilingual' | 'encoderLayers' | 'decoderLayers'>,
  languages: readonly string[],
): Pick<SpeechModelInfo, 'languages' | 'translates'> {
  if (!multilingual || ENGLISH_DISTILLATES.test(name)) return { languages: ['en'], translates: true };
  // Whisper's encoder and decoder are equally deep; who cut the decoder down to a fraction (large-v3-turbo, distillates)
  // went on training it on transcription alone.
  return { languages: [...languages], translates: 2 * decoderLayers >= encoderLayers };
}

/** The mel spectrogram of what the model hears of a window at first. */
function spectrogramOf({ mels, audioPositions }: WhisperConfiguration): WindowUse['spectrogram'] {
  const mel = new MelSpectrogram(mels);
  return ({ samples }) => mel.compute(heardAtOnce(samples, audioPositions), 2 * audioPositions);
}

/** What is known of a job's last window. */
interface Progress {
  request: number;
  /** When it was handed on. */
  begun: Promise<unknown>;
  /** Where the speech in it ends, in samples from the start of the recording. */
  spokenUntil: number;
  /** What it hands on. */
  context: Promise<Context | undefined>;
}

/** How windows are worked on. */
export interface WindowUse {
  windowLimits: WindowLimits;
  beamSize: number;
  /** On the calling thread. */
  spectrogram: (window: SpeechWindow) => Float32Array;
  run: (job: TranscriptionJob, input: WorkerInput, signal: AbortSignal) => Promise<TranscribedWindow>;
}

/**
 * Has windows recognized, each going on from the one before it in its job where there is no pause between them. Their
 * spectrograms are made here, as voice activity is: on a thread that has time while the model's is busy with others.
 */
export function whisperRecognizer(
  info: SpeechModelInfo,
  { windowLimits, beamSize, spectrogram, run }: WindowUse,
): SpeechRecognizer {
  const only = info.languages.length === 1 ? info.languages[0] : undefined;
  let requests = 0;
  // Nothing else holds a job, so nothing is left of one that is over.
  const progress = new WeakMap<TranscriptionJob, Progress>();
  return {
    info,
    parallelWindows: WINDOWS_AHEAD,
    windowLimits,
    async recognize(window, { job, signal }) {
      const language = job.language ?? only;
      if (language !== undefined && !info.languages.includes(language)) {
        throw new HearsayError(
          'unsupported_language',
          `Unsupported language: ${language}. The model ${info.model} does not know it.`,
          { param: 'language' },
        );
      }
      if (job.task === 'translate' && !info.translates) {
        throw new HearsayError('unsupported_task', `The model ${info.model} cannot translate.`);
      }
      const last = progress.get(job);
      const request = last?.request ?? ++requests;
      const spoken = { start: window.speech[0]?.start ?? window.start, end: window.speech.at(-1)?.end ?? window.end };
      const goesOn = last !== undefined && spoken.start - last.spokenUntil < NEW_BEGINNING * SAMPLE_RATE;
      const before = goesOn ? last.context : Promise.resolve(undefined);
      // Of windows that wait for one another, one ahead is enough: each spectrogram takes a megabyte.
      const turn = goesOn ? last.begun : Promise.resolve();
      const ahead = turn.then(() => (signal.aborted ? undefined : spectrogram(window)));
      const begun = Promise.all([before, ahead]);
      const work = begun.then(([context, mel]) => {
        const input: WorkerInput = {
          window,
          ...(mel && { mel }),
          request,
          isFirst: last === undefined,
          // An English-only model's transcript is its translation.
          task: only === 'en' ? 'transcribe' : job.task,
          beamSize,
          ...(language !== undefined && { language }),
          ...(job.prompt !== undefined && { prompt: job.prompt }),
          ...(job.textOnly && { textOnly: true }),
          ...(context && { context }),
        };
        return run(job, input, signal);
      });
      const context = work.then(
        (transcribed) => transcribed.context,
        () => undefined,
      );
      progress.set(job, { request, begun, spokenUntil: spoken.end, context });
      // The window before may be under way, which takes its time to end; whoever hung up does not wait for that.
      const { segments, language: detected } = await abortable(work, signal);
      return { segments, language: detected };
    },
  };
}
