import { z } from 'zod';
import { unusableFile } from './checkpoint-error.ts';

/** The types of numbers that are read. */
export type ElementType = 'F32' | 'F16' | 'BF16';

/** Bytes of one number. */
export const elementBytes: Readonly<Record<ElementType, number>> = { F32: 4, F16: 2, BF16: 2 };

/** Where a tensor lies in its file. */
export interface StoredTensor {
  type: ElementType;
  shape: readonly number[];
  elements: number;
  /** Byte of the file that it begins at. */
  start: number;
}

/** Bytes of the length that stands before the header. */
export const LENGTH_BYTES = 8;
/** The bound of the format's own implementation. */
const MOST_HEADER_BYTES = 100_000_000;

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()).max(32),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
const metadataSchema = z.record(z.string(), z.string());

/**
 * Bytes of the JSON header, from the little-endian length that a file begins with.
 * @throws HearsayError `model_load_failed`
 */
export function headerBytes(length: Uint8Array, file: string, fileBytes: number): number {
  const bytes = Buffer.from(length.buffer, length.byteOffset, length.byteLength).readBigUInt64LE();
  if (bytes > MOST_HEADER_BYTES)
    throw unusableFile(file, `its header of ${bytes} bytes is longer than the format allows`);
  if (LENGTH_BYTES + Number(bytes) > fileBytes) throw unusableFile(file, 'it ends within its header');
  return Number(bytes);
}

/**
 * The tensors of a safetensors file (https://github.com/huggingface/safetensors#format), by name. As the format
 * demands, their bytes follow each other without a gap and fill the file.
 *
 * @param file its name, for messages
 * @throws HearsayError `model_load_failed` that names the file, and the tensor at fault
 */
export function parseHeader(header: Uint8Array, file: string, fileBytes: number): Map<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>();
  const ranges: { name: string; begin: number; end: number }[] = [];
  for (const [name, value] of entriesOf(header, file)) {
    if (name === '__metadata__') {
      if (!metadataSchema.safeParse(value).success) throw unusableFile(file, 'its __metadata__ is not a map of texts');
      continue;
    }
    const { dtype, shape, data_offsets } = entryOf(value, name, file);
    if (!isSupported(dtype)) {
      throw unusableFile(file, `the tensor ${name} is of type ${dtype}, and only F32, F16 and BF16 are read`);
    }
    const [begin, end] = data_offsets;
    const elements = shape.reduce((product, size) => product * size, 1);
    if (!Number.isSafeInteger(elements * elementBytes[dtype]) || end - begin !== elements * elementBytes[dtype]) {
      throw unusableFile(file, `the tensor ${name} of ${dtype} [${shape}] does not fit its bytes ${begin} to ${end}`);
    }
    tensors.set(name, { type: dtype, shape, elements, start: LENGTH_BYTES + header.length + begin });
    ranges.push({ name, begin, end });
  }
  checkRanges(ranges, file, fileBytes - LENGTH_BYTES - header.length);
  return tensors;
}

function entriesOf(header: Uint8Array, file: string): [string, unknown][] {
  let text: string;
  let parsed: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(header);
    parsed = JSON.parse(text);
  } catch (cause) {
    throw unusableFile(file, 'its header is not JSON', cause);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw unusableFile(file, 'its header is not an object');
  }
  const entries = Object.entries(parsed);
  if (countKeys(text) !== entries.length) throw unusableFile(file, 'its header has a name twice');
  return entries;
}

function entryOf(value: unknown, name: string, file: string): z.infer<typeof entrySchema> {
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
    if (end > bytes) throw unusableFile(file, `the tensor ${name} reaches beyond the end of the file`);
    if (begin < position) throw unusableFile(file, `the tensor ${name} overlaps another`);
    if (begin > position) throw unusableFile(file, `there is a gap before the tensor ${name}`);
    position = end;
  }
  if (position !== bytes) throw unusableFile(file, 'it has bytes that belong to no tensor');
}

/** Keys of the outermost object of valid JSON: `JSON.parse` keeps the last of several equal ones and says nothing. */
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
