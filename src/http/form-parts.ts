import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import { HearsayError } from '../errors.ts';
import type { EmbeddedFiles } from './embedded-files.ts';

/** Each keyword of a transcription is a part. */
export const maxParts = 1000;
/** Maximum size of all fields together: they are kept in memory. */
export const maxFieldBytes = 1024 * 1024;

/** Chunks per file write: the hop to the thread pool costs more than writing one chunk. */
const CHUNKS_PER_WRITE = 4;

/** Reads a form, and reports its parts. */
export interface FormParser {
  parser: BusboyInstance;
  /** Whether the field being reported names its encoding, and is decoded; otherwise each of its characters is a byte. */
  isDecoded: () => boolean;
}

/** Which part is the file, and how it is stored. */
export interface FilePart {
  /** Name of the part with the file. Default: file */
  fileField?: string;
  /** Bytes to write before the file, such as a header that it lacks. */
  filePrefix?: Uint8Array;
}

/** The error for a form that cannot be read. */
export const malformed = (cause?: unknown) =>
  new HearsayError('invalid_request', 'The multipart form is malformed or incomplete.', { cause });

export const fieldsTooLarge = (param: string) =>
  new HearsayError('invalid_request', 'The fields of the form are larger than 1 MiB.', { param });

export const tooManyFields = () => new HearsayError('invalid_request', `A form may have at most ${maxParts} fields.`);

/** The parts of a form while the parser finds them: fields in memory, files on their way to disk. */
export class FormParts {
  readonly fields = new Map<string, string[]>();
  readonly #disk = { isWriting: false };
  readonly #streams: Readable[] = [];
  readonly #saving: Promise<void>[] = [];
  /** Bytes of the file; undefined without one. */
  #file: Promise<number | undefined> | undefined;
  #fieldBytes = 0;
  #isAbandoned = false;

  /** @param fail called with the reason if the form is malformed or over a limit, or cannot be written */
  constructor(
    { parser, isDecoded }: FormParser,
    { opening, embedded }: { opening: Promise<FileHandle>; embedded: EmbeddedFiles },
    { fileField = 'file', filePrefix }: FilePart,
    fail: (error: unknown) => void,
  ) {
    parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (name === undefined) return;
      const bytes = Buffer.from(value, isDecoded() ? 'utf8' : 'latin1');
      this.#fieldBytes += bytes.length;
      if (valueTruncated || this.#fieldBytes > maxFieldBytes) {
        fail(fieldsTooLarge(name));
      }
      if (!isUtf8(bytes)) fail(new HearsayError('invalid_request', `${name} is not UTF-8.`, { param: name }));
      this.fields.set(name, [...(this.fields.get(name) ?? []), bytes.toString()]);
    });
    parser.on('file', (name, stream, fileName) => {
      // The parser reports truncated forms here, even after the stream was dropped.
      stream.on('error', () => {});
      if (embedded.isNamed(name) && !this.#isAbandoned) {
        this.#streams.push(stream);
        const item = embedded.save(stream);
        this.#saving.push(item);
        item.catch((error) => {
          stream.resume();
          fail(error);
        });
        return;
      }
      // Only the first of several files is used.
      if (name !== fileField || this.#file || this.#isAbandoned) {
        stream.resume();
        return;
      }
      this.#streams.push(stream);
      const saved = save(stream, opening, this.#disk, filePrefix);
      this.#file = saved.then((bytes) => (bytes === 0 && !fileName ? undefined : bytes));
      this.#file.catch(fail);
    });
    parser.on('partsLimit', () =>
      fail(new HearsayError('invalid_request', `A form may have at most ${maxParts} parts.`)),
    );
    parser.on('fieldsLimit', () => fail(tooManyFields()));
    parser.on('error', (error) => fail(error instanceof HearsayError ? error : malformed(error)));
  }

  /** Whether a write of the file is under way. */
  get isWriting(): boolean {
    return this.#disk.isWriting;
  }

  /** Resolves when all files are written, with the bytes of the file; undefined without one. */
  async saved(): Promise<number | undefined> {
    const [bytes] = await Promise.all([this.#file, ...this.#saving]);
    return bytes;
  }

  /** Takes no more files; resolves when pending writes have ended, so that the files can be closed and removed. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    for (const stream of this.#streams) stream.destroy();
    await Promise.allSettled([this.#file, ...this.#saving]);
  }
}

async function save(
  stream: Readable,
  opening: Promise<FileHandle>,
  disk: { isWriting: boolean },
  prefix?: Uint8Array,
): Promise<number> {
  let bytes = 0;
  let pending: Uint8Array[] = prefix ? [prefix] : [];
  const write = async () => {
    disk.isWriting = true;
    const handle = await opening;
    // Unlike write(), writes all of it.
    await handle.writeFile(Buffer.concat(pending));
    disk.isWriting = false;
    pending = [];
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (pending.push(chunk) === CHUNKS_PER_WRITE) await write();
  }
  if (pending.length > 0) await write();
  return bytes;
}
