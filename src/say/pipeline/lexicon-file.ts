import { readFile, stat } from 'node:fs/promises';
import { HearsayError } from '../../errors.ts';
import { fileState } from '../../files/file-state.ts';
import { parseJsonText } from '../../files/json.ts';
import { isMissing } from '../../files/missing.ts';
import { UserLexicon } from '../../text/user-lexicon.ts';

/** Maximum size; the largest valid lexicon is smaller. */
const MAX_BYTES = 16 << 20;

/** The lexicon of the whole service: a JSON file that may be created, changed and removed while the service runs. */
export class LexiconFile {
  readonly #path: string;
  readonly #warn: (message: string) => void;
  /** State of the file at the last check. */
  #state: string | undefined;
  #lexicon: Promise<UserLexicon | undefined> = Promise.resolve(undefined);

  /** @param warn called once for each state of the file that cannot be used */
  constructor(path: string, warn: (message: string) => void) {
    this.#path = path;
    this.#warn = warn;
  }

  /** The file's content; its last valid content if it cannot be used; undefined if there is no file. */
  async current(): Promise<UserLexicon | undefined> {
    const state = await fileState(this.#path).catch(({ code }: NodeJS.ErrnoException) => String(code));
    if (state !== this.#state) {
      this.#state = state;
      this.#lexicon = this.#read(this.#lexicon);
    }
    return this.#lexicon;
  }

  async #read(previous: Promise<UserLexicon | undefined>): Promise<UserLexicon | undefined> {
    try {
      const stats = await stat(this.#path);
      if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error(`it must be a file of at most ${MAX_BYTES} bytes`);
      return UserLexicon.from(parseJsonText(await readFile(this.#path, 'utf8')));
    } catch (error) {
      if (isMissing(error)) return undefined;
      this.#warn(`Ignoring ${this.#path}: ${reason(error)}`);
      return previous;
    }
  }
}

function reason(error: unknown): string {
  // The parser's own message quotes the file.
  if (error instanceof SyntaxError) return 'it is not valid JSON.';
  if (error instanceof HearsayError) return error.message;
  return `${(error as Error).message}.`;
}
