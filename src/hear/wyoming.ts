import type { FileHandle } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import { wavHeader } from '../audio/wav.ts';
import { version } from '../config/version.ts';
import { HearsayError } from '../errors.ts';
import { removeFile } from '../files/remove-file.ts';
import { storageError } from '../files/storage-full.ts';
import { createTemporaryFile } from '../files/temporary-directory.ts';
import { assertReady } from '../http/health.ts';
import type { IncomingBody } from '../http/incoming-bodies.ts';
import { tooLarge } from '../http/multipart.ts';
import { uploadPath } from '../http/upload-path.ts';
import type { WyomingConnection } from '../wyoming/connection.ts';
import { artifact, info } from '../wyoming/description.ts';
import type { WyomingEvent } from '../wyoming/events.ts';
import type { WyomingHandler } from '../wyoming/server.ts';
import type { HearContext } from './context.ts';
import { usableKeywords } from './keywords.ts';
import { presets } from './presets.ts';
import { assertCapable, transcribe } from './transcribe.ts';
import { DETECT, isDetect, languageCode, languageCodes } from './transcript/languages.ts';
import { transcriptText } from './transcript/response.ts';

/** Audio of a client while it arrives. */
interface Recording {
  path: string;
  file: FileHandle;
  upload: IncomingBody;
  bytes: number;
}

/** What a `transcribe` event asks for. */
interface Request {
  /** A code, or `DETECT`. */
  language?: string;
  keywords?: string[];
}

/**
 * Serves transcription to one client of the Wyoming protocol: `describe`; `transcribe`, `audio-start`, `audio-chunk`s and
 * `audio-stop`, answered by `transcript`. Audio goes to disk as uploads do, within the same bounds.
 */
export class WyomingTranscription implements WyomingHandler {
  readonly #context: HearContext;
  readonly #log: FastifyBaseLogger;
  readonly #connection: WyomingConnection;
  #request: Request = {};
  #recording: Recording | undefined;

  constructor(context: HearContext, log: FastifyBaseLogger, connection: WyomingConnection) {
    this.#context = context;
    this.#log = log;
    this.#connection = connection;
  }

  async handle({ type, data, payload }: WyomingEvent): Promise<void> {
    switch (type) {
      case 'describe':
        return this.#connection.send('info', this.#info());
      case 'transcribe':
        this.#request = readRequest(data);
        return;
      case 'audio-start':
        await this.close();
        this.#recording = await this.#start(data);
        return;
      case 'audio-chunk':
        this.#recording ??= await this.#start(data);
        return this.#append(this.#recording, payload);
      case 'audio-stop':
        return this.#transcribe();
    }
  }

  async close(): Promise<void> {
    const recording = this.#recording;
    this.#recording = undefined;
    if (!recording) return;
    recording.upload.release();
    await recording.file.close().catch(() => {});
    await removeFile(recording.path);
  }

  #info(): object {
    const { models } = this.#context;
    // Clients ask once, perhaps while the model is loading.
    const expected = presets.find(({ size }) => size === models.active)?.capabilities.languages;
    const languages = models.info?.languages ?? expected ?? languageCodes;
    const model = artifact({ name: models.active, description: models.active, version, languages });
    const program = artifact({ name: 'hearsay', description: 'Hearsay transcribes', version });
    return info({ asr: [{ ...program, models: [model], supports_transcript_streaming: false }] });
  }

  async #start(data: WyomingEvent['data']): Promise<Recording> {
    const { models, gate, uploads, uploadDir } = this.#context;
    const header = wavHeader(integer(data, 'rate', 1000, 384_000), undefined, {
      bytesPerSample: integer(data, 'width', 2, 4),
      channels: integer(data, 'channels', 1, 8),
    });
    assertReady(models);
    gate.assertRoom();
    const upload = uploads.open();
    // Another client needs the room.
    upload.signal.addEventListener('abort', () => this.#connection.close());
    const path = uploadPath(uploadDir);
    let file: FileHandle | undefined;
    try {
      file = await createTemporaryFile(path);
      await file.write(header);
      return { path, file, upload, bytes: 0 };
    } catch (error) {
      upload.release();
      await file?.close().catch(() => {});
      if (file) await removeFile(path);
      throw storageError(error);
    }
  }

  async #append(recording: Recording, payload: Buffer): Promise<void> {
    recording.bytes += payload.length;
    if (recording.bytes > this.#context.config.maxUploadBytes) throw tooLarge();
    recording.upload.receive(payload.length);
    await recording.file.writeFile(payload).catch((error) => {
      throw storageError(error);
    });
  }

  async #transcribe(): Promise<void> {
    const recording = this.#recording;
    if (!recording) throw new HearsayError('invalid_request', 'audio-stop came before any audio.');
    const { gate, drain, models, config } = this.#context;
    const { language: wanted = config.defaultLanguage, keywords } = this.#request;
    const language = wanted === DETECT ? undefined : wanted;
    recording.upload.complete();
    const job = {
      path: recording.path,
      task: 'transcribe' as const,
      ...(language !== undefined && { language }),
      ...(keywords && keywords.length > 0 && { keywords }),
      maxAudioSeconds: config.maxAudioSeconds,
    };
    if (models.info) assertCapable(models.info, job.task, job);
    const leaveDrain = drain.enter();
    const { signal } = this.#connection;
    try {
      if (recording.bytes === 0) return await this.#connection.send('transcript', { text: '' });
      const admission = gate.admit();
      try {
        await admission.slot(signal);
        const { segments, language } = await transcribe(this.#context, job, { signal, log: this.#log });
        await this.#connection.send('transcript', { text: transcriptText(segments), language });
      } finally {
        admission.release();
      }
    } finally {
      leaveDrain();
      await this.close();
    }
  }
}

function readRequest({ language, transcript_names = [], transcript_terms = [] }: WyomingEvent['data']): Request {
  const phrases = [transcript_names, transcript_terms].flat().filter((phrase) => typeof phrase === 'string');
  const keywords = usableKeywords(phrases);
  if (typeof language !== 'string' || language.trim() === '') return { keywords };
  if (isDetect(language)) return { language: DETECT, keywords };
  const code = languageCode(language);
  if (code === undefined)
    throw new HearsayError('unsupported_language', `Unsupported language: ${language.slice(0, 100)}`);
  return { language: code, keywords };
}

function integer(data: WyomingEvent['data'], name: string, min: number, max: number): number {
  const value = data[name];
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw new HearsayError('invalid_request', `${name} must be an integer from ${min} to ${max}.`);
}
