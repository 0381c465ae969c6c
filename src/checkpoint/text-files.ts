import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { parseJsonText } from '../files/json.ts';
import { isMissing } from '../files/missing.ts';
import { refusePointer, unusableFile } from './checkpoint-error.ts';

/**
 * Reads a text file of a checkpoint.
 * @returns undefined if there is no such file
 * @throws HearsayError `model_load_failed` if it cannot be read, or is a pointer of Git LFS
 */
export async function readText(directory: string, file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(join(directory, file), 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw unusableFile(file, `it cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  refusePointer(file, text);
  return text;
}

/**
 * Reads a JSON file of a checkpoint and validates it with `schema`.
 * @returns undefined if there is no such file
 * @throws HearsayError `model_load_failed` that names the file and the invalid field
 */
export async function readJson<T>(directory: string, file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readText(directory, file);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = parseJsonText(text);
  } catch {
    throw unusableFile(file, 'it is not JSON');
  }
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const { path, message } = error.issues[0]!;
  throw unusableFile(file, `${path.join('.') || 'it'}: ${message}`);
}
