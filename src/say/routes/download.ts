import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contentTypes } from '../../audio/formats.ts';
import { HearsayError } from '../../errors.ts';
import { binary, route } from '../../http/route.ts';
import type { Downloads } from '../downloads/downloads.ts';

/** GET /v1/download/{file}. */
export function downloadRoute(app: FastifyInstance, downloads: Downloads): void {
  route(app, {
    method: 'GET',
    url: '/v1/download/:file',
    tag: 'audio',
    summary: 'Download speech',
    description: 'A file of `return_download_link`, available from its completion until it expires.',
    params: z.object({ file: z.string() }),
    response: { 200: { description: 'The file', content: { 'application/octet-stream': { schema: binary } } } },
    handler: async (request, reply) => {
      // A lookup by name: the parameter never becomes a path.
      const file = await downloads.find(request.params.file);
      // It may expire at this very moment.
      const body = await file?.read().catch(() => undefined);
      if (!file || !body) {
        throw new HearsayError('not_found', 'The file does not exist or has expired.', { param: 'file' });
      }
      return reply
        .type(contentTypes[file.format])
        .header('content-length', file.bytes)
        .header('content-disposition', `attachment; filename=speech.${file.format}`)
        .header('cache-control', 'no-cache')
        .send(body);
    },
  });
}
