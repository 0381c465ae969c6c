import type { VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import type { LanguageLetter } from '../../text/types.ts';
import { assertSpoken, capabilities } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { languageOf, parseVoice, VoiceNames } from '../voices/voices.ts';

/** All voices and blends of a request together: parsing a million characters takes a quarter of a second. */
const MAX_CHARACTERS = 200_000;

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

/** Makes the choice for one request: each name is parsed once, and all of them have a limit together. */
export async function voiceChoice(context: SayContext): Promise<ChooseVoice> {
  const known = new VoiceNames(await context.voices());
  const spoken = capabilities(context);
  const parsed = new Map<string, VoiceWeight[]>();
  let characters = 0;
  const parse = (name: string) => {
    characters += name.length;
    if (characters > MAX_CHARACTERS) {
      const message = `The different voices of a request may have ${MAX_CHARACTERS} characters together.`;
      throw new HearsayError('invalid_request', message, { param: 'voice' });
    }
    const voice = parseVoice(name, known);
    parsed.set(name, voice);
    return voice;
  };
  return (name, requestedLanguage) => {
    const voice = parsed.get(name) ?? parse(name);
    const language = requestedLanguage ?? languageOf(voice[0]!.name);
    assertSpoken(spoken, { voice, language });
    return { voice, language };
  };
}
