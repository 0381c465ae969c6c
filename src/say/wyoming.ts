import type { FastifyBaseLogger } from 'fastify';
import { OUTPUT_RATE } from '../audio/formats.ts';
import { version } from '../config/version.ts';
import { HearsayError } from '../errors.ts';
import { assertReady } from '../http/health.ts';
import { fenceAfterText } from '../text/code-fence.ts';
import { PARAGRAPH_SECONDS } from '../text/paragraphs.ts';
import { endsWithBlankLine } from '../text/segments.ts';
import type { LanguageLetter } from '../text/types.ts';
import type { WyomingConnection } from '../wyoming/connection.ts';
import { artifact, info } from '../wyoming/description.ts';
import type { WyomingEvent } from '../wyoming/events.ts';
import type { WyomingHandler } from '../wyoming/server.ts';
import { spokenVoices } from './capabilities.ts';
import type { SayContext } from './context.ts';
import { createSpeech, speechFields } from './routes/speech-request.ts';
import { synthesize } from './routes/synthesize.ts';
import { voiceChoice } from './routes/voice-choice.ts';
import { languageLetter } from './voices/language-codes.ts';
import { languageOf } from './voices/voices.ts';
import { offsetInLine, type PieceRules, pieceRules, wholeSentencesEnd } from './whole-sentences.ts';

/** Tags of the languages of voices, as Home Assistant matches them. */
const tags: Readonly<Record<LanguageLetter, string>> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es-ES',
  f: 'fr-FR',
  h: 'hi-IN',
  i: 'it-IT',
  j: 'ja-JP',
  p: 'pt-BR',
  z: 'zh-CN',
};

/** Signed 16-bit samples in one channel. */
const AUDIO = { rate: OUTPUT_RATE, width: 2, channels: 1 };

/** How a text is to be spoken. */
interface Way {
  voice: string | undefined;
  format: 'text' | 'ssml';
}

/** A text that arrives in pieces. */
interface Stream {
  way: Way;
  rules: PieceRules;
  /** Not spoken yet. */
  text: string;
  /** Characters of the current line before `text`. */
  lineOffset: number;
  /** Whitespace since the last words. */
  gap: string;
  /** The mark of the block of code that is open before `text`. */
  fence: string | undefined;
}

/** The audio of one answer. */
interface Answer {
  hasStarted: boolean;
}

/**
 * Serves speech to one client of the Wyoming protocol: `describe`; `synthesize` of a whole text; or `synthesize-start`,
 * `synthesize-chunk`s and `synthesize-stop`, spoken sentence by sentence as they come. A document of SSML is spoken as a whole.
 */
export class WyomingSpeech implements WyomingHandler {
  readonly #context: SayContext;
  readonly #log: FastifyBaseLogger;
  readonly #connection: WyomingConnection;
  #stream: (Stream & Answer) | undefined;

  constructor(context: SayContext, log: FastifyBaseLogger, connection: WyomingConnection) {
    this.#context = context;
    this.#log = log;
    this.#connection = connection;
  }

