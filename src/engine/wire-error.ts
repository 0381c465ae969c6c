import { type ErrorCode, HearsayError } from '../errors.ts';

/** An error on its way from the engine process, where it would lose its class. */
export interface WireError {
  /** Absent: an unexpected error; its message is for the log and never for the client. */
  code?: ErrorCode;
  param?: string;
  message: string;
  stack?: string;
}

/** Made ready to be sent. */
export function toWireError(error: unknown): WireError {
  if (error instanceof HearsayError) {
    const { code, param, message } = error;
    return param === undefined ? { code, message } : { code, param, message };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack ?? error.message };
  return { message: String(error) };
}

/** The same error again: a HearsayError, or an Error with the message and the stack of an unexpected one. */
export function fromWireError({ code, param, message, stack }: WireError): Error {
  if (code !== undefined) return new HearsayError(code, message, param === undefined ? {} : { param });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
