import { HearsayError } from '../errors.ts';
import { parseJsonText } from '../files/json.ts';

/** Maximum nesting. JSON.stringify overflows the stack at a few thousand levels; JSON.parse has no limit. */
const MAX_DEPTH = 64;

/**
 * Parses JSON that a client sent.
 * @param what the text is, for the message
 * @throws HearsayError `invalid_request` if it is not JSON, or nested too deeply
 */
export function parseJson(text: string, what: string): unknown {
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

/** The text of a JSON value, as a form would have it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}
