/**
 * Parses JSON that may begin with a byte order mark, as some editors and clients write it.
 * @throws SyntaxError
 */
export function parseJsonText(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}
