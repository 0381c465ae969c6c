import { createRequire } from 'node:module';
import { HearsayError } from '../../errors.ts';

const PACKAGE = '@echogarden/espeak-ng-emscripten';
const IPA = 1;
/** More than any sentence has, numbers in words included. */
const MAX_CHARACTERS = 20_000;

/** eSpeak NG's names of the voices used here; `en` is British. */
export type EspeakVoice = 'en-us' | 'en' | 'es' | 'fr' | 'hi' | 'it' | 'pt-br';

interface Loaded {
  heap(): Uint8Array;
  worker: { set_voice(name: string): number; text_to_phonemes(text: string, mode: number): { ptr: number } };
}

/** Whether eSpeak NG is installed: an optional package with a different licence. */
export function hasEspeak(): boolean {
  try {
    // Without its data file, eSpeak NG waits for it forever.
    createRequire(import.meta.url).resolve(`${PACKAGE}/espeak-ng.data`);
    return true;
  } catch {
    return false;
  }
}

/** eSpeak NG, as a function from text to phonemes. Takes about 40 MB; loaded once. */
export class Espeak {
  static #shared: Promise<Espeak> | undefined;
  readonly #espeak: Loaded;
  #voice: EspeakVoice | undefined;

  private constructor(espeak: Loaded) {
    this.#espeak = espeak;
  }

  /** @throws HearsayError `model_load_failed` if the package is not installed */
  static load(): Promise<Espeak> {
    Espeak.#shared ??= loadModule().then((espeak) => new Espeak(espeak));
    // The next call tries again.
    Espeak.#shared.catch(() => {
      Espeak.#shared = undefined;
    });
    return Espeak.#shared;
  }

  /**
   * The words of a text without punctuation, in IPA; `^` ties the letters of one phoneme, as in `t^ʃ`. eSpeak may join two
   * written words or split one.
   */
  words(text: string, voice: EspeakVoice): string[] {
    if (this.#voice !== voice && this.#espeak.worker.set_voice(voice) !== 0) {
      throw new HearsayError('internal_error', `eSpeak NG has no voice ${voice}.`);
    }
    this.#voice = voice;
    const ptr = this.#phonemes(text.slice(0, MAX_CHARACTERS).replaceAll('\0', ' '));
    const heap = this.#espeak.heap();
    const phonemes = Buffer.from(heap.subarray(ptr, heap.indexOf(0, ptr))).toString();
    return (
      phonemes
        .replace(/[|\n]/g, ' ')
        // Language switches: (en) … (fr).
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
      // An aborted module stays unusable. Crash the engine on purpose: its supervisor starts another.
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
    // `HEAPU8` is replaced when the heap grows.
    return { worker: new module.eSpeakNGWorker(), heap: () => module.HEAPU8 };
  } catch (cause) {
    throw new HearsayError('model_load_failed', `The package ${PACKAGE} could not be loaded.`, { cause });
  }
}

/** Inserts `^` before each letter of a phoneme except the first. */
function tied(phoneme: string): string {
  let letters = 0;
  return [...phoneme].reduce((text, character) => {
    if (!/[\p{L}]/u.test(character) || /[\u02B0-\u036F]/.test(character)) return text + character;
    letters += 1;
    return text + (letters > 1 ? '^' : '') + character;
  }, '');
}
