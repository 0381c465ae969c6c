import { type ErrorCode, HearsayError } from '../errors.ts';

/** An error as the engine process sends it; serialization would drop its class. */
export interface WireError {
  /** Undefined for an unexpected error, whose message only the log may show. */
  code?: ErrorCode;
  param?: string;
  message: string;
  stack?: string;
}

export function toWireError(error: unknown): WireError {
  if (error instanceof HearsayError) {
    const { code, param, message } = error;
    return param === undefined ? { code, message } : { code, param, message };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack ?? error.message };
  return { message: String(error) };
}

/** A HearsayError if the error has a code, otherwise an Error with the original message and stack. */
export function fromWireError({ code, param, message, stack }: WireError): Error {
  if (code !== undefined) return new HearsayError(code, message, param === undefined ? {} : { param });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
