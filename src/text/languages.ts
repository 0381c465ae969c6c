import { HearsayError } from '../errors.ts';
import { hasEspeak } from './espeak/espeak.ts';
import type { LanguageText } from './language.ts';
import type { LanguageLetter } from './types.ts';

export interface LanguageOptions {
  /** Folder with misaki's lexicons of English. */
  lexicons?: string | undefined;
}

/** Languages that load together. */
interface Family {
  letters: readonly LanguageLetter[];
  /** Whether what it needs is installed; where this is not said, it is. */
  installed?(): boolean;
  /** @param other another language, for words of it */
  load(
    options: LanguageOptions,
    other: (letter: LanguageLetter) => Promise<LanguageText>,
  ): Promise<(letter: LanguageLetter) => LanguageText>;
}

/** Each imports what it needs when it is first spoken: dictionaries take time and memory. */
const families: readonly Family[] = [
  {
    letters: ['a', 'b'],
    load: async (options) => {
      const [{ English }, { englishText }, { UnknownWords }] = await Promise.all([
        import('./english/g2p/phonemes.ts'),
        import('./english/language.ts'),
        import('./espeak/unknown-words.ts'),
      ]);
      const unknown = hasEspeak() ? new UnknownWords() : undefined;
      const english = await English.load({ ...options, ...(unknown && { sayUnknown: unknown.say }) });
      return (letter) => englishText(english, letter === 'b' ? 'gb' : 'us', unknown);
    },
  },
  ...(['e', 'f', 'h', 'i', 'p'] as const).map((letter) => ({
    letters: [letter],
    installed: hasEspeak,
    load: async () => {
      const language = await (await import('./espeak/language.ts')).espeakText(letter);
      return () => language;
    },
  })),
  {
    letters: ['j'],
    load: async () => {
      const japanese = await (await import('./japanese/language.ts')).loadJapanese();
      return () => japanese;
    },
  },
  {
    letters: ['z'],
    load: async (_, other) => {
      const mandarin = await (await import('./mandarin/language.ts')).loadMandarin(await other('a'));
      return () => mandarin;
    },
  },
];

/** The languages that can be read here. */
export const readLanguages: readonly LanguageLetter[] = families
  .filter(({ installed }) => installed?.() ?? true)
  .flatMap(({ letters }) => letters);

/** Languages from text to phonemes, loaded when they are first asked for. */
export class Languages {
  readonly #options: LanguageOptions;
  readonly #loaded = new Map<Family, Promise<(letter: LanguageLetter) => LanguageText>>();

  constructor(options: LanguageOptions = {}) {
    this.#options = options;
  }

  /** @throws HearsayError `model_load_failed` where it cannot be read, `invalid_request` where there is no such language */
  async load(letter: LanguageLetter): Promise<LanguageText> {
    const family = families.find(({ letters }) => letters.includes(letter));
    if (!family) throw new HearsayError('invalid_request', 'This language cannot be read.', { param: 'lang_code' });
    let loaded = this.#loaded.get(family);
    if (!loaded) {
      loaded = family.load(this.#options, (other) => this.load(other));
      this.#loaded.set(family, loaded);
      // The next request tries again.
      loaded.catch(() => this.#loaded.delete(family));
    }
    return (await loaded)(letter);
  }
}
