import { HearsayError } from '../errors.ts';
import { isObject } from '../files/json.ts';
import { removeFile } from '../files/remove-file.ts';
import { storageError } from '../files/storage-full.ts';
import { createTemporaryFile } from '../files/temporary-directory.ts';
import { decodeBase64 } from './base64.ts';
import { EmbeddedFiles, type EmbeddedList } from './embedded-files.ts';
import { fieldsTooLarge, maxFieldBytes, maxParts, tooManyFields } from './form-parts.ts';
import { decodeJson, parseJson, textOf } from './json.ts';
import { type Form, type ReadFormOptions, tooLarge } from './multipart.ts';
import { uploadPath } from './upload-path.ts';

export interface ReadJsonFormOptions extends Pick<ReadFormOptions, 'fileField' | 'filePrefix' | 'signal'> {
  /** Directory for the file; created if missing. */
  uploadDir: string;
  /** Size limit of the whole body. */
  maxBytes: number;
  /** A member that is a list of files in Base64. */
  embedded?: EmbeddedList | undefined;
  /** Called with the size of the file. */
  onReceived?: (bytes: number) => void;
}

/**
 * Converts a JSON body to the equivalent form: writes the recording, in Base64 or as a data URL in `input_audio.data`
 * or the file's field, to disk; turns lists into `name[]` and objects into `name[key]`; omits nulls.
 *
 * @throws HearsayError `invalid_request`, `payload_too_large` or `storage_full`; the reason of `signal`
 */
export async function readJsonForm(
  body: Buffer,
  { uploadDir, maxBytes, fileField = 'file', filePrefix, embedded: list, signal, onReceived }: ReadJsonFormOptions,
): Promise<Form> {
  if (body.length > maxBytes) throw tooLarge();
  const { input_audio: audio, [fileField]: plain, ...rest } = parseObject(body);
  if (audio && plain) {
    const problem = `The request has a recording in ${fileField} and in input_audio: send one of them.`;
    throw new HearsayError('invalid_request', problem, { param: 'input_audio' });
  }
  const [param, data] = audio ? ['input_audio', isObject(audio) ? audio.data : audio] : [fileField, plain];
  const embedded = new EmbeddedFiles(list, uploadDir);
  const fields = fieldsOf(Object.fromEntries(Object.entries(rest).filter(([name]) => !embedded.isNamed(name))));
  if (data === undefined || data === null) return { fields, embedded, remove: async () => {} };
  const bytes = typeof data === 'string' ? decodeBase64(data) : undefined;
  if (!bytes) throw new HearsayError('invalid_request', `${param} must hold the recording in Base64.`, { param });
  onReceived?.(bytes.length);

  const path = uploadPath(uploadDir);
  const remove = async () => {
    await removeFile(path);
    await embedded.remove();
  };
  try {
    const handle = await createTemporaryFile(path);
    // Unlike write(), writeFile() writes the whole buffer.
    await handle.writeFile(filePrefix ? Buffer.concat([filePrefix, bytes]) : bytes).finally(() => handle.close());
    await saveEmbedded(embedded, rest);
    for (const item of embedded.files) onReceived?.(item.bytes);
    signal?.throwIfAborted();
  } catch (error) {
    await remove();
    throw storageError(error);
  }
  return { fields, file: { path, bytes: bytes.length }, embedded, remove };
}

async function saveEmbedded(embedded: EmbeddedFiles, members: Record<string, unknown>): Promise<void> {
  for (const [name, items] of Object.entries(members)) {
    if (!embedded.isNamed(name)) continue;
    for (const item of [items].flat()) {
      if (item !== null) await embedded.save([Buffer.from(textOf(item))]);
      // One of thousands would cost a file system call each.
      if (embedded.fault) break;
    }
  }
}

function parseObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(decodeJson(body, 'The body'), 'The body');
  if (!isObject(value)) throw new HearsayError('invalid_request', 'The body must be a JSON object.');
  return value;
}

/** @throws HearsayError `invalid_request` beyond the limits of a form */
function fieldsOf(members: Record<string, unknown>): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  let count = 0;
  let bytes = 0;
  const add = (name: string, value: unknown) => {
    if (value === null) return;
    const text = textOf(value);
    if (++count > maxParts) throw tooManyFields();
    bytes += Buffer.byteLength(text);
    if (bytes > maxFieldBytes) throw fieldsTooLarge(name);
    const values = fields.get(name);
    if (values) values.push(text);
    else fields.set(name, [text]);
  };
  for (const [name, value] of Object.entries(members)) {
    if (Array.isArray(value)) for (const item of value) add(name.endsWith('[]') ? name : `${name}[]`, item);
    else if (isObject(value)) for (const [key, member] of Object.entries(value)) add(`${name}[${key}]`, member);
    else add(name, value);
  }
  return fields;
}
