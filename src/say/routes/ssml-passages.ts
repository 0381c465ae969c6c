import type { Passage } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import type { Way } from '../../text/ssml/passage-list.ts';
import { readSsml } from '../../text/ssml/ssml.ts';
import { invalidSsml, type Position } from '../../text/ssml/xml.ts';
import type { LanguageLetter } from '../../text/types.ts';
import { languageLetter } from '../voices/language-codes.ts';
import { MAX_SPEED, MAX_VOLUME, MIN_SPEED } from './pace.ts';
import type { ChooseVoice } from './voice-choice.ts';

/** How a request wants a text spoken. */
interface RequestedWay extends Pick<Passage, 'voice' | 'language' | 'speed' | 'volume'> {
  voiceName: string;
}

/**
 * The passages of an SSML document.
 * @param request how to speak what the document does not change
 * @throws HearsayError `invalid_request` with line and column
 */
export async function ssmlPassages(document: string, request: RequestedWay, choose: ChooseVoice): Promise<Passage[]> {
  const passages = await readSsml(document);
  return passages.map(({ parts, way }) => {
    const own = at(way.voice?.position, () => (way.voice ? choose(way.voice.value) : request));
    const { voice, language } = at(way.language?.position, () => {
      const language = languageIn(way, own.language);
      return language === own.language ? own : choose(way.voice?.value ?? request.voiceName, language);
    });
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
