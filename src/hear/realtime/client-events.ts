import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { isObject } from '../../files/json.ts';
import { parseJson } from '../../http/json.ts';

const eventId = z.string().max(512).nullish();
const session = z.looseObject({});
const item_id = z.string().max(512);

const clientEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.update'), event_id: eventId, session }),
  z.object({ type: z.literal('transcription_session.update'), event_id: eventId, session }),
  z.object({ type: z.literal('input_audio_buffer.append'), event_id: eventId, audio: z.string() }),
  z.object({ type: z.literal('input_audio_buffer.commit'), event_id: eventId }),
  z.object({ type: z.literal('input_audio_buffer.clear'), event_id: eventId }),
  z.object({ type: z.literal('conversation.item.retrieve'), event_id: eventId, item_id }),
  z.object({ type: z.literal('conversation.item.delete'), event_id: eventId, item_id }),
]);

export type ClientEvent = z.output<typeof clientEvent>;

const types: string[] = clientEvent.options.map(({ shape }) => shape.type.value);

/**
 * Reads a message of a client.
 * @throws HearsayError `invalid_request` unless it is an event that transcription knows
 */
export function parseClientEvent(message: string): ClientEvent {
  const value = parseJson(message, 'The message');
  if (!isObject(value)) {
    throw new HearsayError('invalid_request', 'An event must be a JSON object with a type.', { param: 'type' });
  }
  const { type } = value;
  if (typeof type !== 'string' || !types.includes(type)) {
    const shown = JSON.stringify(type)?.slice(0, 100) ?? 'nothing';
    throw new HearsayError('invalid_request', `Unknown event type ${shown}. Supported are ${types.join(', ')}.`, {
      param: 'type',
    });
  }
  const result = clientEvent.safeParse(value);
  if (result.success) return result.data;
  const { path, message: reason } = result.error.issues[0]!;
  const param = path.map(String).join('.');
  throw new HearsayError('invalid_request', `${param}: ${reason}`, { param });
}

/** The id that a client gave an event; null if there is none or it is invalid. */
export function eventIdOf(message: string): string | null {
  try {
    const { event_id } = parseJson(message, 'The message') as { event_id?: unknown };
    return typeof event_id === 'string' ? event_id.slice(0, 512) : null;
  } catch {
    return null;
  }
}
