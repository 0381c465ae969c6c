import { rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type AudioFormat, audioFormats } from '../audio/formats.ts';
import { hubOptions } from '../config/service-variables.ts';
import type { SpeechJob, SynthesisEvent, SynthesisJob, SynthesizerInfo } from '../contracts/synthesis.ts';
import { HearsayError } from '../errors.ts';
import { isSystemError } from '../files/system-error.ts';
import { exitWithLine, readConfigOrExit, temporaryDirOrExit } from '../http/service-process.ts';
import { Hub } from '../hub/hub.ts';
import { assertSpoken } from '../say/capabilities.ts';
import { launchSayEngine, type SayEngine } from '../say/launch.ts';
import { findLexicons } from '../say/lexicon-files.ts';
import { bestCachedModel } from '../say/model-files.ts';
import { MAX_SPEED, MIN_SPEED } from '../say/routes/pace.ts';
import { languageLetter } from '../say/voices/language-codes.ts';
import { SavedVoices } from '../say/voices/saved-voices.ts';
import { languageOf, officialVoices, parseVoice, VoiceNames } from '../say/voices/voices.ts';
import { checkControlTokens } from '../text/control-tokens.ts';
import { defaultNormalization } from '../text/normalization.ts';
import { oneOf, parseArguments } from './arguments.ts';
import { bookJob, readCover } from './book.ts';
import { CommandEngine } from './command-engine.ts';
import { withDistinctStems } from './distinct-stems.ts';
import { withDownloadProgress } from './download-progress.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { isFolder as isOutputFolder } from './output-folder.ts';
import { ProgressBar } from './progress-bar.ts';
import { readSpeakSettings, type SpeakSettings } from './settings.ts';
import { interruption } from './signals.ts';
import { openOutput, type SpeechOutput } from './speech-output.ts';
import { readTexts, type Text } from './texts.ts';

/** Other names of formats. */
const formatOfExtension: Readonly<Record<string, AudioFormat>> = { ogg: 'opus', oga: 'opus', wave: 'wav', adts: 'aac' };

/**
 * `hearsay speak`: speaks texts with its own engine.
 * @returns the exit code
 * @throws UsageError; Interrupted
 */
export async function speak(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    output: { type: 'string', short: 'o' },
    format: { type: 'string', short: 'f' },
    voice: { type: 'string', short: 'v' },
    speed: { type: 'string', short: 's', default: '1' },
    language: { type: 'string', short: 'l' },
    model: { type: 'string', short: 'm' },
    title: { type: 'string' },
    author: { type: 'string' },
    cover: { type: 'string' },
  });
  if (positionals.length === 0) throw new UsageError('Name a text, a file, or - for standard input');
  const speed = Number(values.speed);
  if (!(speed >= MIN_SPEED && speed <= MAX_SPEED)) {
    throw new UsageError(`--speed must be a number from ${MIN_SPEED} to ${MAX_SPEED}, not "${values.speed}"`);
  }
  const language = values.language === undefined ? undefined : languageLetter(values.language);
  if (values.language !== undefined && language === undefined) {
    throw new UsageError(`--language must be a language tag such as en-GB, not "${values.language}"`);
  }
  const config = readConfigOrExit((env) =>
    readSpeakSettings(values.model === undefined ? env : { ...env, TTS_MODEL: values.model }),
  );
  const voice = await chooseVoice(values.voice, config);
  const { texts, problems } = await readTexts(positionals);
  const count = texts.length + problems.length;
  const { format, pathOf, isOneBook, isFolder } = await chooseOutput(values.output, values.format, count);
  const way = { voice, language: language ?? languageOf(voice[0]!.name), speed, volume: 1 };
  const { title, author } = values;
  const tags = { title, author, cover: values.cover === undefined ? undefined : await readCover(values.cover) };
  if (format !== 'm4b' && Object.values(tags).some((tag) => tag !== undefined))
    throw new UsageError('--title, --author and --cover are for a book: write it to a file that ends in .m4b');
  for (const problem of problems) console.error(problem);
  const empty = isOneBook ? texts.filter(({ text }) => text.trim() === '') : [];
  for (const { path, stem } of empty) console.error(`${path === '-' ? stem : path}: The text is empty.`);
  // A book without one of its chapters would look complete.
  if (texts.length === 0 || (isOneBook && problems.length + empty.length > 0)) return exitCodes.failed;
  const inputOf = (texts: Text[]): Pick<SpeechJob, 'input' | 'book'> =>
    format === 'm4b'
      ? bookJob(texts, tags, way)
      : { input: { text: texts[0]!.text, normalization: defaultNormalization } };
  const parts = isOneBook ? [texts] : (isFolder ? withDistinctStems(texts, 'speech') : texts).map((text) => [text]);
  const recordings = parts.map((texts) => ({
    texts,
    job: { kind: 'speech' as const, ...inputOf(texts), ...way, format, captions: true },
  }));
  await assertNoSource(recordings, pathOf, values.cover);
  const failures = await speakAll(recordings, pathOf, config);
  return failures + problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** What goes into one file. */
