import type { EventEmitter } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { HearsayError } from '../errors.ts';
import { removeFile } from '../files/remove-file.ts';
import { storageError } from '../files/storage-full.ts';
import { createTemporaryFile } from '../files/temporary-directory.ts';
import { EmbeddedFiles, type EmbeddedItems, type EmbeddedList, type StoredFile } from './embedded-files.ts';
import { ClientGone } from './errors.ts';
import { type FilePart, type FormParser, FormParts, maxFieldBytes, maxParts } from './form-parts.ts';
import { type PaceLimits, watchPace } from './upload-pace.ts';
import { uploadPath } from './upload-path.ts';

export interface ReadFormOptions extends FilePart, PaceLimits {
  /** Directory for the uploaded file; created if missing. */
  uploadDir: string;
  /** Size limit of the whole body, boundaries included. */
  maxBytes: number;
  /** Whether a part of this name is a field even with a file name: some libraries name every part. */
  isField?: (name: string) => boolean;
  /** Fields that are files in Base64: they do not count as fields, nor are they kept in memory. */
  embedded?: EmbeddedList | undefined;
  /** Aborts the upload. */
  signal?: AbortSignal;
  /** Called once the head is valid, before the first byte is read. */
  onAccepted?: () => void;
  /** Called with the size of each chunk that arrives. */
  onReceived?: (bytes: number) => void;
}

export interface Form {
  /** Values by field name, in order of arrival. */
  fields: Map<string, string[]>;
  /** Absent without such a part, or with an empty one without a file name, as browsers send for an empty input. */
  file?: StoredFile;
  /** Files that came in Base64. */
  embedded: EmbeddedItems;
  /** Deletes the files. May be called more than once. */
  remove(): Promise<void>;
}

const maxHeaderBytes = 16 * 1024;
/** Larger than any chunk that arrives: the parser hangs after it drops a part larger than this. */
const partBufferBytes = 256 * 1024;

/** The parser takes an empty boundary for a valid one, and then finds parts without names. */
const hasEmptyBoundary = (contentType: string) => /;\s*boundary\s*=\s*(?:"\s*"\s*)?(?:;|$)/i.test(contentType);

const isMultipart = (contentType: string) => /^multipart\/form-data\s*(;|$)/i.test(contentType.trim());

/** Programs that set the header themselves, instead of their library, leave out the boundary. */
const NO_BOUNDARY =
  'The Content-Type of the form has no boundary. Do not set this header: the HTTP library does, with the boundary.';

const nameless = () =>
  new HearsayError('invalid_request', 'A part of the form has no name in the first 16 KiB of its headers.');

/**
 * Reads a multipart/form-data body: fields into memory, the file to disk as it arrives. On failure the file is removed
 * before the promise rejects; otherwise the caller removes it.
 *
 * @throws HearsayError `unsupported_media_type`, `payload_too_large`, `upload_timeout`, `storage_full` or
 *   `invalid_request`; ClientGone if the client disconnected
 */
export async function readForm(request: IncomingMessage, options: ReadFormOptions): Promise<Form> {
  const { uploadDir, maxBytes, signal, fileField = 'file', isField = () => false } = options;
  const contentType = request.headers['content-type'] ?? '';
  if (!isMultipart(contentType)) {
    throw new HearsayError('unsupported_media_type', 'The body must be multipart/form-data or application/json.');
  }
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge();
  const embedded = new EmbeddedFiles(options.embedded, uploadDir);
  const form = createParser(contentType, (name, fileName) => {
    if (name === fileField || embedded.isNamed(name)) return true;
    return fileName !== undefined && !isField(name ?? '');
  });

  signal?.throwIfAborted();
  if (request.destroyed && !request.readableEnded) throw new ClientGone();

  const path = uploadPath(uploadDir);
  const remove = async () => {
    await removeFile(path);
    await embedded.remove();
  };
  // Read the body meanwhile.
  const opening = createTemporaryFile(path);
  opening.catch(() => {});
  try {
    options.onAccepted?.();
    const { fields, bytes } = await receive(request, form, { opening, embedded }, options);
    await (await opening).close();
    if (bytes !== undefined) return { fields, file: { path, bytes }, embedded, remove };
    await remove();
    return { fields, embedded, remove };
  } catch (error) {
    const handle = await opening.catch(() => undefined);
    await handle?.close().catch(() => {});
    if (handle) await remove();
    else await embedded.remove();
    throw storageError(error);
  }
}

