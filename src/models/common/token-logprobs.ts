import type { TokenLogprob } from '../../contracts/transcription.ts';

// A byte-order mark is text here.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Longest encoding of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** A token of a transcript, from its UTF-8 bytes and the natural logarithm of its probability. */
export function tokenLogprob(bytes: Uint8Array, logprob: number): TokenLogprob {
  return { token: escapedText(bytes), bytes: [...bytes], logprob };
}

/** Text of UTF-8 bytes. Bytes that are not a whole character become `\xe2`, as in Python's `backslashreplace`. */
function escapedText(bytes: Uint8Array): string {
  const whole = textOf(bytes);
  if (whole !== undefined) return whole;
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const [length, character] = characterAt(bytes, at);
    text += character ?? `\\x${bytes[at]!.toString(16).padStart(2, '0')}`;
    at += length;
  }
  return text;
}

function characterAt(bytes: Uint8Array, at: number): [length: number, character: string | undefined] {
  for (let length = 1; length <= MAX_CHARACTER_BYTES && at + length <= bytes.length; length++) {
    const character = textOf(bytes.subarray(at, at + length));
    if (character !== undefined) return [length, character];
  }
  return [1, undefined];
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
