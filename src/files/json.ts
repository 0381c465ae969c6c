/**
 * Parses JSON that may begin with a byte order mark, as some editors and clients write it.
 * @throws SyntaxError
 */
export function parseJsonText(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** A JSON object without its members that are null; any other value as it is. */
export function withoutNulls(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;
}

/** Whether a JSON value is an object, and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
