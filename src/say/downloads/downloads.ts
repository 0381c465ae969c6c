import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AudioFormat } from '../../audio/formats.ts';
import { contentTypes } from '../../audio/formats.ts';
import { HearsayError } from '../../errors.ts';
import { errorEnvelope } from '../../http/errors.ts';
import { AudioFile } from './audio-file.ts';

export interface DownloadsOptions {
  /** An existing folder of this process's own. */
  folder: string;
  /** Seconds that a complete file is kept. */
  ttlSeconds: number;
  /** Bytes that all complete files may take together. */
  maxBytes: number;
}

/** Speech kept on disk for a while, for those who have its link. It is known here from its completion on. */
export class Downloads {
  readonly folder: string;
  readonly #options: DownloadsOptions;
  /** In the order of completion: the oldest comes first. */
  readonly #complete = new Map<string, { file: AudioFile; since: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: DownloadsOptions) {
    this.folder = options.folder;
    this.#options = options;
    const intervalMs = Math.min(60_000, options.ttlSeconds * 250);
    this.#timer = setInterval(() => void this.#sweep(), intervalMs).unref();
  }

  /** Bytes of the complete files. */
  get bytes(): number {
    return [...this.#complete.values()].reduce((total, { file }) => total + file.bytes, 0);
  }

  /** Begins a file, which `keep` completes. @throws HearsayError `storage_full`, also when it grows too large. */
  create(format: AudioFormat): Promise<AudioFile> {
    return AudioFile.create(this.folder, format, this.#options.maxBytes);
  }

  /** Completes a file and offers it for download; older ones make room. */
  async keep(file: AudioFile): Promise<void> {
    await file.finish();
    this.#complete.set(file.name, { file, since: performance.now() });
    await this.#sweep();
  }

  /** The complete file of that name, unless it has expired. */
  async find(name: string): Promise<AudioFile | undefined> {
    await this.#sweep();
    return this.#complete.get(name)?.file;
  }

  /** Ends the sweeping; the folder is for its owner to remove. */
  close(): void {
    clearInterval(this.#timer);
  }

  async #sweep(): Promise<void> {
    const { ttlSeconds, maxBytes } = this.#options;
    const oldest = performance.now() - ttlSeconds * 1000;
    let total = this.bytes;
    for (const [name, { file, since }] of this.#complete) {
      if (since >= oldest && total <= maxBytes) return;
      total -= file.bytes;
      this.#complete.delete(name);
      // Left over, it goes with the folder.
      await file.discard().catch(() => {});
    }
  }
}

/** GET /v1/download/{file}. A file can be had from the moment that its speech is complete. */
export function downloadRoute(app: FastifyInstance, downloads: Downloads): void {
  app.get<{ Params: { file: string } }>(
    '/v1/download/:file',
    {
      schema: {
        tags: ['audio'],
        summary: 'Download speech',
        description: 'A file of `return_download_link`, from the moment that it is complete until it expires.',
        security: [{ key: [] }],
        params: z.object({ file: z.string() }),
        response: {
          200: {
            description: 'The file',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          '4xx': errorEnvelope,
        },
      },
    },
    async (request, reply) => {
      // Only names that were given away are known: no path can be made of one.
      const file = await downloads.find(request.params.file);
      // It may expire at this very moment.
      const body = await file?.read().catch(() => undefined);
      if (!file || !body) {
        throw new HearsayError('not_found', 'There is no such file, or it has expired.', { param: 'file' });
      }
      return reply
        .type(contentTypes[file.format])
        .header('content-length', file.bytes)
        .header('content-disposition', `attachment; filename=speech.${file.format}`)
        .header('cache-control', 'no-cache')
        .send(body);
    },
  );
}