export const tooLarge = () => new HearsayError('payload_too_large', 'Uploaded file is too large', { param: 'file' });

/** The inner parser, which reports every part of a form; the types of the package do not show it. */
interface PartEvents {
  _parser: { parser: { on(event: 'part', listener: (part: EventEmitter) => void): void } };
}

/** Headers of a part, by lower-case names. */
type PartHeaders = Record<string, string[] | undefined>;

/** Whether the parser decodes a field by a charset of its own. */
const namesCharset = (headers: PartHeaders) => /;\s*charset\s*=/i.test(headers['content-type']?.[0] ?? '');

function createParser(
  contentType: string,
  isFile: (name: string | undefined, fileName: string | undefined) => boolean,
): FormParser {
  if (hasEmptyBoundary(contentType)) throw new HearsayError('invalid_request', NO_BOUNDARY);
  let isNamed = true;
  let isDecoded = false;
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      fileHwm: partBufferBytes,
      // One character for each byte, so that UTF-8 can be checked: the parser would replace what is none.
      defCharset: 'latin1',
      limits: {
        parts: maxParts,
        fields: maxParts,
        files: maxParts,
        fieldSize: maxFieldBytes,
        headerSize: maxHeaderBytes,
      },
      isPartAFile: (name, _type, fileName) => {
        isNamed = name !== undefined;
        return isFile(name, fileName);
      },
    });
    // The parser silently drops a part whose name it cannot read, so that its field would be ignored with a 200.
    const assertNamed = () => {
      if (!isNamed) parser.emit('error', nameless());
    };
    (parser as unknown as PartEvents)._parser.parser.on('part', (part) => {
      assertNamed();
      isNamed = false;
      part.on('header', (headers: PartHeaders) => {
        isDecoded = namesCharset(headers);
        assertNamed();
      });
    });
    parser.on('finish', assertNamed);
    return { parser, isDecoded: () => isDecoded };
  } catch (error) {
    throw new HearsayError('invalid_request', NO_BOUNDARY, { cause: error });
  }
}

/** Feeds the request to the parser until the form is complete and written, or anything fails. */
function receive(
  request: IncomingMessage,
  form: FormParser,
  files: { opening: Promise<FileHandle>; embedded: EmbeddedFiles },
  options: ReadFormOptions,
): Promise<{ fields: Map<string, string[]>; bytes: number | undefined }> {
  const { maxBytes, signal, onReceived } = options;
  const { parser } = form;
  return new Promise((resolve, reject) => {
    let received = 0;
    let settled = false;

    const settle = () => {
      settled = true;
      pace.stop();
      signal?.removeEventListener('abort', onAbort);
      request.off('data', onData).off('end', onEnd).off('error', onDisconnect).off('close', onDisconnect);
      request.unpipe(parser);
      // Without a listener, a later error would crash the process.
      request.on('error', () => {});
    };
    const fail = (error: unknown) => {
      if (settled) return;
      settle();
      void parts.abandon().then(() => reject(error));
    };
    const onAbort = () => fail(signal?.reason);
    const onDisconnect = () => fail(new ClientGone());
    const onData = (chunk: Buffer) => {
      pace.received(chunk.length);
      received += chunk.length;
      if (received > maxBytes) fail(tooLarge());
      else onReceived?.(chunk.length);
    };
    const onEnd = () => request.off('close', onDisconnect);
    const parts = new FormParts(form, files, options, fail);
    const pace = watchPace(options, fail, {
      // Some malformed bodies leave the parser waiting for more.
      isSent: () => request.complete || parser.writableNeedDrain,
      isWriting: () => parts.isWriting,
    });
    parser.on('finish', () => {
      parts.saved().then((bytes) => {
        if (settled) return;
        settle();
        resolve({ fields: parts.fields, bytes });
      }, fail);
    });

    signal?.addEventListener('abort', onAbort, { once: true });
    request.on('data', onData).on('end', onEnd).on('error', onDisconnect).on('close', onDisconnect);
    request.pipe(parser);
  });
}
