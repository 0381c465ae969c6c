import { UnreadableFile } from '../../shared/unzip.ts';
import { readEpub } from './epub.ts';
import type { OpenedBook } from './opened-book.ts';
import { bookOfText } from './text-chapters.ts';

/** What a file holds. */
export type Opened = { text: string } | { book: OpenedBook };

const MAX_TEXT_BYTES = 20_000_000;
const MAX_BOOK_BYTES = 500_000_000;

/**
 * Reads a text, a Markdown file or an epub.
 * @throws UnreadableFile with what is wrong
 */
export async function openFile(file: File): Promise<Opened> {
  const name = file.name.replace(/\.[^.]*$/, '');
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b) {
    if (file.size > MAX_BOOK_BYTES) throw new UnreadableFile('The file is too large.');
    const book = await readEpub(file);
    return { book: { ...book, title: book.title || name } };
  }
  if (/\.epub$/i.test(file.name)) throw new UnreadableFile('The file is damaged or incomplete.');
  if (file.size > MAX_TEXT_BYTES) throw new UnreadableFile('The file is too large for a text.');
  const text = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (text.trim() === '') throw new UnreadableFile('The file is empty.');
  const book = bookOfText(text, name, /\.(?:md|markdown)$/i.test(file.name));
  return book ? { book } : { text };
}

/** @throws UnreadableFile if it is no text */
function decodeText(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Old Windows texts.
    text = new TextDecoder('windows-1252').decode(bytes);
  }
  if (text.includes('\0')) throw new UnreadableFile('The file is not a text, Markdown or epub file.');
  return text.replaceAll('\r\n', '\n');
}
