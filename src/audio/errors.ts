import { HearsayError } from '../errors.ts';

/** A HearsayError `invalid_audio` about the uploaded file. @param cause null counts as none */
export function invalidAudio(message: string, cause?: unknown): HearsayError {
  return new HearsayError('invalid_audio', message, { param: 'file', cause: cause ?? undefined });
}

export function audioTooLong(maxSeconds: number): HearsayError {
  return new HearsayError('audio_too_long', `The recording is longer than the ${maxSeconds} seconds allowed.`, {
    param: 'file',
  });
}
