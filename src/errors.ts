/**
 * The code of every failed request. Only `http/errors.ts` maps it to a status, a body and headers; a test checks that
 * `docs/errors.md` lists all codes.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'unsupported_response_format'
  | 'unsupported_language'
  | 'unsupported_task'
  | 'unspeakable_text'
  | 'invalid_audio'
  | 'audio_too_long'
  | 'invalid_model'
  | 'invalid_api_key'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'upload_timeout'
  | 'activation_cancelled'
  | 'model_in_use'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'headers_too_large'
  | 'internal_error'
  | 'engine_failed'
  | 'queue_full'
  | 'queue_timeout'
  | 'model_warming'
  | 'model_failed'
  | 'model_unavailable'
  | 'model_load_failed'
  | 'jobs_unavailable'
  | 'draining'
  | 'storage_full';

export interface ErrorDetails {
  /** The invalid request field, if any. */
  param?: string;
  cause?: unknown;
}

/** An error whose message clients may see: no path, no key, no spoken or written content. */
export class HearsayError extends Error {
  override readonly name = 'HearsayError';
  readonly code: ErrorCode;
  readonly param: string | undefined;

  constructor(code: ErrorCode, message: string, { param, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.param = param;
  }
}

/**
 * The message to log for a system error (`EMFILE`, `EACCES`) or one that clients may see, whose messages suffice.
 * Undefined for all others, which are logged with their stack.
 */
export function lineOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined) return error.message;
  if (!(error instanceof HearsayError)) return undefined;
  if (error.cause === undefined) return error.message;
  const cause = lineOf(error.cause);
  return cause && (cause === error.message ? cause : `${error.message} (${cause})`);
}
