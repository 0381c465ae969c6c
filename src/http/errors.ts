import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ErrorCode, HearsayError } from '../errors.ts';
import { isOutOfFiles } from '../files/out-of-files.ts';

export type ErrorType = 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'server_error';

export interface ErrorSpec {
  status: number;
  type: ErrorType;
  /** Seconds for the Retry-After header. */
  retryAfter?: number;
  /** Makes `detail` an object with the code instead of the message alone. */
  named?: true;
}

/** Maps each code to its status, type, Retry-After and form of `detail`. */
export const errorSpecs: Record<ErrorCode, ErrorSpec> = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  unsupported_response_format: { status: 400, type: 'invalid_request_error' },
  unsupported_language: { status: 400, type: 'invalid_request_error' },
  unsupported_task: { status: 400, type: 'invalid_request_error' },
  unspeakable_text: { status: 400, type: 'invalid_request_error', named: true },
  invalid_audio: { status: 400, type: 'invalid_request_error' },
  audio_too_long: { status: 400, type: 'invalid_request_error' },
  invalid_model: { status: 400, type: 'invalid_request_error', named: true },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  forbidden: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  upload_timeout: { status: 408, type: 'invalid_request_error' },
  activation_cancelled: { status: 409, type: 'invalid_request_error', named: true },
  model_in_use: { status: 409, type: 'invalid_request_error', named: true },
  payload_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  range_not_satisfiable: { status: 416, type: 'invalid_request_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  internal_error: { status: 500, type: 'server_error' },
  engine_failed: { status: 500, type: 'server_error', named: true },
  queue_full: { status: 503, type: 'server_error', retryAfter: 10, named: true },
  queue_timeout: { status: 503, type: 'server_error', retryAfter: 10, named: true },
  model_warming: { status: 503, type: 'server_error', retryAfter: 10, named: true },
  model_failed: { status: 503, type: 'server_error', named: true },
  model_unavailable: { status: 503, type: 'server_error', retryAfter: 10, named: true },
  model_load_failed: { status: 503, type: 'server_error', named: true },
  jobs_unavailable: { status: 503, type: 'server_error', retryAfter: 10, named: true },
  draining: { status: 503, type: 'server_error', retryAfter: 10, named: true },
  storage_full: { status: 507, type: 'server_error' },
};

const detailObject = z.object({ error: z.string(), message: z.string(), type: z.string() });

/** The error envelope, for the OpenAPI description. */
export const errorEnvelope = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string().describe('invalid_request_error, authentication_error, permission_error or server_error'),
      code: z.number().int().describe('The HTTP status'),
      param: z.string().nullable().describe('The request field at fault'),
    }),
    detail: z.union([z.string(), detailObject]).describe('The message, or an object whose `error` names the code'),
  })
  .meta({ id: 'Error' });

export type ErrorEnvelope = z.infer<typeof errorEnvelope>;

/** The JSON body of an error. */
export function errorBody({ code, message, param }: HearsayError): ErrorEnvelope {
  const { status, type, named } = errorSpecs[code];
  return {
    error: { message, type, code: status, param: param ?? null },
    detail: named ? { error: code, message, type } : message,
  };
}

/** Thrown when a client disconnects before its response; not a failure of the server. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  constructor() {
    super('The client closed the connection.');
  }
}

// zod's own message says that undefined was received, which neither JSON nor a form can hold.
z.config({
  customError: ({ code, input, expected }) =>
    code === 'invalid_type' && input === undefined ? `missing, expected ${expected}` : undefined,
});

/** A validation error with its location: a zod issue, or Fastify's form of one. */
interface SchemaIssue {
  path: PropertyKey[];
  message: string;
}

/** Turns a validation issue into an error that names the field. */
export function invalidField(issue: SchemaIssue, code: ErrorCode = 'invalid_request'): HearsayError {
  const param = pathName(issue.path.map(String));
  return new HearsayError(code, issue.message, param === '' ? {} : { param });
}

/** Like `invalidField`, for JSON: the message begins with the field, or with what is wrong as a whole. */
export function invalidMember({ path, message }: SchemaIssue, whole = 'body'): HearsayError {
  const name = pathName(path.map(String)) || whole;
  return invalidField({ path, message: name ? `${name}: ${message}` : message });
}

/** A field by its path: `lines[3].voice`. */
function pathName(path: readonly string[]): string {
  return path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}

/** Codes of the errors that requests ended with. */
const endedWith = new WeakMap<IncomingMessage, ErrorCode>();

/** The code of the error that a request ended with, sent as a response or within one. */
export function errorCodeOf({ raw }: FastifyRequest): ErrorCode | undefined {
  return endedWith.get(raw);
}

