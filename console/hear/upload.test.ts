import { expect, it, vi } from 'vitest';
import { renderTranscript, type Transcript } from '../../src/hear/transcript/response.ts';
import { isUnreachable } from '../shared/retry.ts';
import { responseOf, transcribe } from './upload.ts';

it('distinguishes a file that can no longer be read from a service that does not respond', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('No connection.')));
  const file = new Blob(['RIFF']);
  vi.spyOn(file, 'slice').mockReturnValue({
    arrayBuffer: () => Promise.reject(new DOMException('It has changed.', 'NotReadableError')),
  } as Blob);
  const error: unknown = await transcribe({
    task: 'transcriptions',
    file,
    fileName: 'a.wav',
    fields: {},
    signal: new AbortController().signal,
    onProgress() {},
    onAccepted() {},
    onDelta() {},
  }).catch((error) => error);
  expect(error).toHaveProperty('message', expect.stringContaining('can no longer read the file'));
  expect(isUnreachable(error)).toBe(false);
});

it('makes the last event of a stream the response that a request without a stream gets', async () => {
  const transcript: Transcript = {
    task: 'transcribe',
    language: 'en',
    languages: ['en'],
    duration: 3,
    segments: [],
  };
  const render = async (isEvent: boolean) => {
    const options = { words: true, isExtended: true, isEvent };
    const { body } = await renderTranscript(transcript, 'verbose_json', options);
    return JSON.parse(body);
  };
  expect(responseOf({ type: 'transcript.text.done', ...(await render(true)) })).toEqual(await render(false));
});
