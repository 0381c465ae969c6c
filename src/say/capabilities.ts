import type { SynthesisJob, SynthesizerInfo, VoiceWeight } from '../contracts/synthesis.ts';
import { HearsayError } from '../errors.ts';
import type { LanguageLetter } from '../text/types.ts';
import type { SayContext } from './context.ts';
import { withDistinctNames } from './voices/distinct-names.ts';
import { languageNames } from './voices/language-codes.ts';
import { languageOf, type Voice } from './voices/voices.ts';

/** What a model can speak, as far as is known before it is loaded. */
export type Capabilities = Pick<SynthesizerInfo, 'model' | 'languages'>;

/** The capabilities of the loaded model, or the expected ones. */
export function capabilities({ models, expected }: SayContext): Capabilities {
  return models.info ?? expected;
}

/** The voices that the model speaks, with distinct names. */
export async function spokenVoices(context: SayContext): Promise<Voice[]> {
  const { languages } = capabilities(context);
  return withDistinctNames(await context.voices()).filter(({ id }) => languages.includes(languageOf(id)));
}

/**
 * @param kind of the job: decides which field an error names
 * @throws HearsayError `invalid_request` for a voice or a language that the model does not speak
 */
export function assertSpoken(
  { model, languages }: Capabilities,
  {
    kind,
    voice = [],
    language,
  }: { kind?: SynthesisJob['kind']; voice?: readonly VoiceWeight[]; language: LanguageLetter },
): void {
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
