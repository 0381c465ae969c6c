import type { Passage, VoiceWeight } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import type { Way } from '../../text/ssml/passage-list.ts';
import { readSsml } from '../../text/ssml/ssml.ts';
import { invalidSsml, type Position } from '../../text/ssml/xml.ts';
import type { LanguageLetter } from '../../text/types.ts';
import { assertSpoken, capabilities } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { languageLetter } from '../voices/language-codes.ts';
import { languageOf, parseVoice } from '../voices/voices.ts';
import { MAX_SPEED, MAX_VOLUME, MIN_SPEED } from './pace.ts';

/** How a request wants a text spoken. */
type RequestedWay = Pick<Passage, 'voice' | 'language' | 'speed' | 'volume'>;

/**
 * The passages of an SSML document.
 * @param request how to speak what the document does not change
 * @throws HearsayError `invalid_request` with line and column
 */
export async function ssmlPassages(context: SayContext, document: string, request: RequestedWay): Promise<Passage[]> {
  const passages = await readSsml(document);
  const known = new Set((await context.voices()).map(({ id }) => id));
  const voices = new Map<string, VoiceWeight[]>();
  const spoken = capabilities(context);
  const voiceOf = (name: string) => {
    const voice = voices.get(name) ?? parseVoice(name, known);
    voices.set(name, voice);
    return voice;
  };
  return passages.map(({ parts, way }) => {
    const voice = at(way.voice?.position, () => {
      const own = way.voice ? voiceOf(way.voice.value) : request.voice;
      assertSpoken(spoken, { voice: own, language: languageOf(own[0]!.name) });
      return own;
    });
    const usual = way.voice ? languageOf(voice[0]!.name) : request.language;
    const language = at(way.language?.position, () => languageIn(way, usual));
    at(way.language?.position, () => assertSpoken(spoken, { language }));
    return { text: parts, voice, language, ...paceOf(way, request) };
  });
}

/** Adds the position to an error. */
function at<Result>(position: Position | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HearsayError) || !position) throw error;
    throw invalidSsml(error.message, position);
  }
}

/** @param usual the language without `xml:lang` */
function languageIn({ language }: Way, usual: LanguageLetter): LanguageLetter {
  if (!language) return usual;
  const letter = languageLetter(language.value);
  if (letter === undefined) {
    const tag = JSON.stringify(language.value.slice(0, 30));
    throw new HearsayError('invalid_request', `the language ${tag} is unknown.`, { param: 'input' });
  }
  const isSame = letter === usual || (isEnglish(letter) && isEnglish(usual));
  return isSame && !language.isExact ? usual : letter;
}

function isEnglish(letter: LanguageLetter): boolean {
  return letter === 'a' || letter === 'b';
}

function paceOf({ rate, volume, position }: Way, request: RequestedWay): Pick<Passage, 'speed' | 'volume'> {
  const pace = { speed: request.speed * rate, volume: request.volume * volume };
  if (!position) return pace;
  if (pace.speed < MIN_SPEED || pace.speed > MAX_SPEED)
    throw invalidSsml(`the rate makes a speed below ${MIN_SPEED} or above ${MAX_SPEED}.`, position);
  if (pace.volume > MAX_VOLUME) throw invalidSsml(`the volume is above ${MAX_VOLUME} times the usual one.`, position);
  return pace;
}
