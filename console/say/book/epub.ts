import { nextTask } from '../../shared/slices.ts';
import { UnreadableFile, ZipArchive } from '../../shared/unzip.ts';
import { all, type EpubPackage, nameOf, readPackage, readXml, resolvePath, textOf } from './epub-package.ts';
import { decodeXml, parseMarkup } from './markup.ts';
import type { OpenedBook, OpenedChapter } from './opened-book.ts';
import { type Passage, passagesOf } from './page-text.ts';

const MAX_COVER_BYTES = 8_000_000;
const MAX_PAGES = 5000;
const MAX_TITLE = 200;

/** Where a chapter of the table of contents begins. */
interface Start {
  title: string;
  path: string;
  /** Id of an element of the page; empty for its top. */
  id: string;
}

/**
 * The text of an epub, by its table of contents. No markup of it reaches the page.
 * @throws UnreadableFile with what is wrong
 */
export async function readEpub(file: Blob): Promise<OpenedBook> {
  const archive = await ZipArchive.open(file);
  const facts = await readPackage(archive);
  const chapters = joined(await readPages(archive, facts, await readContents(archive, facts)));
  if (chapters.length === 0) throw new UnreadableFile('The epub has no text: its pages may be pictures.');
  const cover = await readCover(archive, facts.coverPath);
  return { title: facts.title, author: facts.author, ...(cover && { cover }), chapters };
}

/** Chapters and what belongs to the one before, which has no title. */
type Piece = { title: string | undefined; passages: Passage[] };

async function readPages(archive: ZipArchive, { pages }: EpubPackage, starts: readonly Start[]): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const path of [...new Set(pages)].slice(0, MAX_PAGES)) {
    const bytes = await archive.read(path);
    if (!bytes) continue;
    const page = await parseMarkup(decodeXml(bytes));
    if (page)
      pieces.push(
        ...cut(
          passagesOf(page),
          starts.filter((start) => start.path === path),
          starts.length > 0,
        ),
      );
    await nextTask();
  }
  return pieces;
}

/** The pieces of a page. A page that the table of contents does not name continues with the chapter before. */
function cut(passages: readonly Passage[], starts: readonly Start[], hasContents: boolean): Piece[] {
  const top = starts.find(({ id }) => id === '' || !passages.some(({ ids }) => ids.includes(id)));
  const heading = passages.find(({ isHeading }) => isHeading)?.text;
  const title = top?.title ?? (hasContents ? undefined : (heading ?? ''));
  const pieces: Piece[] = [{ title, passages: [] }];
  for (const passage of passages) {
    const start = starts.find(({ id }) => id !== '' && passage.ids.includes(id));
    if (start && start !== top) pieces.push({ title: start.title, passages: [] });
    pieces.at(-1)!.passages.push(passage);
  }
  return pieces;
}

function joined(pieces: readonly Piece[]): OpenedChapter[] {
  const chapters: OpenedChapter[] = [];
  for (const { title, passages } of pieces) {
    const text = passages.map((passage) => passage.text).join('\n\n');
    if (text === '') continue;
    const last = chapters.at(-1);
    if (title === undefined && last) last.text += `\n\n${text}`;
    else chapters.push({ title: (title || passages[0]!.text).replace(/\s+/g, ' ').slice(0, MAX_TITLE), text });
  }
  return chapters;
}

/** The first two levels of the table of contents; deeper ones are sections of a chapter. */
async function readContents(archive: ZipArchive, { contents }: EpubPackage): Promise<Start[]> {
  if (!contents) return [];
  const { path, isNcx } = contents;
  const document = await readXml(archive, path).catch(() => undefined);
  if (!document) return [];
  const start = (title: Element | undefined, reference: string) => {
    const id = decode(reference.split('#')[1] ?? '');
    return { title: textOf(title), path: resolvePath(path, reference), id };
  };
  const found = isNcx
    ? all(document, 'navpoint')
        .filter((point) => depthOf(point, 'navpoint') <= 2)
        .map((point) => start(all(point, 'text')[0], all(point, 'content')[0]?.getAttribute('src') ?? ''))
    : links(document)
        .filter((link) => depthOf(link, 'li') <= 2)
        .map((link) => start(link, link.getAttribute('href') ?? ''));
  return found.filter(({ title }) => title !== '');
}

function links(document: Document): Element[] {
  const navs = all(document, 'nav');
  const isContents = (nav: Element) => /\btoc\b/.test(nav.getAttribute('epub:type') ?? '');
  const nav = navs.find(isContents) ?? navs[0];
  return nav ? all(nav, 'a') : [];
}

function depthOf(node: Element, name: string): number {
  let depth = 0;
  for (let at: Element | null = node; at && depth < 9; at = at.parentElement) if (nameOf(at) === name) depth++;
  return depth;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readCover(archive: ZipArchive, path: string | undefined): Promise<Blob | undefined> {
  // A book can be read without its cover.
  const bytes = path === undefined ? undefined : await archive.read(path).catch(() => undefined);
  const type = bytes && bytes.length <= MAX_COVER_BYTES && pictureType(bytes);
  return type ? new Blob([bytes], { type }) : undefined;
}

/** Type of a picture by its first bytes; undefined unless it is JPEG or PNG. */
export function pictureType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | undefined {
  const begins = (...first: number[]) => first.every((byte, index) => bytes[index] === byte);
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg';
  return begins(0x89, 0x50, 0x4e, 0x47) ? 'image/png' : undefined;
}
