import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Segment, TranscriptionJob } from '../../contracts/transcription.ts';
import { toHearsayError } from '../../http/errors.ts';
import { EventStream } from '../../http/event-stream.ts';
import type { HearContext } from '../context.ts';
import { milliseconds, renderTranscript } from '../transcript/response.ts';
import type { AudioOptions } from './audio-form.ts';
import { transcribe } from './transcribe.ts';

/**
 * Transcribes a job and sends its segments as they come: `transcript.text.delta` events, then `transcript.text.done`.
 * @returns a function that ends the response, with the last event or with an error
 */
export async function streamTranscript(
  context: HearContext,
  request: FastifyRequest,
  reply: FastifyReply,
  job: TranscriptionJob,
  options: AudioOptions,
  signal: AbortSignal,
): Promise<() => void> {
  const events = new EventStream(reply);
  const isVerbose = options.response_format === 'verbose_json';
  const onSegment = ({ text, start, end }: Segment) => {
    const delta = events.delivered ? text : text.trimStart();
    const times = isVerbose && { start: milliseconds(start), end: milliseconds(end) };
    events.send({ type: 'transcript.text.delta', delta, ...times });
  };
  try {
    const transcript = await transcribe(context, job, { signal, mayRetry: () => !events.delivered, onSegment });
    const { body } = await renderTranscript(transcript, isVerbose ? 'verbose_json' : 'json', options);
    return () => {
      events.sendJson(`{"type":"transcript.text.done",${body.slice(1)}`);
      events.end();
    };
  } catch (error) {
    if (!events.started) throw error;
    if (signal.aborted) return () => {};
    const failure = toHearsayError(error, request, request.log);
    return () => events.fail(failure);
  }
}
