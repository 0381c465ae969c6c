/** The head of a `data:` URL in Base64. */
export const DATA_URL = /^data:[^,]{0,200};base64,/i;

const PADDING = '='.charCodeAt(0);

/** Whitespace of ASCII. */
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** The bytes of a text in Base64 or Base64url, with or without padding, or of a `data:` URL; undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const written = text.slice(DATA_URL.exec(text)?.[0].length ?? 0);
  const letters = lettersIn(written);
  // Buffer.from skips whitespace, and also invalid characters.
  const bytes = Buffer.from(written, 'base64');
  return letters % 4 === 1 || bytes.length !== Math.floor((letters * 3) / 4) ? undefined : bytes;
}

/** Characters that are neither whitespace nor padding. */
function lettersIn(text: string): number {
  if (!/\s/.test(text)) return text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  let letters = 0;
  let padding = 0;
  // Counts in bytes: removing millions of spaces from a text takes seconds.
  const utf8 = Buffer.from(text);
  for (let index = 0; index < utf8.length; index++) {
    const byte = utf8[index]!;
    if (isSpace(byte)) continue;
    letters++;
    padding = byte === PADDING ? padding + 1 : 0;
  }
  return letters - Math.min(padding, 2);
}
