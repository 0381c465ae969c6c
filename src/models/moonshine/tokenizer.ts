import llama from 'llama-tokenizer-js';

/** Moonshine uses Llama's vocabulary; ids above it are placeholders without text. */
const WORD_START = '▁';
const BYTE = /^<0x([0-9A-F]{2})>$/;

/** A word as written, and the range of its tokens. */
export interface TokenWord {
  text: string;
  /** Index of its first token. */
  first: number;
  /** Index after its last token. */
  end: number;
}

/** Groups tokens into words, which start at tokens with a leading space. */
export function words(tokens: readonly number[]): TokenWord[] {
  const groups: { first: number; end: number }[] = [];
  tokens.forEach((token, index) => {
    const last = groups.at(-1);
    if (!last || piece(token).startsWith(WORD_START)) groups.push({ first: index, end: index + 1 });
    else last.end = index + 1;
  });
  return groups
    .map(({ first, end }) => ({ first, end, text: decode(tokens.slice(first, end)) }))
    .filter((word) => word.text !== '');
}

/** Encodes text after a space, as the model writes it. */
export function encode(text: string): number[] {
  return llama.encode(text.trim(), false, true);
}

/** Decodes tokens, bytes included, and trims the text. */
export function decode(tokens: readonly number[]): string {
  // The model often repeats a comma.
  return Buffer.concat(tokens.map(bytes))
    .toString('utf8')
    .replace(/([,;:])\1+/g, '$1')
    .trim();
}

/** UTF-8 bytes of a token, with its leading space. */
export function bytes(token: number): Uint8Array {
  const text = piece(token);
  const byte = BYTE.exec(text);
  return byte ? Uint8Array.of(Number.parseInt(byte[1]!, 16)) : Buffer.from(text.replaceAll(WORD_START, ' '));
}

function piece(token: number): string {
  // 0 to 2 are the unknown, begin and end tokens.
  return token > 2 ? (llama.vocabById[token] ?? '') : '';
}
