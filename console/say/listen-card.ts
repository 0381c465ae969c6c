import { byId } from '../shared/dom.ts';
import { save, saveText } from '../shared/files.ts';
import { clock } from '../shared/format.ts';
import { runInSlices } from '../shared/slices.ts';
import { type CaptionFormat, captionSteps } from './captions.ts';
import type { Player } from './player.ts';
import type { SpeechRequest } from './speech.ts';
import { SpokenText } from './spoken-text.ts';
import { isFromSamples, speechFile } from './synthesis.ts';
import { Waveform } from './waveform.ts';

export interface ListenEvents {
  /** Called before the user plays the speech. */
  beforePlay: () => void;
  /** Called while the speech plays, and when it stops. */
  onFrame: () => void;
  /** Shows the status. */
  tell: (text: string) => void;
  report: (error: unknown) => void;
}

const captionTypes: Record<CaptionFormat, string> = {
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  json: 'application/json',
};

/** The controls of the player, the spoken text, and the files to save. */
export class ListenCard {
  readonly #play = byId('play', HTMLButtonElement);
  readonly #replay = byId('replay', HTMLButtonElement);
  readonly #download = byId('download', HTMLButtonElement);
  readonly #format = byId('download-format', HTMLSelectElement);
  /** The format to return to after a partial speech. */
  #chosenFormat: string | undefined;
  #isSaving = false;
  readonly #captions = document.querySelectorAll<HTMLButtonElement>('[data-captions]');
  readonly #time = byId('time', HTMLElement);
  readonly #player: Player;
  readonly #events: ListenEvents;
  readonly #waveform: Waveform;
  readonly #text: SpokenText;
  /** The requested animation frame; 0 for none. */
  #frame = 0;

  constructor(player: Player, events: ListenEvents) {
    this.#player = player;
    this.#events = events;
    this.#waveform = new Waveform(byId('waveform', HTMLCanvasElement), player);
    this.#text = new SpokenText(byId('spoken', HTMLElement), player);
    this.#play.addEventListener('click', () => {
      events.beforePlay();
      if (player.state === 'paused') player.play();
      else player.pause();
    });
    this.#replay.addEventListener('click', () => {
      events.beforePlay();
      player.seek(0);
      player.play();
    });
    this.#download.addEventListener('click', () => void this.#saveSpeech());
    for (const button of this.#captions) {
      button.addEventListener('click', () => void this.#saveCaptions(button.dataset.captions as CaptionFormat));
    }
    this.#waveform.draw(true);
  }

  /** Shows the text of another request. */
  set({ input, format }: SpeechRequest): void {
    this.#text.set(input);
    byId('spoken-empty', HTMLElement).hidden = true;
    this.#format.value = format;
    this.#chosenFormat = undefined;
  }

  /** Shows the state of the player. */
  show(): void {
    const { state, speech } = this.#player;
    const hasSound = speech !== undefined && speech.duration > 0;
    document.body.classList.toggle('has-player', speech !== undefined);
    this.#play.disabled = !hasSound;
    this.#replay.disabled = !hasSound;
    this.#download.disabled = !hasSound || !speech.complete;
    this.#showFormats(speech?.isPartial === true);
    for (const button of this.#captions) button.disabled = this.#download.disabled || speech?.words.length === 0;
    const label = state === 'paused' ? 'Play' : 'Pause';
    this.#play.dataset.icon = state === 'paused' ? 'play' : 'pause';
    if (this.#play.getAttribute('aria-label') !== label) this.#play.setAttribute('aria-label', label);
    this.#showTime();
    this.#animate();
  }

  /** The other formats of a partial speech would be made of the whole text. */
  #showFormats(isPartial: boolean): void {
    for (const option of this.#format.options) option.disabled = isPartial && !isFromSamples(option.value);
    if (this.#format.selectedOptions[0]?.disabled) {
      this.#chosenFormat = this.#format.value;
      this.#format.value = 'wav';
    } else if (!isPartial && this.#chosenFormat !== undefined) {
      this.#format.value = this.#chosenFormat;
      this.#chosenFormat = undefined;
    }
  }

  #animate(): void {
    if (this.#player.state === 'paused' || this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#showTime();
      this.#animate();
    });
  }

  #showTime(): void {
    const text = `${clock(this.#player.position)} / ${clock(this.#player.speech?.duration ?? 0)}`;
    if (this.#time.textContent !== text) this.#time.textContent = text;
    this.#waveform.draw();
    this.#text.follow();
    this.#events.onFrame();
  }

  async #saveSpeech(): Promise<void> {
    const { speech } = this.#player;
    if (!speech || this.#isSaving) return;
    const format = this.#format.value;
    // Disabled, the button would lose the focus.
    this.#isSaving = true;
    this.#download.setAttribute('aria-disabled', 'true');
    this.#events.tell(`Creating the ${format} file…`);
    try {
      save(`speech.${format}`, await speechFile(speech, format));
      this.#events.tell('Saved.');
    } catch (error) {
      this.#events.tell('');
      this.#events.report(error);
    } finally {
      this.#isSaving = false;
      this.#download.removeAttribute('aria-disabled');
    }
  }

  async #saveCaptions(format: CaptionFormat): Promise<void> {
    const { speech } = this.#player;
    if (speech) saveText(`speech.${format}`, captionTypes[format], await runInSlices(captionSteps(speech, format)));
  }
}
