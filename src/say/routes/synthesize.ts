import type { FastifyReply } from 'fastify';
import type { SynthesisEvent, SynthesisJob } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { disconnectSignal } from '../../http/server.ts';
import { assertSpoken } from '../capabilities.ts';
import type { SayContext } from '../context.ts';

/**
 * Admits a request to the model; it counts as running until its response has been sent.
 * @returns a signal that aborts when the client disconnects
 * @throws HearsayError `draining`, `model_warming` or `model_failed`
 */
export function admit({ models, drain }: SayContext, reply: FastifyReply): AbortSignal {
  const signal = disconnectSignal(reply);
  signal.throwIfAborted();
  reply.raw.once('close', drain.enter());
  if (models.state === 'warming') throw new HearsayError('model_warming', 'The model is still warming up.');
  if (models.state === 'failed') throw new HearsayError('model_failed', 'The model could not be loaded.');
  return signal;
}

export interface SynthesizeOptions {
  signal: AbortSignal;
  /** Whether the job may start again after its engine died: nothing has been sent yet. */
  mayRetry: () => boolean;
  /** Called before each attempt. */
  onStart: () => Promise<void>;
  /** The engine waits for it, at the pace of a slow client. */
  onEvent: (event: SynthesisEvent) => Promise<void>;
}

/**
 * Runs a job in the engine.
 * @throws HearsayError `invalid_request` for what the model does not speak; whatever `models.use` throws
 */
export async function synthesize(
  { models, activity }: SayContext,
  job: SynthesisJob,
  { signal, mayRetry, onStart, onEvent }: SynthesizeOptions,
): Promise<void> {
  activity.active++;
  try {
    await models.use(
      async (engine) => {
        assertSpoken(engine.info, job);
        await onStart();
        for await (const event of engine.run(job, signal)) await onEvent(event);
      },
      { mayRetry, signal },
    );
  } finally {
    activity.active--;
  }
}
