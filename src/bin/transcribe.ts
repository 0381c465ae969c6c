import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { hubOptions } from '../config/service-variables.ts';
import type { SpeakerModelFiles, SpeakerTurn } from '../contracts/speakers.ts';
import type { HearEvent, HearJob, TranscriptionJob } from '../contracts/transcription.ts';
import { HearsayError } from '../errors.ts';
import { createDirectory } from '../files/create-directory.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isSystemError } from '../files/system-error.ts';
import { whyNotWritable } from '../files/writable.ts';
import { type HearEngine, launchHearEngine } from '../hear/launch.ts';
import { bestCachedSize } from '../hear/model-files.ts';
import { builtInPreset } from '../hear/presets.ts';
import { speakerSource } from '../hear/speaker-source.ts';
import { assertCapable, noSpeakerModel, withSpeakers } from '../hear/transcribe.ts';
import { languageCode } from '../hear/transcript/languages.ts';
import {
  type ResponseFormat,
  renderTranscript,
  responseFormats,
  type Transcript,
} from '../hear/transcript/response.ts';
import { readConfigOrExit, temporaryDirOrExit } from '../http/service-process.ts';
import { Hub } from '../hub/hub.ts';
import { oneOf, parseArguments } from './arguments.ts';
import { CommandEngine } from './command-engine.ts';
import { withDownloadProgress } from './download-progress.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { isFolder } from './output-folder.ts';
import { readPipe } from './pipes.ts';
import { clock, ProgressBar } from './progress-bar.ts';
import { findRecordings, type Recording } from './recordings.ts';
import { readTranscribeSettings, type TranscribeSettings } from './settings.ts';
import { interruption } from './signals.ts';

const extensions: Readonly<Record<ResponseFormat, string>> = {
  text: 'txt',
  json: 'json',
  verbose_json: 'json',
  diarized_json: 'json',
  srt: 'srt',
  vtt: 'vtt',
  tsv: 'tsv',
};

/** One year: the limit is for services; here the user decides how long to wait. */
const MAX_AUDIO_SECONDS = 31_536_000;
const MAX_PROBE_MS = 5000;

/** The path of a transcript, by the stem of its recording. */
type PathOf = (stem: string) => string;

interface Output {
  /** Undefined: standard output. */
  path: string | undefined;
  /** Whether the path names one file; otherwise it is a folder. */
  isFile: boolean;
  format: ResponseFormat;
}

interface Options {
  format: ResponseFormat;
  /** Undefined: standard output. */
  pathOf: PathOf | undefined;
  words: boolean;
  hasSpeakers: boolean;
  job: Omit<TranscriptionJob, 'path'>;
}

/**
 * `hearsay transcribe`: transcribes recordings with its own engine.
 * @returns the exit code
 * @throws UsageError; Interrupted
 */
export async function transcribe(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    format: { type: 'string', short: 'f' },
    output: { type: 'string', short: 'o', default: '-' },
    language: { type: 'string', short: 'l' },
    model: { type: 'string', short: 'm' },
    prompt: { type: 'string', short: 'p' },
    translate: { type: 'boolean', default: false },
    words: { type: 'boolean', default: false },
    speakers: { type: 'boolean', default: false },
  });
  if (positionals.length === 0) throw new UsageError('Name a recording, a folder, or - for standard input');
  const output = await chooseOutput(values.output, values.format);
  const { format } = output;
  const language = values.language === undefined ? undefined : languageCode(values.language);
  if (values.language !== undefined && language === undefined) {
    throw new UsageError(`--language must be a language such as en or German, not "${values.language}"`);
  }
  if (values.speakers && format === 'json') throw new UsageError('--speakers needs another format than json');
  const config = readConfigOrExit((env) =>
    readTranscribeSettings(values.model === undefined ? env : { ...env, MODEL_SIZE: values.model }),
  );
  const { recordings, problems } = await findRecordings(positionals);
  if (output.path === undefined && recordings.length > 1) {
    throw new UsageError('Name a folder for the transcripts of several recordings with --output');
  }
  if (output.isFile && recordings.length + problems.length > 1) {
    const { path } = output;
    throw new UsageError(`${path} would be one file: name a folder for several recordings, such as ${path}/`);
  }
  for (const problem of problems) console.error(problem);
  // Check it now, before hours of work.
  const folder = output.path !== undefined && output.isFile ? dirname(output.path) : output.path;
  const obstacle = folder === undefined ? undefined : await whyNotWritable(folder);
  if (obstacle !== undefined) {
    console.error(`${folder}: files cannot be written there (${obstacle})`);
    return exitCodes.failed;
  }
  const spokenLanguage = language ?? config.defaultLanguage;
  const job: Options['job'] = {
    task: values.translate ? 'translate' : 'transcribe',
    ...(spokenLanguage !== undefined && { language: spokenLanguage }),
    ...(values.prompt !== undefined && { prompt: values.prompt }),
    maxAudioSeconds: process.env.MAX_AUDIO_SECONDS?.trim() ? config.maxAudioSeconds : MAX_AUDIO_SECONDS,
  };
  const hasSpeakers = values.speakers || format === 'diarized_json';
  const options = { format, pathOf: pathsOf(output), words: values.words, hasSpeakers, job };
  const failures = await transcribeAll(recordings, options, config);
  return failures + problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** @throws UsageError */
async function chooseOutput(named: string, formatName: string | undefined): Promise<Output> {
  const path = named === '-' ? undefined : named;
  const ofName = path === undefined || (await isFolder(path)) ? undefined : formatOfName(path);
  const format = formatName === undefined ? (ofName ?? 'text') : oneOf('format', formatName, responseFormats);
  return { path, isFile: ofName !== undefined, format };
}

