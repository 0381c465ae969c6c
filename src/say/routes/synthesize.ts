import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SynthesisEvent, SynthesisJob } from '../../contracts/synthesis.ts';
import type { HearsayError } from '../../errors.ts';
import { toHearsayError } from '../../http/errors.ts';
import { assertReady } from '../../http/health.ts';
import { disconnectSignal } from '../../http/server.ts';
import { cutStalledResponse } from '../../http/stalled-response.ts';
import { type Attributes, during } from '../../tracing/tracing.ts';
import { assertSpoken } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { RequestedFile } from './requested-file.ts';
import type { Speech } from './speech-request.ts';

/** A request that the model may serve. */
export interface AdmittedRequest {
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /**
   * Waits for the request's turn. It keeps its slot until the response has been sent, or its client stops reading while
   * others wait.
   *
   * @throws HearsayError `queue_timeout`
   */
  slot(): Promise<void>;
}

/**
 * Admits a request to the model; it counts as running until its response has been sent.
 * @throws HearsayError `draining`, `model_warming`, `model_failed` or `queue_full`
 */
export function admit(
  { models, gate, drain }: SayContext,
  request: FastifyRequest,
  reply: FastifyReply,
): AdmittedRequest {
  const signal = disconnectSignal(reply);
  signal.throwIfAborted();
  reply.raw.once('close', drain.enter());
  assertReady(models);
  const admission = gate.admit();
  reply.raw.once('close', admission.release);
  return {
    signal,
    async slot() {
      await during(request.raw, 'queue', () => admission.slot(signal));
      cutStalledResponse(request, reply, () => gate.waiting > 0);
    },
  };
}

/** Header with the number of letters that were skipped because the language does not read them. */
export const SKIPPED_TEXT = 'x-skipped-text';

interface SynthesizeOptions {
  signal: AbortSignal;
  /** Head of the request, for its trace. */
  head?: IncomingMessage;
  /** Whether the job may start again after its engine died: nothing has been sent yet. */
  mayRetry: () => boolean;
  /** Called before each attempt. */
  onStart: () => Promise<void>;
  /** The engine waits for it, so that it does not run ahead of a slow client. */
  onEvent: (event: SynthesisEvent) => Promise<void>;
}

/**
 * Runs a job in the engine.
 * @throws HearsayError `invalid_request` for what the model does not speak; whatever `models.use` throws
 */
export async function synthesize(
  { models, onSpoken }: SayContext,
  job: SynthesisJob,
  { signal, head, mayRetry, onStart, onEvent }: SynthesizeOptions,
): Promise<void> {
  const infer = (annotate: (attributes: Attributes) => void) =>
    models.use(
      async (engine) => {
        annotate({ 'hearsay.model': engine.info.model });
        for (const spoken of spokenIn(job)) assertSpoken(engine.info, spoken);
        await onStart();
        let inference = 0;
        let since = performance.now();
        for await (const event of engine.run(job, signal)) {
          // Without the time that the client takes to read.
          inference += performance.now() - since;
          if (event.type === 'end') {
            annotate({ 'hearsay.audio.seconds': event.seconds });
            onSpoken({ seconds: event.seconds, inference: inference / 1000 });
          }
          await onEvent(event);
          since = performance.now();
        }
      },
      { mayRetry, signal },
    );
  await during(head, 'inference', infer);
}

/** Voices and languages of a job. */
function spokenIn(job: SynthesisJob): Parameters<typeof assertSpoken>[1][] {
  return job.kind === 'speech' && 'passages' in job.input ? job.input.passages : [job];
}

/** A chunk whose audio has been sent. */
export type SpokenChunk = Pick<Extract<SynthesisEvent, { type: 'chunk' }>, 'words' | 'marks' | 'passage' | 'chapter'>;

/** Sends the speech of a request in one of several forms. */
export interface SpeechResponse {
  /** Whether the head has been sent: the status is final. */
  readonly started: boolean;
  /** Whether some of the speech has been sent. Default: with the head */
  readonly delivered?: boolean;
  /** Called before each attempt; discards the previous one. */
  start(): Promise<void>;
  audio(bytes: Uint8Array): Promise<void>;
  /** Called after the last audio with bytes that replace the first ones, if nothing has been sent yet. */
  header?(bytes: Uint8Array): void;
  /** Called before the audio of a chapter. */
  chapter?(chapter: { index: number; start: number }): Promise<void>;
  /** Called after the audio of a chunk, with its words and marks. */
  chunk(chunk: SpokenChunk): Promise<void>;
  /** Sends the rest. */
  end(): Promise<void>;
  /** Called before `end` with the length of the audio. */
  spoken?(seconds: number): void;
  /**
   * Called on failure, instead of `end`. A started response must not look complete.
   * @param error for a client that still reads a started response
   */
  fail(error?: HearsayError): Promise<void>;
}

/**
 * Serves a speech request: admission, queue, engine, file for download, response.
 * @param create makes the job, before the request waits for its turn
 * @param respond makes the response, when its turn has come: it may need a file
 */
export async function serveSpeech(
  context: SayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { create, respond }: { create: () => Promise<Speech>; respond: () => Promise<SpeechResponse> },
): Promise<FastifyReply> {
  const { signal, slot } = admit(context, request, reply);
  const { job, download } = await create();
  await slot();
  const response = await respond();
  const hasDelivered = () => response.delivered ?? response.started;
  const file = new RequestedFile(context.downloads, request.log, hasDelivered);
  try {
    if (download !== undefined) reply.header('x-download-path', await file.create(download));
    await synthesize(context, job, {
      signal,
      head: request.raw,
      mayRetry: () => !hasDelivered(),
      onStart: async () => {
        await file.restart();
        await response.start();
      },
      onEvent: async (event) => {
        switch (event.type) {
          case 'skipped':
            reply.header(SKIPPED_TEXT, event.characters);
            return;
          case 'audio':
            if (job.downloadFormat === undefined) await file.write(event.bytes);
            return response.audio(event.bytes);
          case 'download':
            return file.write(event.bytes);
          case 'header':
            if (event.of === 'audio') response.header?.(event.bytes);
            if ((event.of === 'download') === (job.downloadFormat !== undefined)) file.replaceHeader(event.bytes);
            return;
          case 'chapter':
            return response.chapter?.(event);
          case 'chunk':
            return response.chunk(event);
          case 'end':
            response.spoken?.(event.seconds);
        }
      },
    });
    // Before the end of the response: the client may follow the link at once.
    await file.keep();
    await response.end();
  } catch (error) {
    await file.discard();
    reply.removeHeader('x-download-path').removeHeader(SKIPPED_TEXT);
    if (!response.started) {
      await response.fail();
      throw error;
    }
    await response.fail(signal.aborted ? undefined : toHearsayError(error, request, request.log));
  }
  return reply;
}
