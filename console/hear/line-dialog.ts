import { button, byId } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';
import type { Line } from './lines.ts';
import { speakersOf } from './speakers.ts';
import { exactTime, secondsOf } from './times.ts';

/** Maximum number of names offered as buttons: more would fill the page. */
const MAX_OFFERED = 12;

/** The details of a line that the user has entered. */
export interface LineDetails {
  /** Undefined for none. */
  speaker: string | undefined;
  /** Whether all lines of the speaker get the name. */
  isEverywhere: boolean;
  /** Seconds. */
  start: number;
  end: number;
}

/** Asks for the speaker and the times of a line. */
export class LineDialog {
  readonly #dialog = byId('line-dialog', HTMLDialogElement);
  readonly #speaker = byId('line-speaker', HTMLInputElement);
  readonly #known = byId('line-known', HTMLElement);
  readonly #everywhere = byId('line-everywhere', HTMLInputElement);
  readonly #everywhereText = byId('line-everywhere-text', HTMLElement);
  readonly #start = byId('line-start', HTMLInputElement);
  readonly #end = byId('line-end', HTMLInputElement);
  #limits: [from: number, to: number] = [0, 0];

  constructor() {
    byId('line-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.#dialog.close('yes');
    });
    byId('line-cancel', HTMLButtonElement).addEventListener('click', () => this.#dialog.close());
    for (const field of [this.#start, this.#end]) field.addEventListener('input', () => this.#check());
  }

  /** Resolves to undefined if nothing is to change. */
  ask(lines: readonly Line[], at: number): Promise<LineDetails | undefined> {
    const line = lines[at]!;
    byId('line-title', HTMLElement).textContent = `Line at ${clock(line.start)}`;
    this.#showSpeaker(lines, line.speaker);
    this.#start.value = exactTime(line.start);
    this.#end.value = exactTime(line.end);
    // Lines stay in order.
    this.#limits = [lines[at - 1]?.start ?? 0, lines[at + 1]?.start ?? Number.POSITIVE_INFINITY];
    this.#check();
    this.#dialog.returnValue = '';
    this.#dialog.showModal();
    this.#speaker.select();
    return new Promise((resolve) => {
      const answer = () => resolve(this.#dialog.returnValue === 'yes' ? this.#details(line) : undefined);
      this.#dialog.addEventListener('close', answer, { once: true });
    });
  }

  #details({ start, end }: Line): LineDetails {
    const name = this.#speaker.value.replace(/\s+/g, ' ').trim();
    const timeOf = ({ value }: HTMLInputElement, before: number) =>
      value === exactTime(before) ? before : secondsOf(value)!;
    return {
      speaker: name === '' ? undefined : name,
      isEverywhere: this.#everywhere.checked,
      start: timeOf(this.#start, start),
      end: timeOf(this.#end, end),
    };
  }

  #showSpeaker(lines: readonly Line[], speaker: string | undefined): void {
    this.#speaker.value = speaker ?? '';
    this.#everywhere.checked = false;
    this.#everywhere.parentElement!.hidden = speaker === undefined;
    this.#everywhereText.textContent = `All lines of ${speaker}`;
    const others = speakersOf(lines).filter((name) => name !== speaker);
    this.#known.replaceChildren(...others.slice(0, MAX_OFFERED).map((name) => this.#offer(name)));
  }

  #offer(name: string): HTMLButtonElement {
    const offer = button(name, 'plain', () => {
      this.#speaker.value = name;
      byId('line-form', HTMLFormElement).requestSubmit();
    });
    offer.dir = 'auto';
    return offer;
  }

  /** Reports invalid times when the form is submitted. */
  #check(): void {
    const [start, end] = [secondsOf(this.#start.value), secondsOf(this.#end.value)];
    const [from, to] = this.#limits;
    const unreadable = 'Write a time such as 0:05.2.';
    const isOrdered = start === undefined || (start >= from && start <= to);
    const disorder = `Lines stay in order: from ${exactTime(from)}${to < Number.POSITIVE_INFINITY ? ` to ${exactTime(to)}` : ''}.`;
    this.#start.setCustomValidity(start === undefined ? unreadable : isOrdered ? '' : disorder);
    const isBackward = start !== undefined && end !== undefined && end < start;
    this.#end.setCustomValidity(end === undefined ? unreadable : isBackward ? 'The line ends before it starts.' : '');
  }
}