function pathsOf({ path, isFile, format }: Output): PathOf | undefined {
  if (path === undefined) return undefined;
  return (stem) => (isFile ? path : join(path, `${stem}.${extensions[format]}`));
}

/** @returns how many failed */
async function transcribeAll(recordings: Recording[], options: Options, config: TranscribeSettings): Promise<number> {
  if (recordings.length === 0) return 0;
  const signal = interruption();
  const bar = new ProgressBar(process.stderr);
  const temporaryDir = await temporaryDirOrExit(config.tempDir, 'transcribe');
  const engine = new CommandEngine(() => launch(config, signal));
  let failures = 0;
  try {
    for (const recording of recordings) {
      try {
        if (options.hasSpeakers) options.job.speakers ??= { model: await speakerModel(config, signal) };
        const path = recording.isStream ? await copyStream(recording.path, temporaryDir, signal) : recording.path;
        const transcript = await transcribeOne({ ...recording, path }, options.job, { engine, bar, signal });
        await write(recording, transcript, options);
      } catch (error) {
        signal.throwIfAborted();
        bar.clear();
        if (!(error instanceof HearsayError || isSystemError(error))) throw error;
        console.error(`${recording.path}: ${error.message}`);
        failures++;
        // Without a model, other recordings would fail too.
        if (error instanceof HearsayError && endsAll.has(error.code)) return recordings.length;
      }
    }
  } finally {
    bar.clear();
    await engine.close();
    await rm(temporaryDir, { recursive: true, force: true });
  }
  return failures;
}

const endsAll: ReadonlySet<string> = new Set(['model_load_failed', 'model_unavailable']);

/** @throws HearsayError `model_load_failed`, also without a model */
async function speakerModel(config: TranscribeSettings, signal: AbortSignal): Promise<SpeakerModelFiles> {
  const source = speakerSource(config.speakerModel, new Hub(hubOptions(config)));
  const files = await withDownloadProgress('speakers', (onProgress) => source.files({ signal, onProgress }));
  if (!files) throw new HearsayError('model_load_failed', noSpeakerModel('speakers').message);
  return files;
}

async function launch(config: TranscribeSettings, signal: AbortSignal): Promise<HearEngine> {
  const hub = new Hub(hubOptions(config));
  const name = config.modelSize ?? (await bestCachedSize(hub)) ?? builtInPreset.size;
  const onLog = (line: string) => console.error(`engine: ${line}`);
  return withDownloadProgress(name, (onProgress) => launchHearEngine(name, config, hub, { signal, onProgress, onLog }));
}

/** The engine reads files, and more than once. */
async function copyStream(source: string, folder: string, signal: AbortSignal): Promise<string> {
  const path = join(folder, 'stream');
  await pipeline(await readStream(source), createWriteStream(path), { signal });
  return path;
}

async function readStream(path: string): Promise<Readable> {
  if (path === '-') return process.stdin;
  return (await stat(path)).isFIFO() ? readPipe(path) : createReadStream(path);
}

interface Work {
  engine: CommandEngine<HearJob, HearEvent, HearEngine['info']>;
  bar: ProgressBar;
  signal: AbortSignal;
}

async function transcribeOne(
  { path, stem }: Recording,
  options: Options['job'],
  { engine, bar, signal }: Work,
): Promise<Transcript> {
  bar.update(stem, undefined, 'starting');
  let total: number | undefined;
  const probe = new AbortController();
  if (bar.isShown) {
    void estimatedSeconds(path, probe.signal).then((seconds) => {
      total = seconds;
    });
  }
  const work = engine.use(async (running) => {
    assertCapable(running.info, options.task, options);
    const segments: Transcript['segments'] = [];
    let language = '';
    let languages: readonly string[] = [];
    let duration = 0;
    let turns: SpeakerTurn[] | undefined;
    for await (const event of running.run({ ...options, path }, signal)) {
      if (event.type === 'end') {
        ({ language, languages, duration } = event);
      } else if (event.type === 'turns') {
        turns = event.turns;
      } else if (event.type === 'segment') {
        segments.push(event.segment);
        const { end } = event.segment;
        bar.update(stem, total && end / total, total ? `${clock(end)} of ${clock(total)}` : clock(end));
      }
    }
    bar.clear();
    const labelled = turns ? await withSpeakers(segments, turns) : segments;
    return { task: options.task, language, languages, duration, segments: labelled };
  });
  return work.finally(() => probe.abort());
}

/** For the progress bar: how long a recording is, if known. */
function estimatedSeconds(path: string, signal: AbortSignal): Promise<number | undefined> {
  const entry = fileURLToPath(new URL('./duration.js', import.meta.url));
  return new Promise((resolve) => {
    const options = { timeout: MAX_PROBE_MS, killSignal: 'SIGKILL', signal } as const;
    execFile(process.execPath, [entry, path], options, (error, stdout) => {
      resolve(error ? undefined : Number.parseFloat(stdout) || undefined);
    });
  });
}

/** The format of a file, by its name; undefined: it is that of a folder. */
function formatOfName(path: string): ResponseFormat | undefined {
  const extension = extname(path).slice(1).toLowerCase();
  return responseFormats.find((format) => extensions[format] === extension);
}

async function write({ stem }: Recording, transcript: Transcript, { format, pathOf, words }: Options): Promise<void> {
  const { body } = await renderTranscript(transcript, format, { words });
  const text = body.endsWith('\n') ? body : `${body}\n`;
  if (!pathOf) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
    return;
  }
  const path = pathOf(stem);
  await createDirectory(dirname(path));
  await replaceFile(path, text);
}
