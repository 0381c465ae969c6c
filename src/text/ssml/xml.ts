import { setImmediate } from 'node:timers/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { HearsayError } from '../../errors.ts';

/** Elements inside each other. */
export const MAX_DEPTH = 64;
/** Attributes of one element, and characters of one value. */
export const MAX_ATTRIBUTES = 20;
const MAX_ATTRIBUTE = 1000;
/** Characters parsed before others get a turn: two milliseconds where every character is markup. */
const SLICE = 4096;
const MAX_MESSAGE = 150;

/** The namespace of SSML; https://www.w3.org/TR/speech-synthesis11/ */
const SSML = 'http://www.w3.org/2001/10/synthesis';
const BARE_AMPERSAND = /&(?!#?\w{1,40};)/;
const UNBOUND = 'unbound:';

/** A position; line and column count from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface XmlElement {
  /** Without a prefix; undefined for an element of another vocabulary than SSML. */
  name: string | undefined;
  /** Attributes without a prefix, and `xml:lang`. */
  attributes: ReadonlyMap<string, string>;
  /** Where its name ends. */
  position: Position;
}

export interface XmlHandler {
  open(element: XmlElement): void;
  close(): void;
  text(text: string): void;
}

/** An error in a document. */
export function invalidSsml(reason: string, { line, column }: Position): HearsayError {
  const message = `The SSML is invalid at line ${line}, column ${column}: ${reason}`;
  return new HearsayError('invalid_request', message, { param: 'input' });
}

/**
 * Parses a document with the SSML vocabulary, in time linear in its length, a slice at a time. There are no entities but the
 * five of XML, and no DTD may declare any.
 *
 * @throws HearsayError `invalid_request` with line and column if the document is not well-formed, has a DTD or exceeds a
 * limit, or what the handler throws
 */
export async function parseXml(document: string, handler: XmlHandler): Promise<void> {
  // A prefix without a declaration is usual in documents for other services.
  const parser = new SaxesParser({
    xmlns: true,
    resolvePrefix: (prefix: string) => (prefix === '' ? undefined : UNBOUND + prefix),
  });
  // An XML declaration must come first; people leave space before it.
  const source = document.trimStart();
  const space = document.slice(0, document.length - source.length).split('\n');
  const here = (): Position => ({
    line: space.length - 1 + parser.line,
    column: Math.max(1, parser.column) + (parser.line === 1 ? space.at(-1)!.length : 0),
  });
  let depth = 0;
  let attributes = 0;
  let position = here();
  parser.on('error', ({ message }) => {
    const reason = message
      .replace(/^\d+:\d+: /, '')
      .slice(0, MAX_MESSAGE)
      .replace(/\.$/, '');
    // The parser looks for the end of a reference up to the end of the document.
    const hasHint = reason.startsWith('unclosed tag') && BARE_AMPERSAND.test(document);
    throw invalidSsml(`${reason}${hasHint ? ' (or an & is not written &amp;)' : ''}.`, here());
  });
  parser.on('doctype', () => {
    throw invalidSsml('a document type declaration is not accepted.', here());
  });
  parser.on('opentagstart', () => {
    position = here();
    attributes = 0;
    depth++;
    if (depth > MAX_DEPTH) throw invalidSsml(`elements may be nested ${MAX_DEPTH} deep at most.`, position);
  });
  parser.on('attribute', ({ value }) => {
    attributes++;
    if (attributes > MAX_ATTRIBUTES)
      throw invalidSsml(`an element may have ${MAX_ATTRIBUTES} attributes at most.`, here());
    if (value.length > MAX_ATTRIBUTE)
      throw invalidSsml(`an attribute may have ${MAX_ATTRIBUTE} characters at most.`, here());
  });
  parser.on('opentag', (tag) => handler.open(elementOf(tag, position)));
  parser.on('closetag', () => {
    depth--;
    handler.close();
  });
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));
  // The parser fails on a lone surrogate at the end.
  const text = source.replace(/\p{Surrogate}/gu, '\uFFFD');
  for (let index = 0; index < text.length; index += SLICE) {
    if (index > 0) await setImmediate();
    parser.write(text.slice(index, index + SLICE));
  }
  parser.close();
}

function elementOf({ local, uri, attributes }: SaxesTagNS, position: Position): XmlElement {
  const own = Object.values(attributes).flatMap(({ prefix, local: name, value }): [string, string][] => {
    if (prefix === '') return [[name, value]];
    return prefix === 'xml' && name === 'lang' ? [['xml:lang', value]] : [];
  });
  return { name: uri === '' || uri === SSML ? local : undefined, attributes: new Map(own), position };
}
