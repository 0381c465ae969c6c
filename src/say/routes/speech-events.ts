import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { HearsayError } from '../../errors.ts';
import { EventStream } from '../../http/event-stream.ts';
import type { SpeechResponse } from './synthesize.ts';

/** Output tokens per second of speech: this service has no tokens, and counts frames of 20 ms. */
const TOKENS_PER_SECOND = 50;

const usage = z.object({
  input_tokens: z.int().describe('Characters of the input.'),
  output_tokens: z.int().describe('Frames of 20 ms.'),
  total_tokens: z.int(),
});

const audioDelta = z
  .object({
    type: z.literal('speech.audio.delta'),
    audio: z.string().describe('The next bytes of the audio in Base64; joined, they are one file.'),
  })
  .meta({ id: 'SpeechAudioDelta' });

const chapterStart = z
  .object({
    type: z.literal('speech.chapter'),
    chapter: z.int().describe('Index of the chapter, from 0'),
    start: z.number().describe('Seconds from the start of the whole audio'),
  })
  .meta({ id: 'SpeechChapter' });

const audioDone = z.object({ type: z.literal('speech.audio.done'), usage }).meta({ id: 'SpeechAudioDone' });

/** A stream, in the API description. Tools disagree on how to describe events, which have their own schemas there. */
export const speechEvents = z
  .unknown()
  .describe('Events `SpeechAudioDelta`, then one `SpeechAudioDone`, each as JSON.');

/** The same for a book. */
export const bookEvents = z
  .unknown()
  .describe(
    'Events `SpeechAudioDelta`, a `SpeechChapter` before each chapter, then one `SpeechAudioDone`, each as JSON.',
  );

type SpeechEvent = z.infer<typeof audioDelta> | z.infer<typeof chapterStart> | z.infer<typeof audioDone>;

/** Sends speech as server-sent events: its bytes as they come, then the usage. */
export class SpeechEvents implements SpeechResponse {
  readonly #events: EventStream;
  readonly #inputTokens: number;
  #seconds = 0;

  /** @param texts of the request */
  constructor(reply: FastifyReply, texts: readonly string[]) {
    this.#events = new EventStream(reply);
    this.#inputTokens = texts.reduce((sum, text) => sum + [...text].length, 0);
  }

  get started(): boolean {
    return this.#events.started;
  }

  get delivered(): boolean {
    return this.#events.delivered;
  }

  async start(): Promise<void> {}

  audio(bytes: Uint8Array): Promise<void> {
    return this.#send({ type: 'speech.audio.delta', audio: Buffer.from(bytes).toString('base64') });
  }

  chapter({ index, start }: { index: number; start: number }): Promise<void> {
    return this.#send({ type: 'speech.chapter', chapter: index, start });
  }

  async chunk(): Promise<void> {}

  spoken(seconds: number): void {
    this.#seconds = seconds;
  }

  async end(): Promise<void> {
    const output_tokens = Math.round(this.#seconds * TOKENS_PER_SECOND);
    const input_tokens = this.#inputTokens;
    const total_tokens = input_tokens + output_tokens;
    await this.#send({ type: 'speech.audio.done', usage: { input_tokens, output_tokens, total_tokens } });
    this.#events.end();
  }

  async fail(error: HearsayError | undefined): Promise<void> {
    if (error && this.started) this.#events.fail(error);
    else this.#events.stop();
  }

  #send(event: SpeechEvent): Promise<void> {
    return this.#events.write(event);
  }
}
