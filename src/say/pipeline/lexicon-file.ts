import { readFile, stat } from 'node:fs/promises';
import { HearsayError } from '../../errors.ts';
import { fileState } from '../../files/file-state.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';

/** More than the largest lexicon takes. */
const MOST_BYTES = 16 << 20;

/** The lexicon of the whole service: a JSON file that may come, change and go while the service runs. */
export class LexiconFile {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  /** Of the file as it was looked at last. */
  #state: string | undefined;
  #lexicon: Promise<UserLexicon | undefined> = Promise.resolve(undefined);

  /** @param warn told once of each state of the file that cannot be used */
  constructor(path: string, warn: (message: string) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** What the file holds now; where it cannot be used, what it held before; undefined where there is none. */
  async current(): Promise<UserLexicon | undefined> {
    const state = await fileState(this.#path).catch(({ code }: NodeJS.ErrnoException) => String(code));
    if (state !== this.#state) {
      this.#state = state;
      this.#lexicon = this.#read(this.#lexicon);
    }
    return this.#lexicon;
  }

  async #read(before: Promise<UserLexicon | undefined>): Promise<UserLexicon | undefined> {
    try {
      const found = await stat(this.#path);
      if (!found.isFile() || found.size > MOST_BYTES) throw new Error(`it is no file of at most ${MOST_BYTES} bytes`);
      return UserLexicon.from(JSON.parse(await readFile(this.#path, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      this.#warn(`${this.#path} is not used as it is now, ${reason(error)}`);
      return before;
    }
  }
}

function reason(error: unknown): string {
  // The parser would quote the file.
  if (error instanceof SyntaxError) return 'since it is no JSON.';
  if (error instanceof HearsayError) return `since it is refused: ${error.message}`;
  return `since ${(error as Error).message}.`;
}
