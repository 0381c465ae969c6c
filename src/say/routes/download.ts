import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contentTypes } from '../../audio/formats.ts';
import { HearsayError } from '../../errors.ts';
import { hasTag } from '../../http/entity-tag.ts';
import { binary, route } from '../../http/route.ts';
import { byteRange } from '../downloads/byte-range.ts';
import type { Downloads } from '../downloads/downloads.ts';

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not get into a header.
  .regex(/^[^\u0000-\u001F\u007F/\\]+$/, 'must not have slashes or control characters')
  .optional()
  .describe('Name of the saved file; the extension of the format is added.');

/** GET /v1/download/{file}. */
export function downloadRoute(app: FastifyInstance, downloads: Downloads): void {
  const audio = { content: { 'application/octet-stream': { schema: binary } } };
  route(app, {
    method: 'GET',
    url: '/v1/download/:file',
    operationId: 'downloadFile',
    tag: 'audio',
    summary: 'Download speech',
    description:
      'A file of `return_download_link`, available from its completion until it expires. A `Range` of bytes returns a part of it.',
    params: z.object({ file: z.string() }),
    querystring: z.object({ name }),
    response: {
      200: { description: 'The file', ...audio },
      206: { description: 'A part of the file', ...audio },
      304: z.null().describe('The client has the file: `If-None-Match` has its tag'),
    },
    handler: async (request, reply) => {
      // Only our own file names become paths.
      const file = await downloads.find(request.params.file);
      if (!file) throw notFound();
      const etag = `"${file.name}"`;
      const { range, 'if-range': condition } = request.headers;
      const isHead = request.method === 'HEAD';
      const isSame = condition === undefined || condition === etag;
      // Only GET has ranges (RFC 9110, section 14.2).
      const part = isSame && !isHead ? byteRange(range, file.bytes) : undefined;
      reply.header('accept-ranges', 'bytes').header('etag', etag).header('cache-control', 'no-cache');
      if (hasTag(request.headers['if-none-match'], etag)) {
        await file.close();
        return reply.code(304).send();
      }
      if (part === 'unsatisfiable') {
        await file.close();
        reply.header('content-range', `bytes */${file.bytes}`);
        throw new HearsayError('range_not_satisfiable', `The file has ${file.bytes} bytes.`);
      }
      const { from, to } = part ?? { from: 0, to: file.bytes - 1 };
      if (part) reply.code(206).header('content-range', `bytes ${from}-${to}/${file.bytes}`);
      reply
        .type(contentTypes[file.format])
        .header('content-length', to - from + 1)
        .header('content-disposition', disposition(request.query.name ?? 'speech', file.format));
      if (!isHead) return reply.send(file.read(from, to));
      // The file would be read whole, only to be dropped.
      await file.close();
      return reply.send(Readable.from([]));
    },
  });
}

function notFound(): HearsayError {
  return new HearsayError('not_found', 'The file does not exist or has expired.', { param: 'file' });
}

/** As in RFC 6266: a name beyond ASCII is sent in UTF-8, and for old clients also without the other characters. */
function disposition(name: string, format: string): string {
  const file = name.toLowerCase().endsWith(`.${format}`) ? name : `${name}.${format}`;
  if (/^[\w.-]+$/.test(file)) return `attachment; filename=${file}`;
  const ascii = file.replace(/[^\x20-\x7E]/g, '_').replace(/["%]/g, '_');
  const encoded = encodeURIComponent(file).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
