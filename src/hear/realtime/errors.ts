import { HearsayError } from '../../errors.ts';

/** Codes that only events of a session have. */
export type RealtimeCode =
  | 'input_audio_buffer_commit_empty'
  | 'item_retrieve_invalid_item_id'
  | 'item_delete_invalid_item_id'
  | 'session_expired';

/** An invalid event, with the code that clients of the reference know. */
export class RealtimeError extends HearsayError {
  readonly realtimeCode: RealtimeCode;

  constructor(code: RealtimeCode, message: string, param?: string) {
    super('invalid_request', message, param === undefined ? {} : { param });
    this.realtimeCode = code;
  }
}
