import { OUTPUT_RATE } from './formats.ts';
import { box, fullBox, uint16, uint32, uint64 } from './mp4-boxes.ts';
import { handlerBox } from './mp4-movie.ts';

/** Tags of an audiobook; texts without control characters. */
export interface BookTags {
  title?: string;
  author?: string;
  /** A complete JPEG or PNG file. */
  cover?: Uint8Array;
}

/** A chapter of an audiobook. */
export interface Chapter {
  title: string;
  /** Its first sample, at `OUTPUT_RATE`. */
  start: number;
}

/** Of the title of a book or a chapter. */
export const MAX_TITLE_CHARACTERS = 500;

/** Maximum number of chapters in the format. */
const MAX_LISTED_CHAPTERS = 255;
const MAX_LISTED_BYTES = 255;
const MAX_TEXT_BYTES = 0xffff;
/** Nero's times are in units of 100 ns. */
const NERO_RATE = 10_000_000;

/** Types of values in Apple's metadata. */
const UTF8 = 1;
const JPEG = 13;
const PNG = 14;
const INTEGER = 21;
/** The value of `stik` for an audiobook. */
const AUDIOBOOK = 2;

/** A text in one line, without lone surrogates, as a tag or a title may have it; empty if nothing is left. */
export function tagText(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** The media type of a picture by its first bytes; undefined if it is neither JPEG nor PNG. */
export function pictureType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return head === '\x89PNG\r\n\x1a\n' ? 'image/png' : undefined;
}

/** The tags of an audiobook as iTunes writes them (`meta` in `udta`). */
export function metadata({ title, author, cover }: BookTags): Buffer {
  const texts: [string, string | undefined][] = [
    ['\xa9nam', title],
    ['\xa9alb', title],
    ['\xa9ART', author],
    ['aART', author],
    ['\xa9gen', 'Audiobook'],
    ['\xa9too', 'hearsay'],
  ];
  const items = texts.flatMap(([name, text]) => (text === undefined ? [] : [item(name, UTF8, Buffer.from(text))]));
  items.push(item('stik', INTEGER, Buffer.from([AUDIOBOOK])));
  if (cover) items.push(item('covr', pictureType(cover) === 'image/png' ? PNG : JPEG, cover));
  return fullBox('meta', 0, 0, handlerBox('mdir', 'appl'), box('ilst', ...items));
}

function item(name: string, type: number, value: Uint8Array): Buffer {
  return box(name, box('data', uint32(type, 0), value));
}

/** Nero's list of chapters (`chpl` in `udta`), for players that do not know QuickTime's; of the first 255. */
export function chapterList(chapters: readonly Chapter[]): Buffer {
  const listed = chapters.slice(0, MAX_LISTED_CHAPTERS);
  const entries = listed.flatMap(({ title, start }) => {
    const text = textWithin(title, MAX_LISTED_BYTES);
    return [uint64(Math.round((start * NERO_RATE) / OUTPUT_RATE)), Buffer.from([text.length]), text];
  });
  return fullBox('chpl', 1, 0, uint32(0), Buffer.from([listed.length]), ...entries);
}

/** A chapter as a text sample of QuickTime. */
export function chapterText(title: string): Buffer {
  const text = textWithin(title, MAX_TEXT_BYTES);
  const encodedAsUtf8 = box('encd', uint32(0x100));
  return Buffer.concat([uint16(text.length), text, encodedAsUtf8]);
}

/** The text in UTF-8, as many whole characters as fit. */
function textWithin(text: string, bytes: number): Buffer {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return whole;
  let end = bytes;
  while ((whole[end]! & 0xc0) === 0x80) end--;
  return whole.subarray(0, end);
}