/** Converts errors that a client may see; undefined for unexpected ones, which it must not. */
function clientError(error: unknown): HearsayError | undefined {
  if (error instanceof HearsayError) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode, validation, validationContext } = error as FastifyError;
  const issue = validation?.[0];
  if (issue) {
    const path = issue.instancePath.split('/').filter((part) => part !== '');
    // Without a path the whole body is wrong: none was sent, or no object.
    return invalidMember({ path, message: issue.message ?? 'invalid' }, validationContext ?? '');
  }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HearsayError('payload_too_large', 'The request body is too large.', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      // Routes that read forms have parsers of their own, which take every media type.
      return new HearsayError('unsupported_media_type', 'The body must be application/json.', { cause: error });
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new HearsayError('invalid_request', 'The body is not valid JSON.', { cause: error });
    case 'FST_ERR_NOT_FOUND':
      return new HearsayError('not_found', 'Not found.', { cause: error });
  }
  // The parser's own message quotes the body.
  if (error instanceof SyntaxError && statusCode === 400) {
    return new HearsayError('invalid_request', 'The body is not valid JSON.', { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    // Some messages quote the whole path.
    return new HearsayError('invalid_request', error.message.slice(0, 200), { cause: error });
  }
  return undefined;
}

/** Converts errors of the system that an operator can mend; the log has their paths. */
function systemError(error: unknown): HearsayError | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined) return undefined;
  if (isOutOfFiles(error)) {
    const message = 'The service has too many open files. Try again in a moment.';
    return new HearsayError('queue_full', message, { cause: error });
  }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new HearsayError('internal_error', `The server has no permission for one of its files (${code}).`, {
        cause: error,
      });
  }
  return undefined;
}

function isClientGone(error: unknown, reply: FastifyReply): boolean {
  return error instanceof ClientGone || (reply.raw.destroyed && !reply.raw.writableFinished);
}

/**
 * Converts anything thrown by a handler. Unexpected errors are logged with their stack and become a generic
 * `internal_error`. Never logs the content of a request.
 */
export function toHearsayError(
  error: unknown,
  request: Pick<FastifyRequest, 'id'> & Partial<Pick<FastifyRequest, 'raw'>>,
  log: FastifyBaseLogger,
): HearsayError {
  const expected = clientError(error) ?? systemError(error);
  if (request.raw) endedWith.set(request.raw, expected?.code ?? 'internal_error');
  if (!expected) {
    log.error({ err: error, reqId: request.id }, 'Unexpected error while serving a request');
    return new HearsayError('internal_error', 'The server had an unexpected error.', { cause: error });
  }
  const { status } = errorSpecs[expected.code];
  if (status >= 500 && (status !== 503 || expected.cause !== undefined)) {
    log.error({ err: expected, reqId: request.id, code: expected.code }, 'Request failed');
  } else {
    log.debug({ reqId: request.id, code: expected.code, param: expected.param }, 'Request refused');
  }
  return expected;
}

/** Sends an error with the status and headers of its code. */
export function sendError(reply: FastifyReply, error: HearsayError): FastifyReply {
  const { status, retryAfter } = errorSpecs[error.code];
  endedWith.set(reply.request.raw, error.code);
  reply.code(status);
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (error.code === 'invalid_api_key') reply.header('www-authenticate', 'Bearer');
  // Keep-alive would hold the connection of a stalled sender.
  if (error.code === 'upload_timeout') reply.header('connection', 'close');
  return reply.type('application/json; charset=utf-8').send(errorBody(error));
}

/** A complete HTTP response, for a connection whose request could not be parsed. */
export function rawErrorResponse(error: HearsayError): string {
  const { status } = errorSpecs[error.code];
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends every error of the routes registered after it as the envelope. */
export function handleErrors(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.setErrorHandler((error, request, reply) => {
    if (isClientGone(error, reply)) {
      log.debug({ reqId: request.id }, 'The client disconnected');
      // Never sent: keeps disconnects apart from failures in the request log and the metrics.
      return reply.code(499).send();
    }
    return sendError(reply, toHearsayError(error, request, log));
  });
}

/** Sends the envelope for every unknown route. */
export function handleUnknownRoutes(app: FastifyInstance): void {
  // Before the body is parsed: its errors would hide the wrong path.
  app.addHook('onRequest', async (request) => {
    // CORS has a route for preflights of any path.
    if (request.is404 || request.routeOptions.url === '*') throw routeNotFound(request);
  });
  app.setNotFoundHandler((request, reply) => sendError(reply, routeNotFound(request)));
}

function routeNotFound({ method, url }: FastifyRequest): HearsayError {
  const path = url.split('?', 1)[0] ?? '';
  const hint = method === 'POST' ? audioRouteHint(path) : '';
  return new HearsayError('not_found', `Unknown route: ${method} ${path.slice(0, 200)}${hint}`);
}

/** Where the audio routes are: clients with one address ask the wrong service, others lose `/v1` or repeat the path. */
const AUDIO_ROUTES = [
  ['/audio/transcriptions', 'hear', 8000],
  ['/audio/translations', 'hear', 8000],
  ['/audio/speech', 'say', 8880],
] as const;

function audioRouteHint(path: string): string {
  const meant = AUDIO_ROUTES.find(([route]) => path.endsWith(route));
  if (!meant) return '';
  const [route, service, port] = meant;
  return `. The service \`${service}\` (port ${port} by default) has POST /v1${route}`;
}
