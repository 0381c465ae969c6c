import type { SayUnknown } from '../english/g2p/phonemes.ts';
import { Espeak } from './espeak.ts';
import { englishWord } from './phonemes.ts';

/** English words by eSpeak NG, which is loaded when the first of them is asked for. */
export class UnknownWords {
  #espeak: Espeak | undefined;
  #missed = false;

  /** Says nothing until eSpeak NG is there. */
  readonly say: SayUnknown = (word, accent) => {
    if (this.#espeak) return englishWord(this.#espeak, word, accent);
    this.#missed = true;
    return '';
  };

  /**
   * What `read` gives when it can say all words: it is called again where it asked for one before eSpeak NG was there,
   * so that a word never sounds otherwise at its first use.
   * @throws HearsayError `model_load_failed`
   */
  async during<Result>(read: () => Result): Promise<Result> {
    this.#missed = false;
    const result = read();
    if (!this.#missed) return result;
    this.#espeak = await Espeak.load();
    return read();
  }
}
