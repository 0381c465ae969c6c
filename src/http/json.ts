import { isUtf8 } from 'node:buffer';
import { HearsayError } from '../errors.ts';
import { parseJsonText } from '../files/json.ts';

/** Maximum nesting. JSON.stringify overflows the stack at a few thousand levels; JSON.parse has no limit. */
const MAX_DEPTH = 64;
/** Maximum values in lists and objects: millions take seconds to parse. A dialogue of ten thousand lines has eighty thousand. */
const MAX_VALUES = 200_000;
/** Maximum members of an object, which cost ten times as much as items of a list. A lexicon may have ten thousand. */
const MAX_MEMBERS = 20_000;

/**
 * Decodes JSON that a client sent. In another encoding, as consoles of Windows use, its letters would be lost without an error.
 * @param what the bytes are, for the message
 * @throws HearsayError `invalid_request` if it is not UTF-8
 */
export function decodeJson(bytes: Buffer, what: string): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new HearsayError('invalid_request', `${what} is not UTF-8, the encoding of JSON.`);
}

/**
 * Parses JSON that a client sent.
 * @param what the text is, for the message
 * @throws HearsayError `invalid_request` if it is not JSON, nested too deeply or of too many values
 */
export function parseJson(text: string, what: string): unknown {
  assertFewValues(text, what);
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    // The parser's own message quotes the text.
    throw new HearsayError('invalid_request', `${what} is not valid JSON.`);
  }
  if (isDeeper(value, MAX_DEPTH)) throw new HearsayError('invalid_request', `${what} is nested too deeply.`);
  return value;
}

/**
 * Checks JSON before it is parsed.
 * @param what the text is, for the message
 * @throws HearsayError `invalid_request` if its lists and objects hold too many values
 */
export function assertFewValues(text: string, what: string): void {
  let values = 0;
  /** Members so far of the objects around the index. */
  const members: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character === '"') index = endOfString(text, index);
    else if (character === '{') members.push(0);
    else if (character === '}') members.pop();
    else if (character === ':' && ++members[members.length - 1]! > MAX_MEMBERS)
      throw new HearsayError('invalid_request', `${what} has an object of more than ${MAX_MEMBERS} members.`);
    if ((character === ',' || character === '[' || character === '{') && ++values > MAX_VALUES)
      throw new HearsayError('invalid_request', `${what} has more than ${MAX_VALUES} values in lists and objects.`);
  }
}

/** Index of the quote that ends a string; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1);
  if (quote < 0) return text.length;
  if (text[quote - 1] !== '\\') return quote;
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}

/** The text of a JSON value, as a form would have it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}
