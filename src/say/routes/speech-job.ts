import type { AudioFormat } from '../../audio/formats.ts';
import type { SynthesisJob, VoiceWeight } from '../../contracts/synthesis.ts';
import type { LanguageLetter } from '../../text/types.ts';
import { assertSpoken, capabilities } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { parseVoice } from '../voices/blend.ts';
import { languageOf } from '../voices/voices.ts';
import { assertPauses, type SpeechFields } from './speech-fields.ts';

export type SpeechJob = Extract<SynthesisJob, { kind: 'speech' }>;

/** What a valid request asks for. */
export interface Speech {
  job: SpeechJob;
  /** Format of the file to keep for download. */
  download?: AudioFormat | undefined;
}

/** Converts the fields of a request. @throws HearsayError `invalid_request` */
export async function createSpeech(
  context: SayContext,
  fields: SpeechFields,
  { captions }: { captions: boolean },
): Promise<Speech> {
  const { input, response_format: format, normalization_options: normalization } = fields;
  assertPauses(input, 'input');
  const { voice, language } = await chooseVoice(context, fields.voice, fields.lang_code);
  const download = fields.return_download_link ? (fields.download_format ?? format) : undefined;
  const job: SpeechJob = {
    kind: 'speech',
    input: { text: input, normalization },
    voice,
    language,
    speed: fields.speed,
    volume: fields.volume_multiplier,
    format,
    ...(download !== undefined && download !== format && { downloadFormat: download }),
    captions,
    ...(fields.lexicon && { lexicon: fields.lexicon }),
  };
  return { job, download };
}

/**
 * Parses the voice of a request; its language is the requested one, else that of the first voice.
 * @throws HearsayError `invalid_request` if the voice is unknown or malformed, or the model does not speak it
 */
export async function chooseVoice(
  context: SayContext,
  name: string,
  requestedLanguage?: LanguageLetter,
): Promise<{ voice: VoiceWeight[]; language: LanguageLetter }> {
  const voice = parseVoice(name, new Set((await context.voices()).map(({ id }) => id)));
  const language = requestedLanguage ?? languageOf(voice[0]!.name);
  assertSpoken(capabilities(context), { voice, language });
  return { voice, language };
}
