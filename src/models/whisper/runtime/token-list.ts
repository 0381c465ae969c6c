import { z } from 'zod';
import { unusableFile } from '../../../checkpoint/checkpoint-error.ts';
import { readJson, readText } from '../../../checkpoint/text-files.ts';
import { MAX_TOKENS } from './byte-pair-encoding.ts';

// CTranslate2's converter writes the tokens in the order of their ids: vocabulary.json, or vocabulary.txt with one in each
// line before June 2023.

/** A list of tokens by id, each byte as a visible character. */
export interface TokenList {
  file: string;
  tokens: readonly string[];
}

const listSchema = z.custom<string[]>(
  (value) => Array.isArray(value) && value.every((token) => typeof token === 'string'),
  'not a list of tokens',
);

/**
 * Reads `vocabulary.json` or `vocabulary.txt`.
 * @returns undefined if there is neither
 * @throws HearsayError `model_load_failed` naming the file and what is wrong
 */
export async function readTokenList(directory: string): Promise<TokenList | undefined> {
  const list = await readJson(directory, 'vocabulary.json', listSchema);
  if (list !== undefined) return checked('vocabulary.json', list);
  const text = await readText(directory, 'vocabulary.txt');
  // The token of an empty line is empty.
  return text === undefined ? undefined : checked('vocabulary.txt', text.replace(/\r?\n$/, '').split(/\r?\n/));
}

function checked(file: string, tokens: readonly string[]): TokenList {
  if (tokens.length > MAX_TOKENS) throw unusableFile(file, `it has ${tokens.length} tokens`);
  return { file, tokens };
}

/** The two tokens of a merge. */
export type Pair = readonly [left: string, right: string];

/**
 * Finds the merges of byte-pair encoding from the ids of its tokens: each merge created the next token, so applying
 * the earlier merges to a token leaves its two parts. A token left in any other number of parts was not created by a
 * merge.
 * @param ids of the tokens that are text, each byte as a character
 * @returns pairs in order of priority
 */
export function mergesOf(ids: ReadonlyMap<string, number>): Pair[] {
  const tokens = [...ids].sort((a, b) => a[1] - b[1]).map(([token]) => token);
  return tokens.map((token) => mergeOf(token, ids)).filter((merge) => merge !== undefined);
}

/**
 * Adds merges that a list lacks before its last one. Some published tokenizers of multilingual checkpoints lack the
 * first, of a space and "t", and encode " the" as other tokens than the model was trained on.
 * @param pairs in order of priority; nothing is added unless that is the order of the tokens they create
 * @param ids as for `mergesOf`
 */
export function withMissingMerges(pairs: readonly Pair[], ids: ReadonlyMap<string, number>): readonly Pair[] {
  const made = (pair: Pair) => ids.get(pair.join('')) ?? Number.NaN;
  const isOrdered = pairs.every((pair, index) => index === 0 || made(pair) > made(pairs[index - 1]!));
  const last = pairs.at(-1);
  if (!isOrdered || last === undefined) return pairs;
  const known = new Set(pairs.map((pair) => pair.join('')));
  const unmade = [...ids].filter(([token, id]) => id < made(last) && !known.has(token));
  const missing = unmade.map(([token]) => mergeOf(token, ids)).filter((merge) => merge !== undefined);
  return missing.length === 0 ? pairs : [...pairs, ...missing].sort((a, b) => made(a) - made(b));
}

/** The merge that creates a token; undefined if there is none. */
function mergeOf(token: string, ids: ReadonlyMap<string, number>): Pair | undefined {
  const id = ids.get(token)!;
  const splits = splitsOf(token, ids, id);
  return splits.length > 1 ? merged(token, ids, id) : splits[0];
}

/** The ways to split a token into two earlier ones. Most have one, which is the merge. */
function splitsOf(token: string, ids: ReadonlyMap<string, number>, id: number): Pair[] {
  const isEarlier = (part: string) => (ids.get(part) ?? id) < id;
  const splits: Pair[] = [];
  for (let at = 1; at < token.length; at++) {
    const [left, right] = [token.slice(0, at), token.slice(at)];
    if (isEarlier(left) && isEarlier(right)) splits.push([left, right]);
  }
  return splits;
}

/** The parts of a token after the merges before `id`; undefined if there are not two. */
function merged(token: string, ids: ReadonlyMap<string, number>, id: number): Pair | undefined {
  const parts = [...token];
  while (parts.length > 2) {
    const first = firstMerge(parts, ids, id);
    if (first === undefined) return undefined;
    parts.splice(first, 2, parts[first]! + parts[first + 1]!);
  }
  return [parts[0]!, parts[1]!];
}

/** Index of the neighbours that the earliest merge before `limit` joins. */
function firstMerge(parts: readonly string[], ids: ReadonlyMap<string, number>, limit: number): number | undefined {
  let earliest = limit;
  let found: number | undefined;
  for (let i = 0; i + 1 < parts.length; i++) {
    const id = ids.get(parts[i]! + parts[i + 1]!);
    if (id === undefined || id >= earliest) continue;
    earliest = id;
    found = i;
  }
  return found;
}
