import { afterEach, expect, it, vi } from 'vitest';
import { bookFile } from './book/book-files.ts';
import { Speech } from './speech.ts';
import { speechFile } from './synthesis.ts';

afterEach(() => vi.unstubAllGlobals());

const settings = { voice: 'af_heart', speed: 1, volume: 1, format: 'mp3', stream: true };

/** A service whose responses break after some bytes. */
function breakResponses(): void {
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(': at work\n\n')),
      pull: (controller) => controller.error(new TypeError('network error')),
    });
  vi.stubGlobal('fetch', async () => new Response(body()));
}

it('a file that is cut off is an error of the service, so that the chapter of a book is tried again', async () => {
  breakResponses();
  const speech = new Speech({ ...settings, input: 'Hello.' });
  await expect(speechFile(speech, 'mp3')).rejects.toMatchObject({ name: 'ApiError', status: 0 });
  speech.downloadPath = '/v1/download/x.mp3';
  await expect(speechFile(speech, 'mp3')).rejects.toMatchObject({ name: 'ApiError', status: 0 });
});

it('a book that is cut off says so', async () => {
  breakResponses();
  const chapters = [{ id: '1', title: 'One', text: 'Hello.', isIncluded: true }];
  const book = { title: '', author: '', cover: undefined, chapters } as unknown as Parameters<typeof bookFile>[0];
  const progress = { signal: new AbortController().signal, tell: () => {} };
  await expect(bookFile(book, settings, progress)).rejects.toThrow('The book was cut off');
});
