import { ApiError, jsonBody, request } from '../../shared/api.ts';
import { byteSize } from '../../shared/format.ts';
import { EventReader } from '../../shared/streams.ts';
import { zipFiles } from '../../shared/zip.ts';
import type { SpeechRequest } from '../speech.ts';
import { speechFile } from '../synthesis.ts';
import { type Book, type Chapter, isSpoken } from './book.ts';
import { dataUrl } from './book-head.ts';

/** Bytes of a download that are handed to the browser at a time: it may keep them on disk. */
const PART_BYTES = 8_000_000;

/** UTF-16 units of a title that the service takes. */
const MAX_TITLE = 500;

/** How a file that is being made is followed and stopped. */
export interface Progress {
  signal: AbortSignal;
  tell: (text: string) => void;
}

/** The spoken chapters as an archive of files in one format. */
export async function chaptersArchive(
  book: Book,
  chapters: readonly Chapter[],
  format: string,
  { signal, tell }: Progress,
): Promise<Blob> {
  const digits = String(chapters.length).length;
  const files: { name: string; content: Blob }[] = [];
  for (const [index, chapter] of chapters.entries()) {
    signal.throwIfAborted();
    tell(`Chapter ${index + 1} of ${chapters.length} as ${format}…`);
    const speech = await book.speech(chapter);
    if (!speech) continue;
    const name = `${String(index + 1).padStart(digits, '0')} ${fileName(chapter.title)}.${format}`;
    files.push({ name, content: await speechFile(speech, format, signal) });
  }
  return zipFiles(files);
}

/**
 * The whole book as one file with chapters. The service speaks it again.
 * @throws ApiError; an AbortError when `signal` aborts
 */
export async function bookFile(
  book: Book,
  settings: Omit<SpeechRequest, 'input'>,
  { signal, tell }: Progress,
): Promise<Blob> {
  const { voice, speed, volume, lexicon, language } = settings;
  const { cover } = book;
  const chapters = book.chapters.filter(({ isIncluded, text }) => isIncluded && text.trim() !== '');
  const body = {
    ...(book.title.trim() !== '' && { title: book.title.slice(0, MAX_TITLE) }),
    ...(book.author.trim() !== '' && { author: book.author.slice(0, MAX_TITLE) }),
    ...(cover && { cover: await dataUrl(cover) }),
    voice,
    ...(speed !== 1 && { speed }),
    ...(volume !== 1 && { volume_multiplier: volume }),
    ...(lexicon && { lexicon }),
    chapters: chapters.map((chapter) => ({
      title: chapter.title.trim().slice(0, MAX_TITLE) || 'Untitled',
      input: chapter.text,
      // As it was heard.
      ...(isSpoken(chapter) && { voice: chapter.spoken!.voice, speed: chapter.spoken!.speed }),
      ...(language !== undefined && { lang_code: language }),
    })),
    response_format: 'm4b',
    // Events tell which chapter is being spoken.
    stream_format: 'sse',
  };
  tell('Requesting the book…');
  const response = await request('/v1/audio/book', { ...jsonBody(body), signal });
  return received(response, signal, (chapter, bytes) =>
    tell(`Speaking chapter ${chapter + 1} of ${chapters.length} into the file, ${byteSize(bytes)} so far…`),
  );
}

interface BookEvent {
  type?: string;
  /** Base64. */
  audio?: string;
  /** Index of the chapter that begins. */
  chapter?: number;
  error?: { message: string };
}

/**
 * The file in the events of a response; it may be larger than memory.
 * @throws ApiError if it is cut off; an AbortError when `signal` aborts
 */
async function received(
  response: Response,
  signal: AbortSignal,
  onProgress: (chapter: number, bytes: number) => void,
): Promise<Blob> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventReader();
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let [total, pending, chapter] = [0, 0, 0];
  let isDone = false;
  const store = () => {
    blobs.push(new Blob(chunks));
    chunks = [];
    pending = 0;
  };
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw signal.aborted ? error : cutOff();
    });
    if (done) break;
    for (const { data } of events.push(value)) {
      const event = JSON.parse(data) as BookEvent;
      if (event.error) throw new ApiError(0, event.error.message);
      if (event.type === 'speech.audio.done') isDone = true;
      if (event.chapter !== undefined) chapter = event.chapter;
      if (event.audio === undefined) continue;
      const bytes = Uint8Array.from(atob(event.audio), (character) => character.charCodeAt(0));
      chunks.push(bytes);
      total += bytes.length;
      pending += bytes.length;
      if (pending >= PART_BYTES) store();
    }
    onProgress(chapter, total);
  }
  if (!isDone) throw cutOff();
  store();
  return new Blob(blobs, { type: 'audio/mp4' });
}

const cutOff = () => new ApiError(0, 'The book was cut off: the service did not finish it.');

/** A title as the name of a file on any system. */
export function fileName(title: string): string {
  const name = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no system allows them in names
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '');
  return [...name].slice(0, 80).join('').trim() || 'untitled';
}
