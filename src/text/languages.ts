import { HearsayError } from '../errors.ts';
import { hasEspeak } from './espeak/espeak.ts';
import type { LanguageText } from './language.ts';
import type { LanguageLetter } from './types.ts';

export { sentenceEndOf } from './espeak/sentence-ends.ts';

export interface LanguageOptions {
  /** Directory with misaki's English lexicons. */
  lexicons?: string | undefined;
}

type ByLetter = (letter: LanguageLetter) => LanguageText;

/** Languages that load together. */
interface LanguageLoader {
  letters: readonly LanguageLetter[];
  /** Whether the packages it needs are installed; default true. */
  isInstalled?(): boolean;
  /** @param other loads another language, for its words in a text of this one */
  load(options: LanguageOptions, other: (letter: LanguageLetter) => Promise<LanguageText>): Promise<ByLetter>;
}

/** Each imports its modules on first use: dictionaries take time and memory. */
const loaders: readonly LanguageLoader[] = [
  {
    letters: ['a', 'b'],
    load: async (options) => {
      const [{ English }, { englishText }, { EspeakUnknownWords }] = await Promise.all([
        import('./english/g2p/phonemes.ts'),
        import('./english/language.ts'),
        import('./espeak/unknown-words.ts'),
      ]);
      const unknown = hasEspeak() ? new EspeakUnknownWords() : undefined;
      const english = await English.load({ ...options, ...(unknown && { sayUnknown: unknown.say }) });
      return (letter) => englishText(english, letter === 'b' ? 'gb' : 'us', unknown);
    },
  },
  ...(['e', 'f', 'h', 'i', 'p'] as const).map((letter) => ({
    letters: [letter],
    isInstalled: hasEspeak,
    load: async () => {
      const { loadEspeakLanguage } = await import('./espeak/language.ts');
      const language = await loadEspeakLanguage(letter);
      return () => language;
    },
  })),
  {
    letters: ['j'],
    load: async () => {
      const [{ loadJapanese }, { Lexicon }, { PronouncingDictionary }, { sentenceEnd }] = await Promise.all([
        import('./japanese/language.ts'),
        import('./english/g2p/lexicon.ts'),
        import('./english/g2p/lexicon.ts'),
        import('./english/normalize/sentence-end.ts'),
      ]);
      const english = new Lexicon(await PronouncingDictionary.load());
      const japanese = await loadJapanese({ english, sentenceEnd });
      return () => japanese;
    },
  },
  {
    letters: ['z'],
    load: async (_, other) => {
      const [{ loadMandarin }, { sentenceEnd }] = await Promise.all([
        import('./mandarin/language.ts'),
        import('./english/normalize/sentence-end.ts'),
      ]);
      const mandarin = await loadMandarin({ english: await other('a'), sentenceEnd });
      return () => mandarin;
    },
  },
];

/** The languages whose packages are installed. */
export const supportedLanguages: readonly LanguageLetter[] = loaders
  .filter(({ isInstalled }) => isInstalled?.() ?? true)
  .flatMap(({ letters }) => letters);

/** Loads languages on first use, and keeps them. */
export class Languages {
  readonly #options: LanguageOptions;
  readonly #loaded = new Map<LanguageLoader, Promise<ByLetter>>();

  constructor(options: LanguageOptions = {}) {
    this.#options = options;
  }

  /**
   * @throws HearsayError `model_load_failed` if its files or packages cannot be loaded, `invalid_request` if there is no
   * such language
   */
  async load(letter: LanguageLetter): Promise<LanguageText> {
    const loader = loaders.find(({ letters }) => letters.includes(letter));
    if (!loader) throw new HearsayError('invalid_request', 'This language is not supported.', { param: 'lang_code' });
    let loaded = this.#loaded.get(loader);
    if (!loaded) {
      loaded = loader.load(this.#options, (other) => this.load(other));
      this.#loaded.set(loader, loaded);
      // The next request tries again.
      loaded.catch(() => this.#loaded.delete(loader));
    }
    return (await loaded)(letter);
  }
}
