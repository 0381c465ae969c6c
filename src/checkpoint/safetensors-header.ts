import { z } from 'zod';
import { isObject } from '../files/json.ts';
import { unusableFile } from './checkpoint-error.ts';

/** Supported element types. */
export type ElementType = 'F32' | 'F16' | 'BF16';

/** Bytes per element. */
const elementBytes: Readonly<Record<ElementType, number>> = { F32: 4, F16: 2, BF16: 2 };

/** Type, shape and position of a tensor in its file. */
export interface StoredTensor {
  type: ElementType;
  shape: readonly number[];
  elements: number;
  /** Byte offset in the file. */
  start: number;
}

/** Size of the header length at the start of a file. */
export const LENGTH_BYTES = 8;
/** The limit of the reference implementation. */
const MAX_HEADER_BYTES = 100_000_000;

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()).max(32),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
const metadataSchema = z.record(z.string(), z.string());

/**
 * Size of the JSON header, from the little-endian length at the start of the file.
 * @throws HearsayError `model_load_failed`
 */
export function headerBytes(length: Uint8Array, file: string, fileBytes: number): number {
  const bytes = Buffer.from(length.buffer, length.byteOffset, length.byteLength).readBigUInt64LE();
  if (bytes > MAX_HEADER_BYTES)
    throw unusableFile(file, `its header of ${bytes} bytes is longer than the format allows`);
  if (LENGTH_BYTES + Number(bytes) > fileBytes) throw unusableFile(file, 'it ends within its header');
  return Number(bytes);
}

/**
 * Parses the tensors of a safetensors file (https://github.com/huggingface/safetensors#format), by name. The format
 * requires them to fill the file without gaps.
 *
 * @param file its name, for messages
 * @throws HearsayError `model_load_failed` that names the file and the tensor
 */
export function parseHeader(header: Uint8Array, file: string, fileBytes: number): Map<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>();
  const ranges: { name: string; begin: number; end: number }[] = [];
  for (const [name, value] of parseEntries(header, file)) {
    if (name === '__metadata__') {
      if (!metadataSchema.safeParse(value).success) throw unusableFile(file, 'its __metadata__ is not a map of texts');
      continue;
    }
    const { dtype, shape, data_offsets } = parseEntry(value, name, file);
    if (!isSupported(dtype)) {
      throw unusableFile(file, `the tensor ${name} has type ${dtype}; only F32, F16 and BF16 are supported`);
    }
    const [begin, end] = data_offsets;
    const elements = shape.reduce((product, size) => product * size, 1);
    if (!Number.isSafeInteger(elements * elementBytes[dtype]) || end - begin !== elements * elementBytes[dtype]) {
      throw unusableFile(file, `the tensor ${name} of ${dtype} [${shape}] does not match its bytes ${begin} to ${end}`);
    }
    tensors.set(name, { type: dtype, shape, elements, start: LENGTH_BYTES + header.length + begin });
    ranges.push({ name, begin, end });
  }
  checkRanges(ranges, file, fileBytes - LENGTH_BYTES - header.length);
  return tensors;
}

function parseEntries(header: Uint8Array, file: string): [string, unknown][] {
  let text: string;
  let parsed: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(header);
    parsed = JSON.parse(text);
  } catch {
    throw unusableFile(file, 'its header is not JSON');
  }
  if (!isObject(parsed)) throw unusableFile(file, 'its header is not an object');
  const entries = Object.entries(parsed);
  if (countKeys(text) !== entries.length) throw unusableFile(file, 'its header has a duplicate name');
  return entries;
}

function parseEntry(value: unknown, name: string, file: string): z.infer<typeof entrySchema> {
  const { success, data } = entrySchema.safeParse(value);
  if (!success) throw unusableFile(file, `the entry of the tensor ${name} is malformed`);
  return data;
}

function isSupported(type: string): type is ElementType {
  return Object.hasOwn(elementBytes, type);
}

function checkRanges(ranges: { name: string; begin: number; end: number }[], file: string, bytes: number): void {
  ranges.sort((a, b) => a.begin - b.begin || a.end - b.end);
  let position = 0;
  for (const { name, begin, end } of ranges) {
    if (end > bytes) throw unusableFile(file, `the tensor ${name} exceeds the file`);
    if (begin < position) throw unusableFile(file, `the tensor ${name} overlaps another`);
    if (begin > position) throw unusableFile(file, `there is a gap before the tensor ${name}`);
    position = end;
  }
  if (position !== bytes) throw unusableFile(file, 'it has bytes of no tensor');
}

/** Counts the keys of the outermost object of valid JSON: `JSON.parse` silently drops duplicates. */
function countKeys(json: string): number {
  let depth = 0;
  let keys = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i]!;
    if (quoted) {
      if (character === '\\') i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (character === ':' && depth === 1) keys++;
  }
  return keys;
}
