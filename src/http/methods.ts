import type { FastifyInstance } from 'fastify';
import { HearsayError } from '../errors.ts';
import { withoutExtraSlashes } from './path.ts';

/** Parts of a path between slashes, as the router compares them. */
const segmentsOf = (path: string) => withoutExtraSlashes(path).split('/');

/** Whether a path fits a route such as `/v1/models/:model` or `/docs/static/*`. */
function fits(route: readonly string[], path: readonly string[]): boolean {
  if (route.at(-1) === '*')
    return path.length >= route.length && fits(route.slice(0, -1), path.slice(0, route.length - 1));
  return (
    route.length === path.length &&
    route.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]))
  );
}

/**
 * Answers requests for a known path with another method: OPTIONS with 204, all others with 405, both with `Allow`.
 * Register it before the routes, and after CORS, which answers preflights.
 */
export function answerOtherMethods(app: FastifyInstance): void {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    // The route that the CORS plugin adds for preflights.
    if (url === '*') return;
    const methods = routes.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    routes.set(url, methods);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && request.routeOptions.url !== '*') return;
    const path = segmentsOf(decodeURI(request.url.split(/[?#]/, 1)[0] ?? ''));
    const methods = new Set<string>();
    for (const [url, each] of routes) if (fits(segmentsOf(url), path)) for (const method of each) methods.add(method);
    if (methods.size === 0 || methods.has(request.method)) return;
    const allowed = [...[...methods].sort(), 'OPTIONS'].join(', ');
    reply.header('allow', allowed);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new HearsayError('method_not_allowed', `This route takes ${allowed}, not ${request.method}.`);
  });
}