  async handle({ type, data }: WyomingEvent): Promise<void> {
    const connection = this.#connection;
    switch (type) {
      case 'describe':
        return connection.send('info', await this.#info());
      case 'synthesize':
        // Sent within a stream for services that cannot stream.
        if (this.#stream) return;
        return this.#speakAll(textOf(data), await this.#wayOf(data));
      case 'synthesize-start':
        this.#stream = await this.#begin(await this.#wayOf(data));
        return;
      case 'synthesize-chunk':
        return this.#add(textOf(data));
      case 'synthesize-stop':
        await this.#finish();
        return connection.send('synthesize-stopped');
    }
  }

  async #info(): Promise<object> {
    const voices = (await spokenVoices(this.#context)).map(({ id, name }) =>
      artifact({ name: id, description: name, version, languages: [tags[languageOf(id)]] }),
    );
    const program = artifact({ name: 'hearsay', description: 'Hearsay speaks', version });
    return info({ tts: [{ ...program, voices, supports_synthesize_streaming: true }] });
  }

  async #wayOf(data: WyomingEvent['data']): Promise<Way> {
    return { voice: await this.#voiceOf(data), format: data.text_format === 'ssml' ? 'ssml' : 'text' };
  }

  /** The voice by its name, else the first one of the language; undefined for the default. */
  async #voiceOf({ voice }: WyomingEvent['data']): Promise<string | undefined> {
    const { name, language } = (voice ?? {}) as { name?: unknown; language?: unknown };
    if (typeof name === 'string' && name !== '') return name;
    if (typeof language !== 'string' || language === '') return undefined;
    const letter = languageLetter(language);
    const choose = await voiceChoice(this.#context);
    if (letter === choose(this.#context.config.defaultVoice).language) return undefined;
    const found = (await spokenVoices(this.#context)).find(({ id }) => languageOf(id) === letter);
    if (!found) throw new HearsayError('invalid_request', `No voice speaks ${language.slice(0, 100)}.`);
    return found.id;
  }

  /** A stream in a voice. An unknown voice is refused when it speaks. */
  async #begin(way: Way): Promise<Stream & Answer> {
    const letter = languageOf((way.voice ?? this.#context.config.defaultVoice).toLowerCase());
    const rules = await pieceRules(letter);
    return { way, rules, text: '', lineOffset: 0, gap: '', fence: undefined, hasStarted: false };
  }

  async #speakAll(text: string, way: Way): Promise<void> {
    const answer = { hasStarted: false };
    await this.#speak(text, way, answer);
    await this.#start(answer);
    await this.#connection.send('audio-stop');
  }

  /** Speaks the rest of a stream. */
  async #finish(): Promise<void> {
    const stream = this.#stream;
    if (!stream) throw new HearsayError('invalid_request', 'synthesize-stop came before synthesize-start.');
    if (stream.way.format === 'ssml') await this.#speak(stream.text, stream.way, stream);
    else await this.#speakPart(stream.text, stream.lineOffset === 0, stream);
    this.#stream = undefined;
    await this.#start(stream);
    await this.#connection.send('audio-stop');
  }

  /** Announces the audio, once: a refusal comes before it. */
  async #start(answer: Answer): Promise<void> {
    if (answer.hasStarted) return;
    answer.hasStarted = true;
    await this.#connection.send('audio-start', AUDIO);
  }

  /** Speaks the whole sentences of a stream. */
  async #add(chunk: string): Promise<void> {
    const stream = this.#stream;
    if (!stream) throw new HearsayError('invalid_request', 'synthesize-chunk came before synthesize-start.');
    stream.text += chunk;
    const { maxInputCharacters } = this.#context.config;
    if (stream.text.length > 2 * maxInputCharacters)
      throw new HearsayError('invalid_request', `A sentence may have ${maxInputCharacters} characters at most.`);
    if (stream.way.format === 'ssml') return;
    const end = wholeSentencesEnd(stream.text, stream.rules, stream.lineOffset);
    if (end === 0) return;
    const sentences = stream.text.slice(0, end);
    const isLineStart = stream.lineOffset === 0;
    stream.lineOffset = offsetInLine(stream.text, end, stream.lineOffset);
    stream.text = stream.text.slice(end);
    await this.#speakPart(sentences, isLineStart, stream);
  }

  /** Speaks a part of a stream, which may hold nothing to speak. */
  async #speakPart(text: string, isLineStart: boolean, stream: Stream & Answer): Promise<void> {
    const { fence } = stream;
    stream.fence = fenceAfterText(text, fence, isLineStart);
    const words = text.trim();
    const start = stream.gap + text.slice(0, text.indexOf(words));
    stream.gap = words === '' ? start + text : text.slice(text.trimEnd().length);
    if (words === '') return;
    const pause = stream.hasStarted && endsWithBlankLine(start) ? `[pause:${PARAGRAPH_SECONDS}s]\n` : '';
    // Each part is a text of its own, which does not know that it begins in a block of code.
    const opening = fence === undefined ? '' : `${fence}\n`;
    await this.#speak(pause + opening + text, stream.way, stream).catch((error: unknown) => {
      if (error instanceof HearsayError && error.code === 'unspeakable_text') return;
      throw error;
    });
  }

  async #speak(text: string, { voice, format }: Way, answer: Answer): Promise<void> {
    const { models, gate, drain, config } = this.#context;
    const { signal } = this.#connection;
    const body = { input: text, input_type: format, response_format: 'pcm', ...(voice !== undefined && { voice }) };
    const fields = speechFields(config).safeParse(body);
    if (!fields.success) throw new HearsayError('invalid_request', `text ${fields.error.issues[0]!.message}`);
    assertReady(models);
    const { job } = await createSpeech(this.#context, fields.data, { captions: false });
    const leaveDrain = drain.enter();
    try {
      const admission = gate.admit();
      try {
        await admission.slot(signal);
        let hasSent = false;
        await synthesize(this.#context, job, {
          signal,
          mayRetry: () => !hasSent,
          onStart: async () => {},
          onEvent: async (event) => {
            if (event.type === 'skipped') this.#log.debug({ characters: event.characters }, 'Letters were skipped');
            if (event.type !== 'audio') return;
            hasSent = true;
            await this.#start(answer);
            await this.#connection.send('audio-chunk', AUDIO, event.bytes);
          },
        });
      } finally {
        admission.release();
      }
    } finally {
      leaveDrain();
    }
  }
}

function textOf({ text }: WyomingEvent['data']): string {
  if (typeof text !== 'string') throw new HearsayError('invalid_request', 'The event has no text.');
  return text;
}
