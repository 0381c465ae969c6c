/** The head of a `data:` URL in Base64. */
export const DATA_URL = /^data:[^,]{0,200};base64,/i;

/** The bytes of a text in Base64 or Base64url, with or without padding, or of a `data:` URL; undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const letters = text
    .replace(DATA_URL, '')
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '');
  const bytes = Buffer.from(letters, 'base64');
  // Buffer.from skips invalid characters.
  return letters.length % 4 === 1 || bytes.length !== Math.floor((letters.length * 3) / 4) ? undefined : bytes;
}
