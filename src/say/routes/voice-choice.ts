import type { VoiceWeight } from '../../contracts/synthesis.ts';
import type { LanguageLetter } from '../../text/types.ts';
import { assertSpoken, capabilities } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { languageOf, parseVoice, VoiceNames } from '../voices/voices.ts';

/** A voice, and the language that it speaks. */
export interface ChosenVoice {
  voice: VoiceWeight[];
  language: LanguageLetter;
}

/**
 * Chooses voices: the language is the requested one, else that of the first voice of a blend.
 * @throws HearsayError `invalid_request` if the voice is unknown or malformed, or the model does not speak it
 */
export type ChooseVoice = (name: string, requestedLanguage?: LanguageLetter) => ChosenVoice;

/** Makes the choice for one request: each name is parsed once. */
export async function voiceChoice(context: SayContext): Promise<ChooseVoice> {
  const known = new VoiceNames(await context.voices());
  const spoken = capabilities(context);
  const parsed = new Map<string, VoiceWeight[]>();
  return (name, requestedLanguage) => {
    const voice = parsed.get(name) ?? parseVoice(name, known);
    parsed.set(name, voice);
    const language = requestedLanguage ?? languageOf(voice[0]!.name);
    assertSpoken(spoken, { voice, language });
    return { voice, language };
  };
}
