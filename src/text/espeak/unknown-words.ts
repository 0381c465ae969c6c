import type { UnknownWords } from '../language.ts';
import type { Accent } from '../phoneme-alphabet.ts';
import { Espeak } from './espeak.ts';
import { englishWord } from './phonemes.ts';

/** Pronounces unknown English words with eSpeak NG, loaded on first use. */
export class EspeakUnknownWords implements UnknownWords {
  #espeak: Espeak | undefined;
  #missed = false;

  readonly say = (word: string, accent: Accent): string => {
    if (this.#espeak) return englishWord(this.#espeak, word, accent);
    this.#missed = true;
    return '';
  };

  /** @throws HearsayError `model_load_failed` if eSpeak NG cannot be loaded */
  async during<Result>(read: () => Result): Promise<Result> {
    this.#missed = false;
    const result = read();
    if (!this.#missed) return result;
    this.#espeak = await Espeak.load();
    return read();
  }
}
