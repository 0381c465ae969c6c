import type { FastifyReply } from 'fastify';
import type { SynthesisEvent, SynthesisJob, SynthesizerInfo, VoiceWeight } from '../contracts/synthesis.ts';
import { HearsayError } from '../errors.ts';
import type { Drain } from '../http/drain.ts';
import type { HealthSource } from '../http/health.ts';
import { hangUpSignal } from '../http/server.ts';
import type { LanguageLetter } from '../text/types.ts';
import type { Downloads } from './downloads/downloads.ts';
import { languageOf, type Voice } from './routes/voices.ts';
import { languageNames } from './voices/language-codes.ts';

export interface SynthesisRunner {
  readonly info: SynthesizerInfo;
  run(job: SynthesisJob, signal?: AbortSignal): AsyncIterable<SynthesisEvent>;
}

/** The resident model, as the routes see it. */
export interface SynthesisModels extends HealthSource {
  readonly info: SynthesizerInfo | undefined;
  /** Whether it is in memory; after an unloading the next request loads it. */
  readonly resident: boolean;
  use<T>(
    work: (engine: SynthesisRunner) => Promise<T>,
    options?: { mayRetry?: () => boolean; signal?: AbortSignal },
  ): Promise<T>;
  unload(): Promise<void>;
}

/** What a model can speak, as far as it is known before the model is loaded. */
export type Capabilities = Pick<SynthesizerInfo, 'model' | 'languages'>;

export interface SynthesisContext {
  models: SynthesisModels;
  /** What the selected model will speak, until it is loaded and says so itself. */
  expected: Capabilities;
  drain: Drain;
  /** Requests in synthesis; there is no queue. */
  activity: { active: number; readonly waiting: number };
  downloads: Downloads;
  /** All voices that there are at this moment, whatever the model speaks. */
  voices: () => Promise<readonly Voice[]>;
  /** Voice of a request that names none. */
  defaultVoice: string;
  maxInputCharacters: number;
}

/** What the model speaks, or will. */
export function capabilities({ models, expected }: SynthesisContext): Capabilities {
  return models.info ?? expected;
}

/** The voices that the model speaks. */
export async function spokenVoices(context: SynthesisContext): Promise<Voice[]> {
  const { languages } = capabilities(context);
  return (await context.voices()).filter(({ id }) => languages.includes(languageOf(id)));
}

/**
 * @param what of a job, whose kind tells the name of the field that holds the language
 * @throws HearsayError `invalid_request` for a voice or a language that the model does not speak.
 */
export function refuseUnlessSpoken(
  { model, languages }: Capabilities,
  what: { kind?: SynthesisJob['kind']; voice?: readonly VoiceWeight[]; language: LanguageLetter },
): void {
  const { kind, voice = [], language } = what;
  const advice = model === 'kokoro' ? '' : '; kokoro does';
  const foreign = voice.find(({ name }) => !languages.includes(languageOf(name)));
  if (foreign) {
    const message = `The model ${model} does not speak the voice ${foreign.name}${advice}.`;
    throw new HearsayError('invalid_request', message, { param: 'voice' });
  }
  if (!languages.includes(language)) {
    const message = `The model ${model} does not speak ${languageNames[language]}${advice}.`;
    throw new HearsayError('invalid_request', message, { param: kind === 'phonemize' ? 'language' : 'lang_code' });
  }
}

/**
 * Admits a request to the model; it counts as running until its answer has left.
 * @returns a signal that aborts when the client hangs up
 * @throws HearsayError `draining`, `model_warming` or `model_failed`
 */
export function admit({ models, drain }: SynthesisContext, reply: FastifyReply): AbortSignal {
  const signal = hangUpSignal(reply);
  signal.throwIfAborted();
  reply.raw.once('close', drain.enter());
  if (models.state === 'warming') throw new HearsayError('model_warming', 'The model is still warming up.');
  if (models.state === 'failed') throw new HearsayError('model_failed', 'The model could not be loaded.');
  return signal;
}

export interface Synthesis {
  job: SynthesisJob;
  signal: AbortSignal;
  /** Whether nothing has left yet, so that a second try can begin anew. */
  mayRetry: () => boolean;
  /** Called before each try. */
  onStart: () => Promise<void>;
  /** The engine waits for it: whoever reads slowly is served slowly. */
  onEvent: (event: SynthesisEvent) => Promise<void>;
}

/** Runs a job in the engine. @throws what `models.use` and the engine throw; HearsayError for what it cannot speak. */
export async function synthesize(context: SynthesisContext, synthesis: Synthesis): Promise<void> {
  const { models, activity } = context;
  const { job, signal, mayRetry, onStart, onEvent } = synthesis;
  activity.active++;
  try {
    await models.use(
      async (engine) => {
        refuseUnlessSpoken(engine.info, job);
        await onStart();
        for await (const event of engine.run(job, signal)) await onEvent(event);
      },
      { mayRetry, signal },
    );
  } finally {
    activity.active--;
  }
}
