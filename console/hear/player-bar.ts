import { byId } from '../shared/dom.ts';
import { save } from '../shared/files.ts';
import { clock, spokenLength } from '../shared/format.ts';

const SKIP_SECONDS = 5;

/** The player of the recording: pause, five seconds back and on, position, rate. */
export class PlayerBar {
  readonly #audio = byId('audio', HTMLAudioElement);
  readonly #bar = byId('player', HTMLElement);
  readonly #play = byId('play', HTMLButtonElement);
  readonly #seek = byId('seek', HTMLInputElement);
  readonly #time = byId('time', HTMLElement);
  readonly #rate = byId('rate', HTMLSelectElement);
  readonly #note = byId('audio-note', HTMLElement);
  #file: File | undefined;
  #isUnplayable = false;
  /** Whether its transcription has ended. */
  #hasEnded = false;

  constructor() {
    const audio = this.#audio;
    this.#play.addEventListener('click', () => this.toggle());
    byId('back', HTMLButtonElement).addEventListener('click', () => this.skip(-SKIP_SECONDS));
    byId('forward', HTMLButtonElement).addEventListener('click', () => this.skip(SKIP_SECONDS));
    byId('save-recording', HTMLButtonElement).addEventListener('click', () => {
      if (this.#file) save(this.#file.name, this.#file);
    });
    this.#seek.addEventListener('input', () => {
      audio.currentTime = Number(this.#seek.value);
    });
    this.#rate.addEventListener('change', () => {
      audio.playbackRate = Number(this.#rate.value);
    });
    for (const name of ['play', 'pause', 'ended', 'timeupdate', 'seeked', 'durationchange'] as const) {
      audio.addEventListener(name, () => this.#show());
    }
    audio.addEventListener('loadedmetadata', () => {
      audio.playbackRate = Number(this.#rate.value);
      void this.#findDuration();
    });
    audio.addEventListener('error', () => {
      if (!this.#file) return;
      this.#isUnplayable = true;
      this.#showNote();
      this.#show();
    });
  }

  /** Seconds of the recording; undefined while unknown. */
  get duration(): number | undefined {
    const { duration } = this.#audio;
    return Number.isFinite(duration) && duration > 0 ? duration : undefined;
  }

  /**
   * Loads a recording; undefined empties the player.
   * @param hasEnded whether its transcription has ended
   */
  load(file: File | undefined, hasEnded = false): void {
    URL.revokeObjectURL(this.#audio.src);
    this.#file = file;
    this.#isUnplayable = false;
    this.hasEnded = hasEnded;
    if (file) this.#audio.src = URL.createObjectURL(file);
    else {
      this.#audio.removeAttribute('src');
      // Until then, it plays on.
      this.#audio.load();
    }
    this.#bar.hidden = !file;
    document.body.classList.toggle('has-player', file !== undefined);
    this.#show();
  }

  /** Whether the transcription of the recording has ended: then the note does not say that it can be transcribed. */
  set hasEnded(hasEnded: boolean) {
    this.#hasEnded = hasEnded;
    this.#showNote();
  }

  toggle(): void {
    // The note says so if the file cannot be played.
    if (this.#audio.paused) this.#audio.play().catch(() => {});
    else this.#audio.pause();
  }

  skip(seconds: number): void {
    const { currentTime } = this.#audio;
    this.#audio.currentTime = Math.min(Math.max(0, currentTime + seconds), this.duration ?? Number.MAX_SAFE_INTEGER);
  }

  /** Seeks to the end, so that the browser finds the duration of its own recordings. */
  async #findDuration(): Promise<void> {
    if (this.#audio.duration !== Number.POSITIVE_INFINITY) return;
    this.#audio.currentTime = Number.MAX_SAFE_INTEGER;
    await new Promise((resolve) => this.#audio.addEventListener('durationchange', resolve, { once: true }));
    this.#audio.currentTime = 0;
  }

  #showNote(): void {
    const hope = this.#hasEnded ? '' : ', but it can still be transcribed';
    this.#note.textContent = this.#isUnplayable ? `This browser cannot play the file${hope}.` : '';
  }

  #show(): void {
    const { paused, currentTime } = this.#audio;
    const duration = this.duration ?? 0;
    const label = paused ? 'Play' : 'Pause';
    this.#play.dataset.icon = paused ? 'play' : 'pause';
    if (this.#play.getAttribute('aria-label') !== label) this.#play.setAttribute('aria-label', label);
    this.#seek.max = String(duration);
    this.#seek.value = String(currentTime);
    this.#seek.disabled = duration === 0;
    this.#seek.setAttribute('aria-valuetext', `${clock(currentTime)} of ${spokenLength(duration)}`);
    const text = `${clock(currentTime)} / ${duration === 0 ? '–' : clock(duration)}`;
    if (this.#time.textContent !== text) this.#time.textContent = text;
  }
}
