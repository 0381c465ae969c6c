/** Encodings by their first bytes. */
const marks: readonly [bytes: readonly number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0x00], 'utf-16le'],
  [[0x00, 0x3c], 'utf-16be'],
];

/** The text of an XML file, by its byte order mark or its declaration, else in UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  const marked = marks.find(([first]) => first.every((byte, index) => bytes[index] === byte))?.[1];
  const declaration = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1];
  try {
    return new TextDecoder(marked ?? declared ?? 'utf-8').decode(bytes);
  } catch {
    // An encoding that browsers do not know.
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Parses XML or XHTML as HTML, which always parses and has no entity declarations. Markup reaches no sink: scripts of the
 * document do not run, and nothing of it is loaded.
 */
export function parseMarkup(text: string): Promise<Document | undefined> {
  const url = URL.createObjectURL(new Blob([asHtml(text)], { type: 'text/html;charset=utf-8' }));
  return new Promise<Document | undefined>((resolve) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.onload = () => resolve(request.responseXML ?? undefined);
    request.onerror = () => resolve(undefined);
    request.open('GET', url);
    request.send();
  }).finally(() => URL.revokeObjectURL(url));
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/** XML in the syntax of HTML. Takes linear time, whatever the text. */
export function asHtml(xml: string): string {
  return (
    withoutSections(xml)
      .replace(/^[\s\uFEFF]*(?:<\?xml[^>]*\?>)?\s*<!DOCTYPE[^>[]*(?:\[[\s\S]*?\]\s*)?>/i, '')
      .replace(/<([a-z][\w:.-]*)(\s[^<>]*)?\/>/gi, (tag, name: string, rest = '') =>
        VOID.test(name) ? tag : `<${name}${rest}></${name}>`,
      )
      // Browsers report styles, which the policy of the page forbids even here.
      .replace(/<(\/?)style\b/gi, '<$1script')
      .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi, ''))
  );
}

/** Writes CDATA as escaped text: HTML has no CDATA. */
function withoutSections(xml: string): string {
  const [first = '', ...parts] = xml.split('<![CDATA[');
  return (
    first +
    parts
      .map((part) => {
        const end = part.indexOf(']]>');
        if (end < 0) return part;
        return part.slice(0, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;') + part.slice(end + 3);
      })
      .join('')
  );
}
