/** What a page says, in paragraphs. */
export interface Passage {
  text: string;
  isHeading: boolean;
  /** Ids of the elements that begin in it or directly before it. */
  ids: readonly string[];
}

const blocks = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
const silent = new Set(
  'audio canvas head img iframe math noscript object rp rt script style svg template video'.split(' '),
);

/** The paragraphs of a page, without what is not read aloud: scripts, pictures, marks of notes, numbers of pages. */
export function passagesOf(page: Document): Passage[] {
  const passages: Passage[] = [];
  let text = '';
  let ids: string[] = [];
  let isHeading = false;
  const close = () => {
    const said = text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .join('\n')
      .trim();
    text = '';
    if (said === '') return;
    passages.push({ text: said, isHeading, ids });
    ids = [];
  };
  const root = page.body;
  // Not recursive: a page may be nested without end.
  let node: Node | null = root;
  while (node) {
    const tag = nameOf(node);
    const isLeftOut: boolean = tag !== undefined && isSilent(node as Element, tag);
    if (tag === undefined) {
      // A line of the source is no line of the text.
      if (node.nodeType === Node.TEXT_NODE) text += (node.nodeValue ?? '').replace(/\s+/g, ' ');
    } else {
      if (blocks.has(tag)) {
        close();
        isHeading = /^h[1-6]$/.test(tag);
      }
      if (tag === 'br') text += '\n';
      if (tag === 'td' || tag === 'th') text += ' ';
      const { id } = node as Element;
      if (id !== '') ids.push(id);
    }
    let next: Node | null = isLeftOut ? null : node.firstChild;
    while (!next && node && node !== root) {
      if (blocks.has(nameOf(node) ?? '')) {
        close();
        isHeading = false;
      }
      next = node.nextSibling;
      if (!next) node = node.parentNode;
    }
    node = next;
  }
  close();
  return passages;
}

function nameOf(node: Node): string | undefined {
  return node.nodeType === Node.ELEMENT_NODE ? (node as Element).localName.toLowerCase() : undefined;
}

function isSilent(node: Element, tag: string): boolean {
  if (silent.has(tag) || node.hasAttribute('hidden') || node.getAttribute('aria-hidden') === 'true') return true;
  const kinds = `${node.getAttribute('epub:type') ?? ''} ${node.getAttribute('role') ?? ''}`;
  return /\b(?:noteref|doc-noteref|pagebreak|doc-pagebreak)\b/.test(kinds);
}
