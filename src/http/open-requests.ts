import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { onEveryRequest } from './connections.ts';

/** A request whose response is not complete. */
export interface OpenRequest {
  method: string;
  /** Without the query. */
  path: string;
  /** Whole seconds since the head of the request arrived. */
  seconds: number;
}

/** Tracks the requests of a server; the returned function lists those without a complete response, oldest first. */
export function watchOpenRequests(server: Server): () => OpenRequest[] {
  const open = new Map<ServerResponse, { request: IncomingMessage; since: number }>();
  onEveryRequest(server, (request, response) => {
    open.set(response, { request, since: performance.now() });
    response.once('close', () => open.delete(response));
  });
  return () =>
    [...open.values()].map(({ request, since }) => ({
      method: request.method ?? '',
      path: request.url?.split('?', 1)[0]?.slice(0, 200) ?? '',
      seconds: Math.floor((performance.now() - since) / 1000),
    }));
}
