import { type ApiError, apiError, keyHeaders, request, unreachable } from '../shared/api.ts';
import { EventReader, type ServerSentEvent } from '../shared/streams.ts';
import type { Transcript } from './transcript.ts';

/** What is said in one segment, before the whole is known. */
export interface Delta {
  delta: string;
  /** Seconds. */
  start: number;
  end: number;
}

export interface Upload {
  task: 'transcriptions' | 'translations';
  file: Blob;
  fileName: string;
  /** Fields of the form; those that are empty are left out. */
  fields: Record<string, string>;
  signal: AbortSignal;
  /** @param sent bytes of `total` that have left */
  onProgress: (sent: number, total: number) => void;
  onDelta: (delta: Delta) => void;
}

/**
 * Sends a recording and reads the transcript as it is made.
 * @throws ApiError; an AbortError when `signal` aborts
 */
export async function transcribe(upload: Upload): Promise<Transcript> {
  // Whether the key is right is better known before a large file has left.
  await request('/v1/models', { signal: upload.signal });
  return send(upload);
}

/** By XMLHttpRequest: fetch cannot tell how much of a body has left. */
function send({ task, file, fileName, fields, signal, onProgress, onDelta }: Upload): Promise<Transcript> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.append(name, value);
  form.append('response_format', 'verbose_json');
  form.append('timestamp_granularities[]', 'word');
  form.append('stream', 'true');
  form.append('file', file, fileName);
  return new Promise((resolve, reject) => {
    const exchange = new XMLHttpRequest();
    const reader = new EventReader();
    let seen = 0;
    let failure: ApiError | undefined;
    let transcript: Transcript | undefined;
    const take = ({ data }: ServerSentEvent) => {
      const event = JSON.parse(data) as { type: string };
      if (event.type === 'transcript.text.delta') onDelta(event as unknown as Delta);
      else if (event.type === 'transcript.text.done') transcript = withoutType(event as unknown as Transcript);
      else if (event.type === 'error') failure = apiError(500, data);
    };
    const read = () => {
      if (exchange.status !== 200) return;
      const piece = exchange.responseText.slice(seen);
      seen += piece.length;
      for (const event of reader.push(piece)) take(event);
    };
    const abort = () => exchange.abort();
    exchange.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    exchange.addEventListener('progress', read);
    exchange.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) return reject(signal.reason);
      read();
      if (transcript) resolve(transcript);
      else if (failure) reject(failure);
      else if (exchange.status >= 400) reject(apiError(exchange.status, exchange.responseText));
      else reject(unreachable());
    });
    exchange.open('POST', `/v1/audio/${task}`);
    for (const [name, value] of Object.entries(keyHeaders())) exchange.setRequestHeader(name, value);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return reject(signal.reason);
    exchange.send(form);
  });
}

/** What `verbose_json` would have been without the stream. */
function withoutType(event: Transcript & { type?: string }): Transcript {
  const { type: _, ...transcript } = event;
  return transcript;
}
