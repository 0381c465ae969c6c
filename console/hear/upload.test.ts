import { expect, it, vi } from 'vitest';
import { isUnreachable } from '../shared/retry.ts';
import { transcribe } from './upload.ts';

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
