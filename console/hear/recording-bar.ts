import { byId, color, fittedContext, passFocus } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';

const BAR = 3;
const GAP = 1;
/** Levels kept: more than the widest meter shows. */
const MAX_LEVELS = 600;

export interface RecordingBarEvents {
  onPause: () => void;
  onStop: () => void;
}

/** The controls of a recording that is being made: level, time, pause, stop, and status. */
export class RecordingBar {
  readonly #bar = byId('recording', HTMLElement);
  readonly #meter = byId('meter', HTMLCanvasElement);
  readonly #time = byId('record-time', HTMLElement);
  readonly #status = byId('record-status', HTMLElement);
  readonly #pause = byId('record-pause', HTMLButtonElement);
  readonly #stop = byId('record-stop', HTMLButtonElement);
  readonly #record = byId('record', HTMLButtonElement);
  #levels: number[] = [];

  constructor({ onPause, onStop }: RecordingBarEvents) {
    this.#pause.addEventListener('click', onPause);
    this.#stop.addEventListener('click', onStop);
  }

  open(): void {
    this.#levels = [];
    this.isPaused = false;
    this.isEnding = false;
    this.#setOpen(true);
    this.show(0, 0);
    this.#pause.focus({ preventScroll: true });
  }

  close(): void {
    const hasFocus = this.#bar.contains(document.activeElement);
    this.#setOpen(false);
    if (hasFocus) this.#record.focus({ preventScroll: true });
  }

  #setOpen(isOpen: boolean): void {
    this.#bar.hidden = !isOpen;
    this.#record.disabled = isOpen;
    document.body.classList.toggle('is-recording', isOpen);
  }

  set isPaused(isPaused: boolean) {
    this.#pause.textContent = isPaused ? 'Resume' : 'Pause';
    this.#bar.classList.toggle('paused', isPaused);
  }

  /** Whether only the rest of the text is awaited. */
  set isEnding(isEnding: boolean) {
    // The microphone may be gone while the focus is here.
    if (isEnding) passFocus(this.#pause, this.#stop);
    this.#pause.disabled = isEnding;
    this.#stop.textContent = isEnding ? 'Do not wait' : 'Stop';
  }

  set status(status: string) {
    if (this.#status.textContent !== status) this.#status.textContent = status;
  }

  /** @param level 0 to 1 @param seconds length of the recording */
  show(level: number, seconds: number): void {
    this.#levels.push(level);
    if (this.#levels.length > 2 * MAX_LEVELS) this.#levels.splice(0, MAX_LEVELS);
    this.#draw();
    const text = clock(seconds);
    if (this.#time.textContent !== text) this.#time.textContent = text;
  }

  #draw(): void {
    const { context, width, height } = fittedContext(this.#meter);
    const bars = Math.floor(width / (BAR + GAP));
    context.fillStyle = color('--accent');
    for (const [index, level] of this.#levels.slice(-bars).entries()) {
      const bar = Math.max(2, level * height);
      context.fillRect(index * (BAR + GAP), (height - bar) / 2, BAR, bar);
    }
  }
}
