import type {
  Segment,
  SpeechModelInfo,
  TranscriptionEvent,
  TranscriptionJob,
  TranscriptionTask,
} from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import type { HearContext } from '../context.ts';
import { sizesKnowing, translatingSizes } from '../presets.ts';
import { languageName } from '../transcript/languages.ts';
import type { Transcript } from '../transcript/response.ts';
import type { AudioOptions } from './audio-form.ts';

export interface TranscribeOptions {
  signal: AbortSignal;
  /** Whether the job may start again after its engine died. Default: it may. */
  mayRetry?: () => boolean;
  onSegment?: (segment: Segment) => void;
}

/** Runs a job in the engine and collects its transcript. */
export async function transcribe(
  { models, onTranscribed }: Pick<HearContext, 'models' | 'onTranscribed'>,
  job: TranscriptionJob,
  { signal, mayRetry = () => true, onSegment }: TranscribeOptions,
): Promise<Transcript> {
  const transcript = await models.use(
    async (engine) => {
      // Another model may have been activated since the request arrived.
      assertCapable(engine.info, job.task, job);
      const segments: Segment[] = [];
      let end: Extract<TranscriptionEvent, { type: 'end' }> | undefined;
      for await (const event of engine.run(job, signal)) {
        if (event.type === 'end') {
          end = event;
        } else {
          segments.push(event.segment);
          onSegment?.(event.segment);
        }
      }
      if (!end) throw new Error('The engine finished a recording without its end event.');
      return { task: job.task, language: end.language, duration: end.duration, segments };
    },
    { mayRetry, signal },
  );
  onTranscribed(transcript.duration);
  return transcript;
}

/** @throws HearsayError `unsupported_task` or `unsupported_language` */
export function assertCapable(
  info: SpeechModelInfo,
  task: TranscriptionTask,
  { language }: Pick<AudioOptions, 'language'>,
): void {
  if (task === 'translate' && !info.translates) {
    throw new HearsayError('unsupported_task', `The model ${info.model} cannot translate; ${translatingSizes()} can.`);
  }
  if (language !== undefined && !info.languages.includes(language)) {
    const name = languageName(language) ?? language;
    throw new HearsayError(
      'unsupported_language',
      `Unsupported language: ${language}. The model ${info.model} does not know ${name}; ${sizesKnowing(language)} does.`,
      { param: 'language' },
    );
  }
}
