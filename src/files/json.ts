/**
 * Parses the content of a JSON file that a person may have edited: some editors put a byte order mark first.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}
