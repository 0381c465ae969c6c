const WIDTH = 30;
/** A terminal without a size. */
const USUAL_COLUMNS = 80;

export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** A progress bar on one line of a terminal; does nothing on anything else. */
export class ProgressBar {
  readonly #out: Terminal;
  #shown = '';

  constructor(out: Terminal) {
    this.#out = out;
  }

  /** Whether it is shown. */
  get isShown(): boolean {
    return this.#out.isTTY === true;
  }

  /**
   * @param done of the whole, 0 to 1; undefined if unknown, which shows no bar
   * @param state a few words
   */
  update(name: string, done: number | undefined, state: string): void {
    if (!this.isShown) return;
    const columns = this.#out.columns || USUAL_COLUMNS;
    const bar = done === undefined ? '' : ` [${barOf(done)}] ${String(Math.floor(100 * bounded(done))).padStart(3)} %`;
    const line = `${name}${bar} ${state}`.replace(/\p{Cc}/gu, ' ');
    // A longer line wraps, and could not be cleared.
    const text = [...line].slice(0, columns - 1).join('');
    if (text === this.#shown) return;
    this.#out.write(`\r\x1b[K${text}`);
    this.#shown = text;
  }

  /** Removes the line, so that something else can be written. */
  clear(): void {
    if (this.#shown !== '') this.#out.write('\r\x1b[K');
    this.#shown = '';
  }
}

const bounded = (done: number) => Math.max(0, Math.min(1, done));

function barOf(done: number): string {
  const filled = Math.floor(bounded(done) * WIDTH);
  return '#'.repeat(filled) + '.'.repeat(WIDTH - filled);
}

/** `1:02:03`, or `2:03` */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const tail = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
