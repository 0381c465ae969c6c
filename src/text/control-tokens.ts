import { matchAt } from './patterns.ts';

export { matchAt } from './patterns.ts';

/** Longest pause of one `[pause:…s]`, in seconds. */
export const maxPauseSeconds = 60;

/** What stands at a place of the input and is no text. */
export type ControlToken =
  | { type: 'pause'; seconds: number; end: number }
  | { type: 'pronunciation'; written: string; ipa: string; end: number }
  /** A tag of SSML, XML or HTML. `separates`: whether it parts what stands before it from what follows. */
  | { type: 'tag'; separates: boolean; end: number };

const pause = /\[pause:[ \t]{0,8}(\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})[ \t]{0,8}s\]/iy;
const pronunciation = /\[([^[\]\r\n]{1,200})\]\(\/([^/\r\n]{1,400})\/\)/y;
// Attributes need a quoted value: `a <b and c> d` is text.
const tag =
  /<(?:\/?([a-z][\w:.-]{0,60})(?:\s{1,20}[\w:.-]{1,60}\s?=\s?(?:"[^"<>]{0,500}"|'[^'<>]{0,500}')){0,20}\s{0,20}\/?|\?xml\b[^<>]{0,500}|!--[^<>]{0,1000}--|!DOCTYPE[^<>]{0,500})>/iy;
// Tags that stand within a word or a line; every other one parts words.
const inlineTags = new Set(
  'a abbr b bdi bdo big cite code del dfn em emphasis font i ins kbd mark phoneme prosody q s say-as small span strike strong sub sup token tt u var voice w'.split(
    ' ',
  ),
);

/** The control token or tag that begins at `at`. A malformed one is text. Takes time by the length of what it reads. */
export function controlTokenAt(input: string, at: number): ControlToken | undefined {
  if (input[at] === '<') {
    const found = matchAt(tag, input, at);
    if (!found) return undefined;
    return { type: 'tag', separates: !inlineTags.has((found[1] ?? '').toLowerCase()), end: at + found[0].length };
  }
  if (input[at] !== '[') return undefined;
  const pauseFound = matchAt(pause, input, at);
  if (pauseFound) return { type: 'pause', seconds: Number(pauseFound[1]), end: at + pauseFound[0].length };
  const found = matchAt(pronunciation, input, at);
  if (!found?.[1]?.trim() || !found[2]?.trim()) return undefined;
  return { type: 'pronunciation', written: found[1], ipa: found[2].trim(), end: at + found[0].length };
}

/**
 * What is wrong with the control tokens of an input, in words for the client; undefined where nothing is. Only a pause
 * beyond 60 s is wrong: whatever is malformed is text.
 */
export function checkControlTokens(input: string): string | undefined {
  for (let at = input.indexOf('['); at >= 0; at = input.indexOf('[', at + 1)) {
    const token = matchAt(pause, input, at);
    if (token && Number(token[1]) > maxPauseSeconds) {
      return `A pause may last ${maxPauseSeconds} seconds at most; ${token[0]} is longer.`;
    }
  }
  return undefined;
}
