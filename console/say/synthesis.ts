import { ApiError, connected, jsonBody, request, unreachable } from '../shared/api.ts';
import { delay, retryDelay, waitingText } from '../shared/retry.ts';
import { LineReader } from '../shared/streams.ts';
import { PcmReader } from './pcm.ts';
import type { Mark, Speech } from './speech.ts';
import { speechBody } from './speech-body.ts';
import type { TimedWord } from './spoken-words.ts';

interface CaptionedLine {
  audio: string;
  timestamps: TimedWord[];
  marks?: Mark[];
}

export interface SynthesisOptions {
  signal: AbortSignal;
  /** Called after adding each chunk of speech. */
  onChunk: () => void;
  /** Resolves when more speech may come: the service stops while nothing reads. */
  waitForRoom: () => Promise<void>;
  /** Called while the service is not ready or has no room. */
  onWaiting: (reason: string) => void;
}

/**
 * Requests a speech and fills it as it streams. Waits while the service is not ready or has no room.
 * @throws ApiError; an AbortError when `signal` aborts
 */
export async function synthesize(speech: Speech, options: SynthesisOptions): Promise<void> {
  const { signal, onChunk, waitForRoom, onWaiting } = options;
  const response = await start(speech, signal, onWaiting);
  speech.downloadPath = response.headers.get('x-download-path') ?? undefined;
  speech.skippedLetters = Number(response.headers.get('x-skipped-text') ?? 0);
  const pcm = new PcmReader();
  const lines = new LineReader();
  const handle = (line: string) => {
    if (line === '') return;
    const { audio, timestamps, marks = [] } = JSON.parse(line) as CaptionedLine;
    speech.append(pcm.push(audio), timestamps);
    speech.marks.push(...marks);
    onChunk();
  };
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    await waitForRoom();
    const { done, value } = await reader.read().catch((error) => {
      if (signal.aborted) throw error;
      throw speech.duration === 0
        ? unreachable()
        : new ApiError(0, 'The speech was cut off: the service did not finish it.');
    });
    if (done) break;
    for (const line of lines.push(decoder.decode(value, { stream: true }))) handle(line);
  }
  handle(lines.rest());
  speech.complete = true;
}

async function start(
  { request: fields }: Speech,
  signal: AbortSignal,
  onWaiting: SynthesisOptions['onWaiting'],
): Promise<Response> {
  const { format } = fields;
  const { kind, content } = speechBody(fields);
  const body = {
    ...content,
    response_format: 'pcm',
    stream: fields.stream,
    // Play PCM, which needs no decoder; the service also makes the requested file.
    ...(!isFromSamples(format) && { return_download_link: true, download_format: format }),
  };
  for (;;) {
    try {
      return await request(`/dev/captioned_${kind}`, { ...jsonBody(body), signal });
    } catch (error) {
      const wait = retryDelay(error);
      if (wait === undefined) throw error;
      onWaiting(waitingText(error));
      await delay(wait, signal);
    }
  }
}

/** Whether the file can be made from the received samples. */
export function isFromSamples(format: string): format is 'wav' | 'pcm' {
  return format === 'wav' || format === 'pcm';
}

/**
 * The speech as a file of any format: from its samples, its download link, or a new request.
 * @throws ApiError; an AbortError when `signal` aborts
 */
export async function speechFile(speech: Speech, format: string, signal?: AbortSignal): Promise<Blob> {
  if (isFromSamples(format)) return speech.file(format);
  const { request: fields, downloadPath, madeFile } = speech;
  if (format === fields.format && madeFile) return madeFile;
  const init = signal ? { signal } : {};
  if (format === fields.format && downloadPath !== undefined) {
    try {
      return await connected((await request(downloadPath, init)).blob(), signal);
    } catch (error) {
      // The service deletes download files after about an hour.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
  }
  const { kind, content } = speechBody(fields);
  const body = jsonBody({ ...content, response_format: format, stream: false });
  return connected((await request(`/v1/audio/${kind}`, { ...body, ...init })).blob(), signal);
}
