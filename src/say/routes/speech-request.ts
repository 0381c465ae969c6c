import type { FastifyReply, FastifyRequest } from 'fastify';
import { toHearsayError } from '../../http/errors.ts';
import type { SayContext } from '../context.ts';
import type { AudioFile } from '../downloads/audio-file.ts';
import type { Speech } from './speech-job.ts';
import type { SpeechResponse } from './speech-response.ts';
import { synthesize } from './synthesize.ts';

/** Serves an admitted speech request: engine, file for download, response. */
export async function handleSpeechRequest(
  context: SayContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { job, download }: Speech,
  response: SpeechResponse,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const { downloads } = context;
  let file: AudioFile | undefined;
  const discardFile = async () => {
    const discarded = file;
    file = undefined;
    await discarded?.discard().catch((error) => request.log.warn({ err: error }, 'A file could not be removed'));
  };
  /** Once the client is listening, a dead link is the lesser loss. */
  const onFileError = async (error: unknown) => {
    if (!response.started) throw error;
    request.log.warn({ err: error }, 'A file for download could not be written');
    await discardFile();
  };
  const save = async (bytes: Uint8Array) => file?.write(bytes).catch(onFileError);
  try {
    if (download !== undefined) {
      file = await downloads.create(download);
      reply.header('x-download-path', `/v1/download/${file.name}`);
    }
    await synthesize(context, job, {
      signal,
      mayRetry: () => !response.started,
      onStart: async () => {
        await file?.restart();
        await response.start();
      },
      onEvent: async (event) => {
        switch (event.type) {
          case 'audio':
            if (job.downloadFormat === undefined) await save(event.bytes);
            return response.audio(event.bytes);
          case 'download':
            return save(event.bytes);
          case 'chunk':
            return response.chunk(event.words);
        }
      },
    });
    // Before the end of the response: the client may follow the link at once.
    if (file) await downloads.keep(file).catch(onFileError);
    file = undefined;
    await response.end();
  } catch (error) {
    await discardFile();
    reply.removeHeader('x-download-path');
    const { started } = response;
    await response.fail();
    if (!started) throw error;
    // The response is cut already; this only logs.
    if (!signal.aborted) toHearsayError(error, request, request.log);
  }
  return reply;
}