interface Recording {
  texts: Text[];
  job: SpeechJob;
}

/** @param named undefined: DEFAULT_VOICE, which ends the process if it is unknown @throws UsageError */
async function chooseVoice(named: string | undefined, config: SpeakSettings): Promise<SpeechJob['voice']> {
  const saved = new SavedVoices({ directory: join(config.dataDir, 'voices'), warn: console.error });
  const voices = config.allowLocalVoiceSaving ? [...officialVoices, ...(await saved.list())] : officialVoices;
  try {
    return parseVoice(named ?? config.defaultVoice, new VoiceNames(voices));
  } catch (error) {
    if (!(error instanceof HearsayError)) throw error;
    const message = error.message.replace(/ GET \S+ lists.*$/, '').replace(/\.$/, '');
    if (named === undefined) exitWithLine(`DEFAULT_VOICE: ${message}`);
    throw new UsageError(`--voice: ${message}`);
  }
}

/** Undefined: standard output. */
type PathOf = (stem: string) => string | undefined;

/** @throws UsageError */
async function chooseOutput(
  output: string | undefined,
  formatName: string | undefined,
  count: number,
): Promise<{ format: AudioFormat; pathOf: PathOf; isOneBook: boolean; isFolder: boolean }> {
  const named = formatName === undefined ? undefined : oneOf('format', formatName, audioFormats);
  const extension = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  if (output === undefined && process.stdout.isTTY) throw new UsageError('Name a file for the speech with --output');
  if (output === undefined || output === '-') {
    const isOneBook = named === 'm4b';
    if (count > 1 && !isOneBook) throw new UsageError('Name a folder for the speech of several files with --output');
    return { format: named ?? 'mp3', pathOf: () => undefined, isOneBook, isFolder: false };
  }
  const isFolder = await isOutputFolder(output);
  const isOneBook = !isFolder && extension === 'm4b' && (named ?? 'm4b') === 'm4b';
  const ofName = audioFormats.find((each) => each === extension) ?? formatOfExtension[extension];
  if (isFolder || (count > 1 && !isOneBook)) {
    if (!isFolder && ofName !== undefined) {
      throw new UsageError(`${output} would be one file: name a folder for several texts, such as ${output}/`);
    }
    const format = named ?? 'mp3';
    return { format, pathOf: (stem) => join(output, `${stem}.${format}`), isOneBook, isFolder: true };
  }
  const format = named ?? ofName;
  if (format === undefined) {
    throw new UsageError(`The name of the output must end in one of ${audioFormats.join(', ')}, or name a --format`);
  }
  return { format, pathOf: () => output, isOneBook, isFolder };
}

