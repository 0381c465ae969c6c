import { readFile } from 'node:fs/promises';
import { MAX_TITLE_CHARACTERS, pictureType, tagText } from '../audio/book-tags.ts';
import type { Book, Passage, SpeechJob } from '../contracts/synthesis.ts';
import { fenceAfter } from '../text/code-fence.ts';
import { defaultNormalization } from '../text/normalization.ts';
import { UsageError } from './exit-codes.ts';
import type { Text } from './texts.ts';

/** An input text of a book, with the name of its file. */
type Part = Pick<Text, 'stem' | 'text'>;

export interface Chapter {
  title: string;
  /** With its heading, which is spoken. */
  text: string;
}

/** Options of the command line for a book. */
export interface BookOptions {
  title?: string | undefined;
  author?: string | undefined;
  cover?: Uint8Array | undefined;
}

/** Seconds of silence after a chapter. */
const PAUSE = 1.5;
/** Characters of a heading in which its title is searched for. */
const MAX_HEADING_CHARACTERS = 2 * MAX_TITLE_CHARACTERS;
/** A heading of the first or second level, with its text. */
const HEADING = /^ {0,3}##?(?:[ \t]+(.*))?$/;
const LINK = /!?\[([^\][]*)\](?:\([^()]*\))?/g;
/** Emphasis and code, and the end of a heading. */
const MARKS = /[*`]+|(?<!\w)_+|_+(?!\w)|\s+#+\s*$/g;

/**
 * The chapters of a text: one for each heading `#` or `##`, and one for text before the first; without headings, a
 * single one. A heading without text is spoken with the next chapter.
 */
export function chaptersOf({ stem, text }: Part): Chapter[] {
  const chapters: Chapter[] = [];
  let title = stem;
  let lines: string[] = [];
  let hasText = false;
  let fence: string | undefined;
  const end = () => {
    if (hasText) chapters.push({ title, text: lines.join('\n') });
    if (hasText) lines = [];
    hasText = false;
  };
  for (const line of text.split(/\r\n?|\n/)) {
    fence = fenceAfter(line, fence);
    const heading = fence === undefined ? HEADING.exec(line) : null;
    if (heading) {
      end();
      title = titleOf(heading[1] ?? '') || stem;
    } else if (line.trim() !== '') hasText = true;
    lines.push(line);
  }
  const rest = lines.some((line) => line.trim() !== '');
  if (rest) chapters.push({ title, text: lines.join('\n') });
  return chapters;
}

function titleOf(heading: string): string {
  const plain = tagText(heading.slice(0, MAX_HEADING_CHARACTERS).replace(LINK, '$1').replace(MARKS, ''));
  return [...plain].slice(0, MAX_TITLE_CHARACTERS).join('');
}

/** The job of a book: its passages and its tags. @param way voice, language and speed of its chapters */
export function bookJob(
  texts: readonly Part[],
  { title, author, cover }: BookOptions,
  way: Pick<SpeechJob, 'voice' | 'language' | 'speed' | 'volume'>,
): Pick<SpeechJob, 'input' | 'book'> {
  const chapters = texts.flatMap(chaptersOf);
  const passages = chapters.map(({ text }, chapter): Passage => ({ ...way, text, chapter, pauseAfter: PAUSE }));
  const book: Book = {
    title: tagText(title ?? '') || texts[0]!.stem,
    ...(author !== undefined && { author: tagText(author) }),
    ...(cover && { cover }),
    chapters: chapters.map(({ title }) => title),
  };
  return { input: { passages, normalization: defaultNormalization, param: 'chapters' }, book };
}

/** @throws UsageError if the file does not exist or is not a picture */
export async function readCover(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`There is no file ${path}`);
  });
  if (pictureType(bytes) === undefined) throw new UsageError(`--cover must be a JPEG or a PNG, and ${path} is not`);
  return bytes;
}
