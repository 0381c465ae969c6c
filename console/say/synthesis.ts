import { ApiError, jsonBody, request, unreachable } from '../shared/api.ts';
import { LineReader } from '../shared/streams.ts';
import { PcmReader } from './pcm.ts';
import type { Speech } from './speech.ts';
import type { TimedWord } from './spoken-words.ts';

interface CaptionedLine {
  audio: string;
  timestamps: TimedWord[];
}

export interface SynthesisOptions {
  signal: AbortSignal;
  /** Called after each piece of speech has been added. */
  onPiece: () => void;
  /** Resolves when there is room for more: the service makes no more than is read. */
  room: () => Promise<void>;
  onWaiting: () => void;
}

const WARMING_PAUSE_MS = 1500;

/**
 * Has the service speak, and fills `speech` as it does. Waits for a model that warms up.
 * @throws ApiError; an AbortError when `signal` aborts
 */
export async function synthesize(speech: Speech, options: SynthesisOptions): Promise<void> {
  const { signal, onPiece, room, onWaiting } = options;
  const response = await start(speech, signal, onWaiting);
  speech.downloadPath = response.headers.get('x-download-path') ?? undefined;
  const pcm = new PcmReader();
  const lines = new LineReader();
  const take = (line: string) => {
    if (line === '') return;
    const { audio, timestamps } = JSON.parse(line) as CaptionedLine;
    speech.append(pcm.push(audio), timestamps);
    onPiece();
  };
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    await room();
    const { done, value } = await reader.read().catch((error) => {
      if (signal.aborted) throw error;
      throw speech.duration === 0
        ? unreachable()
        : new ApiError(0, 'The speech broke off; the service did not finish it.');
    });
    if (done) break;
    for (const line of lines.push(decoder.decode(value, { stream: true }))) take(line);
  }
  take(lines.rest());
  speech.complete = true;
}

async function start({ request: fields }: Speech, signal: AbortSignal, onWaiting: () => void): Promise<Response> {
  const { format } = fields;
  const body = {
    input: fields.input,
    voice: fields.voice,
    speed: fields.speed,
    volume_multiplier: fields.volume,
    response_format: 'pcm',
    stream: fields.stream,
    // What is played needs no decoder; the file that was asked for is made beside it.
    ...(!isPlayed(format) && { return_download_link: true, download_format: format }),
  };
  for (;;) {
    try {
      return await request('/dev/captioned_speech', { ...jsonBody(body), signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'model_warming') throw error;
      onWaiting();
      await pause(WARMING_PAUSE_MS, signal);
    }
  }
}

/** Formats that can be made of the samples that were played. */
function isPlayed(format: string): format is 'wav' | 'pcm' {
  return format === 'wav' || format === 'pcm';
}

/** The speech as a file of any format: from here, from the link that came with it, or spoken once more. */
export async function speechFile(speech: Speech, format: string): Promise<Blob> {
  if (isPlayed(format)) return speech.file(format);
  const { request: fields, downloadPath } = speech;
  if (format === fields.format && downloadPath !== undefined) {
    try {
      return await (await request(downloadPath)).blob();
    } catch (error) {
      // Files for download are kept for an hour or so.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
  }
  const { input, voice, speed, volume } = fields;
  const body = { input, voice, speed, volume_multiplier: volume, response_format: format, stream: false };
  return (await request('/v1/audio/speech', jsonBody(body))).blob();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}
