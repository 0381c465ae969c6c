import { fenceAfter } from '../../../src/text/code-fence.ts';
import type { OpenedBook, OpenedChapter } from './opened-book.ts';

interface Heading {
  /** Offset of its line. */
  at: number;
  level: number;
  title: string;
}

/** A heading on its own line in a plain text, as in Project Gutenberg's books. */
const PLAIN_HEADING =
  /^(?:chapter|part|book|letter|kapitel|teil|chapitre|partie|capítulo|parte|capitolo)\s+(?:\d{1,4}|[ivxlc]{1,8}|[a-zé]{3,12})\b.{0,80}$/i;

/** The book in a Markdown or plain text; undefined if it has no headings. */
export function bookOfText(text: string, name: string, isMarkdown: boolean): OpenedBook | undefined {
  const { title, author, body } = isMarkdown ? readFrontMatter(text) : { title: '', author: '', body: text };
  const headings = isMarkdown ? markdownHeadings(body) : plainHeadings(body);
  const [first] = headings;
  if (!first) return undefined;
  const top = Math.min(...headings.map(({ level }) => level));
  const highest = headings.filter(({ level }) => level === top);
  const lower = headings.filter(({ level }) => level === top + 1);
  // A single heading above others is the title of the book.
  const isTitled = highest.length === 1 && highest[0] === first && lower.length > 0;
  const starts = isTitled ? lower : highest;
  const chapters = cut(body, starts, isTitled ? first.title : name);
  if (chapters.length < 2) return undefined;
  return { title: title || (isTitled ? first.title : name), author, chapters };
}

/** The parts of a text from each heading to the next; what comes before has the given title. */
function cut(text: string, starts: readonly Heading[], opening: string): OpenedChapter[] {
  const before = { title: opening, text: text.slice(0, starts[0]?.at).trim() };
  const parts = starts.map(({ at, title }, index) => ({ title, text: text.slice(at, starts[index + 1]?.at).trim() }));
  return [before, ...parts].filter((part) => part.text !== '');
}

function markdownHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const { line, at } of linesOf(text)) {
    fence = fenceAfter(line, fence);
    if (fence !== undefined) continue;
    const match = /^ {0,3}(#{1,3})\s+(.*)$/.exec(line.trimEnd());
    const title = match?.[2]?.replace(/(?<!\S)#+$|[*_`]/g, '').trim() ?? '';
    if (match && title !== '') headings.push({ at, level: match[1]!.length, title });
  }
  return headings;
}

function plainHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let isAfterBlank = true;
  for (const { line, at } of linesOf(text)) {
    const title = line.trim();
    if (isAfterBlank && PLAIN_HEADING.test(title)) headings.push({ at, level: 1, title });
    isAfterBlank = title === '';
  }
  return headings;
}

function* linesOf(text: string): Generator<{ line: string; at: number }> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    yield { line: text.slice(at, end < 0 ? next : end).replace(/\r$/, ''), at };
    at = next;
  }
}

/** Title and author in the lines between `---` at the start of a Markdown file. */
function readFrontMatter(text: string): { title: string; author: string; body: string } {
  const match = /^\uFEFF?---\r?\n([\s\S]{0,5000}?)\r?\n---\r?\n/.exec(text);
  const field = (name: string) => {
    const value = new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(match?.[1] ?? '')?.[1] ?? '';
    return value.trim().replace(/^(["'])(.*)\1$/, '$2');
  };
  return { title: field('title'), author: field('author'), body: text.slice(match?.[0].length ?? 0) };
}
