import { UnreadableFile, type ZipArchive } from '../../shared/unzip.ts';
import { decodeXml, parseMarkup } from './markup.ts';

/** What the package document of an epub tells: https://www.w3.org/TR/epub-33/#sec-package-doc */
export interface EpubPackage {
  title: string;
  author: string;
  /** Paths of the pages in reading order. */
  pages: readonly string[];
  /** Path of the table of contents, and whether it is an NCX of EPUB 2. */
  contents?: { path: string; isNcx: boolean };
  coverPath?: string;
}

/** Ways to obfuscate fonts: no protection of the text. */
const FONT_ALGORITHMS = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'];

/** @throws UnreadableFile if the archive is not an epub or is protected */
export async function readPackage(archive: ZipArchive): Promise<EpubPackage> {
  await refuseProtected(archive);
  const container = await readXml(archive, 'META-INF/container.xml');
  if (!container || all(container, 'rootfile').length === 0)
    throw new UnreadableFile('The file is not an epub: it has no container.');
  const path = all(container, 'rootfile')[0]?.getAttribute('full-path') ?? '';
  const root = await readXml(archive, path);
  if (!root || all(root, 'package').length === 0)
    throw new UnreadableFile('The epub has no readable package document.');
  const items = new Map(all(root, 'item').map((item) => [item.getAttribute('id') ?? '', item]));
  const pathOf = (item: Element | undefined) => (item ? resolvePath(path, item.getAttribute('href') ?? '') : undefined);
  const spine = all(root, 'spine')[0];
  const pages = all(root, 'itemref')
    .map((reference) => pathOf(items.get(reference.getAttribute('idref') ?? '')))
    .filter((page) => page !== undefined);
  if (pages.length === 0) throw new UnreadableFile('The epub has no pages.');
  const ofKind = (property: string) =>
    [...items.values()].find((item) => item.getAttribute('properties')?.split(/\s+/).includes(property));
  const nav = pathOf(ofKind('nav'));
  const ncx = pathOf(items.get(spine?.getAttribute('toc') ?? '') ?? [...items.values()].find(isNcx));
  const contents =
    nav !== undefined ? { path: nav, isNcx: false } : ncx !== undefined ? { path: ncx, isNcx: true } : undefined;
  const coverId = all(root, 'meta')
    .find((meta) => meta.getAttribute('name') === 'cover')
    ?.getAttribute('content');
  const coverPath = pathOf(ofKind('cover-image') ?? items.get(coverId ?? ''));
  return {
    title: textOf(all(root, 'title')[0]),
    author: all(root, 'creator').map(textOf).filter(Boolean).slice(0, 5).join(', '),
    pages,
    ...(contents && { contents }),
    ...(coverPath !== undefined && { coverPath }),
  };
}

async function refuseProtected(archive: ZipArchive): Promise<void> {
  const isLocked = async () => {
    if (archive.has('META-INF/rights.xml') || archive.has('META-INF/license.lcpl')) return true;
    const encryption = await readXml(archive, 'META-INF/encryption.xml');
    const methods = encryption ? all(encryption, 'encryptionmethod') : [];
    return methods.some((method) => !FONT_ALGORITHMS.includes(method.getAttribute('Algorithm') ?? ''));
  };
  if (await isLocked())
    throw new UnreadableFile('The book is protected against copying (DRM) and cannot be read. A book without DRM can.');
}

export async function readXml(archive: ZipArchive, path: string): Promise<Document | undefined> {
  const bytes = await archive.read(path);
  return bytes && parseMarkup(decodeXml(bytes));
}

const isNcx = (item: Element) => item.getAttribute('media-type') === 'application/x-dtbncx+xml';

/** Elements by their name, with any prefix. */
export function all(within: Document | Element, name: string): Element[] {
  return [...within.querySelectorAll('*')].filter((node) => nameOf(node) === name);
}

/** The name of an element in lower case, without its prefix. */
export function nameOf(node: Element): string {
  return node.localName.toLowerCase().replace(/^.*:/, '');
}

export function textOf(node: Element | undefined): string {
  return (node?.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 300);
}

/** The path of a reference in a file, without its fragment. */
export function resolvePath(from: string, reference: string): string {
  const [raw = ''] = reference.split('#');
  let path = raw;
  try {
    path = decodeURIComponent(raw);
  } catch {
    // A literal percent sign.
  }
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
