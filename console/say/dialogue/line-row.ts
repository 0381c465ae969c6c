import { button, element, enablePair } from '../../shared/dom.ts';
import { moveButtons } from '../../shared/reorder.ts';
import type { Voice } from '../voice-panel.ts';
import type { Line } from './lines.ts';

export interface LineEvents {
  onEdit: (line: Line) => void;
  onMove: (line: Line, by: -1 | 1) => void;
  onRemove: (line: Line) => void;
  /** Called to add a line after one. */
  onAdd: (after: Line) => void;
  /** Returns whether the text was taken over as a script. */
  onPaste: (line: Line, text: string) => boolean;
}

const MAX_PAUSE_SECONDS = 60;
const [MIN_SPEED, MAX_SPEED] = [0.25, 4];

/** The fields of a line. */
export class LineRow {
  readonly item: HTMLElement;
  readonly area = element('textarea', { rows: 1, spellcheck: true, dir: 'auto', placeholder: 'Text of the line' });
  readonly #line: Line;
  readonly #name = element('input', { type: 'text', placeholder: 'Name', autocomplete: 'off', maxLength: 40 });
  readonly #voice = element('select');
  readonly #pause = numberField(0, MAX_PAUSE_SECONDS, 0.1);
  readonly #speed = numberField(MIN_SPEED, MAX_SPEED, 0.05);
  readonly #up: HTMLButtonElement;
  readonly #down: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;

  constructor(line: Line, voices: readonly Voice[], { onEdit, onMove, onRemove, onAdd, onPaste }: LineEvents) {
    this.#line = line;
    const { up, down } = moveButtons((by) => onMove(line, by));
    this.#up = up;
    this.#down = down;
    this.#remove = button('×', 'plain move', () => onRemove(line));
    const handle = element('span', { className: 'handle', title: 'Drag to move' }, '⠿');
    handle.setAttribute('aria-hidden', 'true');
    const field = (label: string, input: HTMLElement) => element('label', { className: 'small' }, `${label} `, input);
    const head = element('div', { className: 'line-head' }, this.#name, this.#voice, up, down, this.#remove);
    const foot = element(
      'div',
      { className: 'line-foot' },
      field('Pause after', this.#pause),
      field('Speed', this.#speed),
    );
    this.item = element('li', {}, handle, head, this.area, foot);
    this.item.dataset.line = line.id;
    this.voices = voices;
    this.show(0, 1);
    this.#name.addEventListener('input', () => {
      line.name = this.#name.value;
      onEdit(line);
    });
    this.#voice.addEventListener('change', () => {
      line.voice = this.#voice.value;
      onEdit(line);
    });
    this.area.addEventListener('input', () => {
      line.input = this.area.value;
      this.fit();
      onEdit(line);
    });
    this.area.addEventListener('paste', (event) => {
      if (onPaste(line, event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
    });
    this.area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing) return;
      event.preventDefault();
      onAdd(line);
    });
    for (const [input, name] of [
      [this.#pause, 'pauseAfter'],
      [this.#speed, 'speed'],
    ] as const) {
      // Ctrl+Enter speaks before the field has changed.
      input.addEventListener('input', () => {
        const value = Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : name === 'speed' ? 1 : 0;
        line[name] = Math.min(Number(input.max), Math.max(Number(input.min), value));
        onEdit(line);
      });
      input.addEventListener('change', () => {
        input.value = String(line[name]);
      });
    }
  }

  /** Offers the voices; that of the line stays, even if it is gone or a blend. */
  set voices(voices: readonly Voice[]) {
    const { voice } = this.#line;
    const options = voices.map(({ id, name }) => element('option', { value: id }, name));
    if (voice !== '' && !voices.some(({ id }) => id === voice))
      options.unshift(element('option', { value: voice }, voice));
    this.#voice.replaceChildren(...options);
    this.#voice.value = voice;
  }

  /** Shows the values of the line, and its place. */
  show(index: number, count: number): void {
    const { name, voice, input, pauseAfter, speed } = this.#line;
    for (const [field, value] of [
      [this.#name, name],
      [this.#voice, voice],
      [this.area, input],
      [this.#pause, String(pauseAfter)],
      [this.#speed, String(speed)],
    ] as const) {
      if (field.value !== value) field.value = value;
    }
    enablePair([this.#up, this.#down], [index > 0, index < count - 1]);
    const of = `line ${index + 1}`;
    const labels: [HTMLElement, string][] = [
      [this.#name, `Name of ${of}`],
      [this.#voice, `Voice of ${of}`],
      [this.area, `Text of ${of}`],
      [this.#pause, `Seconds of pause after ${of}`],
      [this.#speed, `Speed of ${of}`],
      [this.#up, `Move ${of} up`],
      [this.#down, `Move ${of} down`],
      [this.#remove, `Remove ${of}`],
    ];
    for (const [node, label] of labels) node.setAttribute('aria-label', label);
    this.fit();
  }

  /** Makes the text as high as it is. */
  fit(): void {
    const { area } = this;
    const rows = Math.min(8, Math.max(1, area.value.split('\n').length, Math.ceil(area.value.length / this.#perRow)));
    if (area.rows !== rows) area.rows = rows;
  }

  /** Letters that fit in a row, roughly. */
  get #perRow(): number {
    return Math.max(20, Math.floor((this.area.clientWidth || 500) / 8.5));
  }

  focus(): void {
    this.area.focus();
  }

  set isSpoken(isSpoken: boolean) {
    this.item.classList.toggle('now', isSpoken);
    if (isSpoken) this.item.setAttribute('aria-current', 'true');
    else this.item.removeAttribute('aria-current');
  }
}

function numberField(min: number, max: number, step: number): HTMLInputElement {
  return element('input', {
    type: 'number',
    min: String(min),
    max: String(max),
    step: String(step),
    inputMode: 'decimal',
    autocomplete: 'off',
  });
}
