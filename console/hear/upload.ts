import type { Steps } from '../../src/hear/transcript/steps.ts';
import { ApiError, apiError, keyHeaders, request, unreachable } from '../shared/api.ts';
import { runInSlices } from '../shared/slices.ts';
import { EventReader, type ServerSentEvent } from '../shared/streams.ts';
import type { Transcript } from './transcript.ts';

/** The text of one segment, sent before the complete transcript. */
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
  /** Form fields, lists once for each entry; empty ones are left out. */
  fields: Record<string, string | readonly string[]>;
  signal: AbortSignal;
  /** @param sent bytes of `total` sent so far */
  onProgress: (sent: number, total: number) => void;
  /** Called when the service is at work on the recording. */
  onAccepted: () => void;
  onDelta: (delta: Delta) => void;
}

/**
 * Sends a recording and reads the streamed transcript.
 * @throws ApiError; an AbortError when `signal` aborts
 */
export async function transcribe(upload: Upload): Promise<Transcript> {
  // A file that has changed or gone would look like a broken connection.
  await upload.file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new ApiError(0, 'The browser can no longer read the file. Choose it again.');
    });
  // Check the key before sending a large file.
  await request('/v1/models', { signal: upload.signal });
  return send(upload);
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
function send({ task, file, fileName, fields, signal, onProgress, onAccepted, onDelta }: Upload): Promise<Transcript> {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) if (value !== '') form.append(name, value);
  }
  form.append('response_format', 'verbose_json');
  form.append('timestamp_granularities[]', 'word');
  form.append('stream', 'true');
  form.append('file', file, fileName);
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const reader = new EventReader();
    let seen = 0;
    let failure: ApiError | undefined;
    let transcript: Transcript | undefined;
    const handle = ({ data }: ServerSentEvent) => {
      const event = JSON.parse(data) as { type: string };
      if (event.type === 'transcript.text.delta') onDelta(event as unknown as Delta);
      else if (event.type === 'transcript.text.done') transcript = responseOf(event as unknown as Transcript);
      else if (event.type === 'error') failure = apiError(500, data);
    };
    function* handleSteps(events: readonly ServerSentEvent[]): Steps<void> {
      for (const event of events) {
        handle(event);
        yield;
      }
    }
    // The segments of hours may come at once.
    let handled = Promise.resolve();
    const read = () => {
      if (xhr.status !== 200) return;
      const chunk = xhr.responseText.slice(seen);
      seen += chunk.length;
      const events = reader.push(chunk);
      handled = handled.then(() => runInSlices(handleSteps(events), signal));
      handled.catch(() => {});
    };
    const abort = () => xhr.abort();
    xhr.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    xhr.addEventListener('progress', read);
    xhr.addEventListener('readystatechange', () => {
      if (xhr.readyState === XMLHttpRequest.HEADERS_RECEIVED && xhr.status === 200) onAccepted();
    });
    xhr.addEventListener('loadend', async () => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) return reject(signal.reason);
      read();
      await handled.catch(reject);
      if (transcript) resolve(transcript);
      else if (failure) reject(failure);
      else if (xhr.status >= 400) reject(apiError(xhr.status, xhr.responseText, xhr.getResponseHeader('retry-after')));
      else reject(unreachable());
    });
    xhr.open('POST', `/v1/audio/${task}`);
    for (const [name, value] of Object.entries(keyHeaders())) xhr.setRequestHeader(name, value);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return reject(signal.reason);
    xhr.send(form);
  });
}

/** The response in `verbose_json` that the last event of a stream stands for. Only an event counts its usage in tokens. */
export function responseOf(event: Transcript & { type?: string }): Transcript & { usage: unknown } {
  const { type: _, ...transcript } = event;
  return { ...transcript, usage: { type: 'duration', seconds: transcript.duration } };
}
