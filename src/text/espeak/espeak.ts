import { createRequire } from 'node:module';
import { HearsayError } from '../../errors.ts';

const PACKAGE = '@echogarden/espeak-ng-emscripten';
const IPA = 1;
/** More characters than the longest sentence has, however its numbers are read. */
const LONGEST = 20_000;

/** The voices that are used here, by eSpeak NG's own names; `en` is British. */
export type EspeakVoice = 'en-us' | 'en' | 'es' | 'fr' | 'hi' | 'it' | 'pt-br';

interface Loaded {
  heap(): Uint8Array;
  worker: { set_voice(name: string): number; text_to_phonemes(text: string, mode: number): { ptr: number } };
}

/** Whether eSpeak NG is installed: a package of its own licence, which may be left out. */
export function hasEspeak(): boolean {
  try {
    // Without its data it would wait for them for ever.
    createRequire(import.meta.url).resolve(`${PACKAGE}/espeak-ng.data`);
    return true;
  } catch {
    return false;
  }
}

/** eSpeak NG, as a function from text to phonemes. It takes some 40 MB, and is loaded once. */
export class Espeak {
  static #shared: Promise<Espeak> | undefined;
  readonly #espeak: Loaded;
  #voice: EspeakVoice | undefined;

  private constructor(espeak: Loaded) {
    this.#espeak = espeak;
  }

  /** @throws HearsayError `model_load_failed` where the package is not there */
  static load(): Promise<Espeak> {
    Espeak.#shared ??= loadModule().then((espeak) => new Espeak(espeak));
    // The next one tries again.
    Espeak.#shared.catch(() => {
      Espeak.#shared = undefined;
    });
    return Espeak.#shared;
  }

  /**
   * The words of a text without punctuation, in IPA: letters of one phoneme are tied by `^`, as in `t^ʃ`. eSpeak may say
   * two written words as one and one as two.
   */
  words(text: string, voice: EspeakVoice): string[] {
    if (this.#voice !== voice && this.#espeak.worker.set_voice(voice) !== 0) {
      throw new HearsayError('internal_error', `eSpeak NG has no voice ${voice}.`);
    }
    this.#voice = voice;
    const ptr = this.#phonemes(text.slice(0, LONGEST).replaceAll('\0', ' '));
    const heap = this.#espeak.heap();
    const phonemes = Buffer.from(heap.subarray(ptr, heap.indexOf(0, ptr))).toString();
    return (
      phonemes
        .replace(/[|\n]/g, ' ')
        // Marks of another language: (en) … (fr).
        .replace(/\(.+?\)/g, '')
        .split(' ')
        .map((word) => word.split('_').map(tied).join(''))
        .filter((word) => word !== '')
    );
  }

  #phonemes(text: string): number {
    try {
      return this.#espeak.worker.text_to_phonemes(text, IPA).ptr;
    } catch (error) {
      // What has aborted once answers never again. Uncaught on purpose: the engine ends, and its supervisor starts another.
      setImmediate(() => {
        throw error;
      });
      throw error;
    }
  }
}

async function loadModule(): Promise<Loaded> {
  try {
    const { default: load } = await import('@echogarden/espeak-ng-emscripten');
    const module = await load();
    // The heap may grow, and is another one then.
    return { worker: new module.eSpeakNGWorker(), heap: () => module.HEAPU8 };
  } catch (cause) {
    throw new HearsayError('model_load_failed', `The package ${PACKAGE} could not be loaded.`, { cause });
  }
}

/** The tie that eSpeak writes where it is asked to: before each further letter of a phoneme. */
function tied(phoneme: string): string {
  let letters = 0;
  return [...phoneme].reduce((text, character) => {
    if (!/[\p{L}]/u.test(character) || /[\u02B0-\u036F]/.test(character)) return text + character;
    letters += 1;
    return text + (letters > 1 ? '^' : '') + character;
  }, '');
}