/** @throws UsageError if a file to read would be overwritten */
async function assertNoSource(recordings: readonly Recording[], pathOf: PathOf, cover?: string): Promise<void> {
  const texts = recordings.flatMap(({ texts }) => texts.map(({ path }) => path)).filter((path) => path !== '-');
  const sources = await Promise.all([...texts, ...(cover === undefined ? [] : [cover])].map((path) => stat(path)));
  for (const { texts } of recordings) {
    const path = pathOf(texts[0]!.stem);
    const output = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (output?.isFile() && sources.some(({ dev, ino }) => dev === output.dev && ino === output.ino)) {
      throw new UsageError(`${path} is a source of the speech, which would overwrite it`);
    }
  }
}

/** @returns how many failed */
async function speakAll(recordings: Recording[], pathOf: PathOf, config: SpeakSettings): Promise<number> {
  const signal = interruption();
  const bar = new ProgressBar(process.stderr);
  const temporaryDir = await temporaryDirOrExit(config.tempDir, 'speak');
  const engine = new CommandEngine(() => launch(config, signal));
  let failures = 0;
  try {
    for (const recording of recordings) {
      const { stem } = recording.texts[0]!;
      const path = pathOf(stem);
      let output: SpeechOutput | undefined;
      try {
        output = await openOutput(path, { format: recording.job.format, temporaryDir, signal });
        await speakOne(recording, { engine, output, bar, signal });
      } catch (error) {
        await output?.discard().catch(() => {});
        signal.throwIfAborted();
        bar.clear();
        if (!(error instanceof HearsayError || isSystemError(error))) throw error;
        console.error(`${path ?? stem}: ${error.message}`);
        failures++;
        // Without a model, other texts would fail too.
        if (error instanceof HearsayError && error.code === 'model_load_failed') return recordings.length;
      }
    }
  } finally {
    bar.clear();
    await engine.close();
    await rm(temporaryDir, { recursive: true, force: true });
  }
  return failures;
}

async function launch(config: SpeakSettings, signal: AbortSignal): Promise<SayEngine> {
  const hub = new Hub(hubOptions(config));
  const name = config.ttsModel ?? (await bestCachedModel(hub));
  return withDownloadProgress(name, (onProgress) =>
    launchSayEngine(name, config, hub, {
      signal,
      onProgress,
      onLog: (line) => console.error(`engine: ${line}`),
      lexicons: () => findLexicons(config, { signal, onFailure: console.error }),
    }),
  );
}

interface Work {
  engine: CommandEngine<SynthesisJob, SynthesisEvent, SynthesizerInfo>;
  output: SpeechOutput;
  bar: ProgressBar;
  signal: AbortSignal;
}

/** @throws HearsayError; the error of the file system */
async function speakOne({ texts, job }: Recording, { engine, output, bar, signal }: Work): Promise<void> {
  const { stem } = texts[0]!;
  const text = texts.map(({ text }) => text).join('\n');
  if (text.trim() === '') throw new HearsayError('invalid_request', 'The text is empty.');
  const problem = checkControlTokens(text);
  if (problem !== undefined) throw new HearsayError('invalid_request', problem);
  const words = text.trim().split(/\s+/).length;
  bar.update(stem, 0, 'starting');
  await engine.use(async (running) => {
    assertSpoken(running.info, job);
    if (output.started) throw new HearsayError('engine_failed', 'The engine died after a part of the speech.');
    await output.restart();
    let spoken = 0;
    for await (const event of running.run(job, signal)) {
      if (event.type === 'audio') {
        await output.write(event.bytes);
      } else if (event.type === 'header') {
        output.header(event.bytes);
      } else if (event.type === 'chunk') {
        spoken += event.words.length;
        bar.update(stem, spoken / words, `${spoken} words`);
      } else if (event.type === 'skipped') {
        bar.clear();
        console.error(`${stem}: ${event.characters} letters that the language does not read are left out`);
      }
    }
  });
  await output.finish();
}
