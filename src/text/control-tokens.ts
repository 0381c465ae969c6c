import { entityAt } from './html-entities.ts';
import { matchAt } from './patterns.ts';
import { unknownPhonemes } from './phoneme-alphabet.ts';
import { fromIpa } from './phoneme-input.ts';

/** Longest pause of one `[pause:…s]`, in seconds. */
export const maxPauseSeconds = 60;
/** Maximum sum of the pauses of a text, in seconds: eleven characters of input may be a minute of audio. */
export const maxTotalPauseSeconds = 7200;

/** Characters of the input that are not plain text, up to the index `end`. */
export type ControlToken =
  | { type: 'pause'; seconds: number; end: number }
  /** `ipa` is in Kokoro's alphabet, except for unknown phonemes. */
  | { type: 'pronunciation'; written: string; ipa: string; end: number }
  /** A tag of SSML, XML or HTML and its replacement: nothing within a word, a blank line at a paragraph, else a space. */
  | { type: 'tag'; text: '' | ' ' | '\n\n'; end: number }
  /** A character reference of HTML, or an exponent or index, and its characters. */
  | { type: 'entity'; text: string; end: number };

const pause = /\[pause:[ \t]{0,8}(\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})[ \t]{0,8}s\]/iy;
const pronunciation = /\[([^[\]\r\n]{1,200})\]\(\/([^/\r\n]{1,400})\/\)/y;
/** An exponent or an index in HTML; without the tags alone, `10<sup>6</sup>` would be 106. */
const script = /<(su[pb])>\s{0,4}([-−+]?\d{1,4})\s{0,4}<\/\1>/iy;
const scriptCharacters: Readonly<Record<string, string>> = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺', sub: '₀₁₂₃₄₅₆₇₈₉₋₊' };
// Attributes need a quoted value: `a <b and c> d` is text.
const tag =
  /<(?:\/?([a-z][\w:.-]{0,60})(?:\s{1,20}[\w:.-]{1,60}\s?=\s?(?:"[^"<>]{0,500}"|'[^'<>]{0,500}')){0,20}\s{0,20}\/?|\?xml\b[^<>]{0,500}|!--[^<>]{0,1000}--|!DOCTYPE[^<>]{0,500})>/iy;
// Tags within a word or line; all others separate words.
const inlineTags = new Set(
  'a abbr b bdi bdo big cite code del dfn em emphasis font i ins kbd mark phoneme prosody q s say-as small span strike strong sub sup token tt u var voice w'.split(
    ' ',
  ),
);

/** Tags that end a sentence and begin a paragraph. */
const blockTags = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr section article aside header footer blockquote pre figure'.split(
    ' ',
  ),
);

/** Characters that control tokens begin with. */
export const controlTokenStart = /[[<&]/;

/** Tags that may begin within a word; others after a letter are types, as in `vector<int>`. */
const wordTags = new Set([
  ...inlineTags,
  ...`br p div hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr td th thead tbody section article aside header footer nav main
  pre blockquote figure figcaption img details summary break speak s p paragraph sentence lang audio wbr center input button`.split(
    /\s+/,
  ),
]);

/** The control token, tag or character reference that begins at an index. Malformed ones are text. Time is bounded by their length. */
export function controlTokenAt(input: string, index: number): ControlToken | undefined {
  switch (input[index]) {
    case '<':
      return scriptAt(input, index) ?? tagAt(input, index);
    case '&': {
      const entity = entityAt(input, index);
      return entity && { type: 'entity', ...entity };
    }
    case '[':
      return pauseAt(input, index) ?? pronunciationAt(input, index);
    default:
      return undefined;
  }
}

/** `<sup>2</sup>` after a base: `<sup>14</sup>C` is 14 C. */
function scriptAt(input: string, index: number): ControlToken | undefined {
  const [all, where = '', digits = ''] = matchAt(script, input, index) ?? [];
  if (all === undefined || !/[\p{L}\d)\]>]/u.test(input[index - 1] ?? '')) return undefined;
  const characters = scriptCharacters[where.toLowerCase()]!;
  const text = Array.from(digits.replace('−', '-'), (digit) => characters['0123456789-+'.indexOf(digit)]).join('');
  return { type: 'entity', text, end: index + all.length };
}

function tagAt(input: string, index: number): ControlToken | undefined {
  const match = matchAt(tag, input, index);
  if (!match) return undefined;
  const name = (match[1] ?? '').toLowerCase();
  const end = index + match[0].length;
  const isType =
    /[\p{L}\d_]/u.test(input[index - 1] ?? '') && input[index + 1] !== '/' && name !== '' && !wordTags.has(name);
  // `<<see below>>` is a quotation.
  const isQuoted = input[index - 1] === '<' && input[end] === '>';
  if (isType || isQuoted) return undefined;
  return { type: 'tag', text: inlineTags.has(name) ? '' : blockTags.has(name) ? '\n\n' : ' ', end };
}

function pauseAt(input: string, index: number): ControlToken | undefined {
  const match = matchAt(pause, input, index);
  return match && { type: 'pause', seconds: Number(match[1]), end: index + match[0].length };
}

function pronunciationAt(input: string, index: number): ControlToken | undefined {
  const match = matchAt(pronunciation, input, index);
  if (!match?.[1]?.trim() || !match[2]?.trim()) return undefined;
  return { type: 'pronunciation', written: match[1], ipa: fromIpa(match[2].trim()), end: index + match[0].length };
}

/** Error message for a text with longer pauses. */
export const pausesTooLong = `The pauses of a text may last ${maxTotalPauseSeconds} seconds together at most.`;

interface ControlTokenCheck {
  /** An error message for the client. */
  problem?: string;
  /** Seconds of all pauses. */
  pauseSeconds: number;
}

/**
 * An error message for the client if a pause or all of them together are too long, or a pronunciation has unknown
 * phonemes; undefined if all control tokens are valid.
 */
export function checkControlTokens(input: string): string | undefined {
  const steps = controlTokenSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value.problem;
  }
}

/** Checks one control token a step: a text may have a hundred thousand. */
export function* controlTokenSteps(input: string): Generator<undefined, ControlTokenCheck, undefined> {
  let pauseSeconds = 0;
  for (let index = input.indexOf('['); index >= 0; index = input.indexOf('[', index + 1)) {
    yield;
    const token = controlTokenAt(input, index);
    if (token?.type === 'pause' && token.seconds > maxPauseSeconds) {
      const written = input.slice(index, token.end);
      return { problem: `A pause may last ${maxPauseSeconds} seconds at most; ${written} is longer.`, pauseSeconds };
    }
    if (token?.type === 'pause') pauseSeconds += token.seconds;
    if (pauseSeconds > maxTotalPauseSeconds) return { problem: pausesTooLong, pauseSeconds };
    const unknown = token?.type === 'pronunciation' ? unknownPhonemes(token.ipa) : [];
    if (unknown.length > 0) {
      return { problem: `A pronunciation has unknown phonemes: ${unknown.slice(0, 20).join(' ')}`, pauseSeconds };
    }
  }
  return { pauseSeconds };
}
