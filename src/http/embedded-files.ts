import type { FileHandle } from 'node:fs/promises';
import { HearsayError } from '../errors.ts';
import { removeFile } from '../files/remove-file.ts';
import { createTemporaryFile } from '../files/temporary-directory.ts';
import { DATA_URL, decodeBase64 } from './base64.ts';
import { uploadPath } from './upload-path.ts';

/** A list field of a form whose items are files in Base64, such as data URLs. */
export interface EmbeddedList {
  /** Without brackets. */
  name: string;
  maxCount: number;
  /** Maximum size of one item, as text. */
  maxBytes: number;
}

export interface StoredFile {
  path: string;
  bytes: number;
}

/** What has arrived of such a list. */
export interface EmbeddedItems {
  /** In order of arrival, without empty ones. */
  readonly files: readonly StoredFile[];
  /** Why the list is invalid, HearsayError `invalid_request`: thrown only if the list is used. */
  readonly fault: HearsayError | undefined;
}

/** Writes the items of such a list to disk as they arrive: together they are too large for memory. */
export class EmbeddedFiles implements EmbeddedItems {
  readonly #list: EmbeddedList | undefined;
  readonly #uploadDir: string;
  readonly #files: StoredFile[] = [];
  #count = 0;
  #fault: HearsayError | undefined;

  /** @param list undefined for a form without one @param uploadDir created if missing */
  constructor(list: EmbeddedList | undefined, uploadDir: string) {
    this.#list = list;
    this.#uploadDir = uploadDir;
  }

  get files(): StoredFile[] {
    return this.#files.filter(({ bytes }) => bytes > 0);
  }

  get fault(): HearsayError | undefined {
    return this.#fault;
  }

  /** Whether a field is an item of the list, or all of it: `name[]`, `name[0]` or `name`. */
  isNamed(field: string | undefined): boolean {
    return this.#list !== undefined && field?.replace(/\[\d*\]$/, '') === this.#list.name;
  }

  /**
   * Decodes an item into a file. After a fault, further input is read and dropped.
   * @param text in chunks of any size, all of which are read
   * @throws errors of the file system
   */
  async save(text: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    const { maxCount, maxBytes } = this.#list!;
    const decoder = new Base64Decoder();
    const file = { path: uploadPath(this.#uploadDir), bytes: 0 };
    let handle: FileHandle | undefined;
    let received = 0;
    const write = async (bytes: Buffer | undefined) => {
      if (!bytes) return this.#reject('must be data URLs: data:audio/wav;base64,…');
      if (bytes.length === 0) return;
      handle ??= await createTemporaryFile(file.path);
      // Unlike write(), writeFile() writes the whole buffer.
      await handle.writeFile(bytes);
      file.bytes += bytes.length;
    };
    this.#files.push(file);
    try {
      for await (const chunk of text) {
        // An empty item is absent.
        if (received === 0 && ++this.#count > maxCount) this.#reject(`may have at most ${maxCount} items`);
        received += chunk.length;
        if (received > maxBytes) this.#reject(`may have at most ${maxBytes / 1024 / 1024} MiB each`);
        if (!this.#fault) await write(decoder.push(chunk));
      }
      if (!this.#fault) await write(decoder.end());
    } finally {
      await handle?.close();
    }
  }

  /** Deletes the files. May be called more than once. */
  async remove(): Promise<void> {
    for (const { path } of this.#files) await removeFile(path);
  }

  #reject(fault: string): void {
    const param = `${this.#list!.name}[]`;
    this.#fault ??= new HearsayError('invalid_request', `${param} ${fault}`, { param });
  }
}

/** Characters to buffer before looking for the head of a data URL, which is shorter. */
const HEAD = 256;

/** Decodes Base64, with the head of a data URL or without, as it arrives. */
class Base64Decoder {
  #rest = '';
  #isHead = true;

  /** The bytes that are complete; undefined if the text is not Base64. */
  push(chunk: Buffer): Buffer | undefined {
    this.#rest += chunk.toString('latin1').replace(/\s+/g, '');
    if (this.#isHead && this.#rest.length < HEAD) return Buffer.alloc(0);
    this.#removeHead();
    // The last letters may be padding.
    const whole = Math.max(0, this.#rest.length - 4 - (this.#rest.length % 4));
    const letters = this.#rest.slice(0, whole);
    this.#rest = this.#rest.slice(whole);
    return letters.includes('=') ? undefined : decodeBase64(letters);
  }

  /** The last bytes; undefined if the text is not Base64. */
  end(): Buffer | undefined {
    this.#removeHead();
    return decodeBase64(this.#rest);
  }

  #removeHead(): void {
    if (this.#isHead) this.#rest = this.#rest.replace(DATA_URL, '');
    this.#isHead = false;
  }
}
