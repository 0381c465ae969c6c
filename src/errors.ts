/**
 * Every way a request can end badly, by code. `http/errors.ts` alone turns a code into a status, a body and headers;
 * `docs/errors.md` lists them all, and a test holds the two together.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'unsupported_response_format'
  | 'unsupported_language'
  | 'unsupported_task'
  | 'invalid_audio'
  | 'audio_too_long'
  | 'invalid_model'
  | 'invalid_api_key'
  | 'forbidden'
  | 'not_found'
  | 'upload_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'internal_error'
  | 'engine_failed'
  | 'queue_full'
  | 'queue_timeout'
  | 'model_warming'
  | 'model_failed'
  | 'model_load_failed'
  | 'draining'
  | 'storage_full';

export interface ErrorDetails {
  /** The request field at fault, where there is one. */
  param?: string;
  cause?: unknown;
}

/** An error whose message may be shown to the client: it names no path, no key and nothing of what was said. */
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
