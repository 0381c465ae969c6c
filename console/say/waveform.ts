import { color, fittedContext } from '../shared/dom.ts';
import { clock, spokenLength } from '../shared/format.ts';
import type { Player } from './player.ts';

const BAR = 3;
const GAP = 1;
const SECONDS_PER_KEY = 2;

/** Draws the peaks of the speech, the played part in color. Also the slider that seeks. */
export class Waveform {
  readonly #canvas: HTMLCanvasElement;
  readonly #player: Player;
  #drawn = '';

  constructor(canvas: HTMLCanvasElement, player: Player) {
    this.#canvas = canvas;
    this.#player = player;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#seekTo(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.#seekTo(event);
    });
    canvas.addEventListener('keydown', (event) => {
      const target = this.#keyTarget(event.key);
      if (target === undefined) return;
      event.preventDefault();
      player.seek(target);
    });
    new ResizeObserver(() => this.draw(true)).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw(true));
  }

  #seekTo({ offsetX }: PointerEvent): void {
    const { speech } = this.#player;
    if (speech) this.#player.seek((offsetX / this.#canvas.clientWidth) * speech.expectedDuration);
  }

  #keyTarget(key: string): number | undefined {
    const { position, speech } = this.#player;
    switch (key) {
      case 'ArrowLeft':
      case 'ArrowDown':
        return position - SECONDS_PER_KEY;
      case 'ArrowRight':
      case 'ArrowUp':
        return position + SECONDS_PER_KEY;
      case 'PageDown':
        return position - 15;
      case 'PageUp':
        return position + 15;
      case 'Home':
        return 0;
      case 'End':
        return speech?.duration;
    }
  }

  /**
   * Redraws if anything has changed.
   * @param force redraws in any case
   */
  draw(force = false): void {
    const { speech, position } = this.#player;
    const whole = speech?.expectedDuration ?? 0;
    const content = `${speech?.startedAt.getTime()} ${speech?.duration} ${whole} ${position.toFixed(2)}`;
    if (!force && content === this.#drawn) return;
    this.#drawn = content;
    this.#describe(position, speech?.duration ?? 0);

    const { context, width, height } = fittedContext(this.#canvas);
    const columns = Math.floor(width / (BAR + GAP));
    const heights = speech?.peaks.columns(columns, whole) ?? new Float32Array(columns);
    const received = speech && whole > 0 ? (speech.duration / whole) * columns : 0;
    const played = whole > 0 ? (position / whole) * columns : 0;
    const colors = { played: color('--accent'), received: color('--wave'), missing: color('--line') };
    for (let column = 0; column < columns; column++) {
      const bar = Math.max(2, heights[column]! ** 0.75 * (height - 4));
      context.fillStyle = column < played ? colors.played : column < received ? colors.received : colors.missing;
      context.fillRect(column * (BAR + GAP), (height - bar) / 2, BAR, bar);
    }
  }

  #describe(position: number, duration: number): void {
    const set = (name: string, value: string) => {
      if (this.#canvas.getAttribute(name) !== value) this.#canvas.setAttribute(name, value);
    };
    set('aria-valuemax', duration.toFixed(1));
    set('aria-valuenow', position.toFixed(1));
    set('aria-valuetext', `${clock(position)} of ${spokenLength(duration)}`);
  }
}
