import { SAMPLE_RATE } from './pcm.ts';
import type { Speech } from './speech.ts';

export type PlayerState = 'paused' | 'playing' | 'waiting';

/** Seconds that are handed to the audio device ahead of time: background tabs wake up once a second. */
const AHEAD = 8;
const PIECE = 2;
/** Seconds between the decision to play and the first sample. */
const LEAD = 0.05;

/** The nearest time that a sample begins at: between two, a rest of less than a sample would never be played. */
const wholeSample = (seconds: number) => Math.round(seconds * SAMPLE_RATE) / SAMPLE_RATE;

/** Plays speech that may still grow. */
export class Player {
  #speech: Speech | undefined;
  #context: AudioContext | undefined;
  #state: PlayerState = 'paused';
  /** Where playing began, and when by the clock of the audio device. */
  #anchor = { position: 0, time: 0 };
  /** Second of the speech up to which the device has been told what to play. */
  #scheduled = 0;
  readonly #sources = new Set<AudioBufferSourceNode>();
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #onChange: () => void;

  /** @param onChange called when the state changes */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get state(): PlayerState {
    return this.#state;
  }

  get speech(): Speech | undefined {
    return this.#speech;
  }

  /** The second that is heard now. */
  get position(): number {
    if (this.#state !== 'playing' || !this.#context) return this.#anchor.position;
    const { currentTime, outputLatency = 0 } = this.#context;
    const played = Math.max(0, currentTime - outputLatency - this.#anchor.time);
    return Math.min(this.#anchor.position + played, this.#scheduled);
  }

  /** Opens the audio device. Browsers allow it while they handle a click or a key. */
  unlock(): void {
    this.#context ??= new AudioContext({ sampleRate: SAMPLE_RATE });
    if (this.#context.state === 'suspended') void this.#context.resume();
  }

  /** Takes another speech, from its start. */
  load(speech: Speech): void {
    this.#silence();
    this.#speech = speech;
    this.#anchor = { position: 0, time: 0 };
    this.#scheduled = 0;
    this.#become('paused');
  }

  play(): void {
    const speech = this.#speech;
    if (!speech || this.#state !== 'paused') return;
    this.unlock();
    if (speech.complete && this.#anchor.position >= speech.duration) this.#anchor.position = 0;
    this.#start();
  }

  pause(): void {
    if (this.#state === 'paused') return;
    const { position } = this;
    this.#silence();
    this.#anchor = { position, time: 0 };
    this.#become('paused');
  }

  seek(seconds: number): void {
    if (!this.#speech) return;
    const goesOn = this.#state !== 'paused';
    this.#silence();
    this.#anchor = { position: Math.min(Math.max(0, seconds), this.#speech.duration), time: 0 };
    if (goesOn) this.#start();
    else this.#onChange();
  }

  /** To be called when the speech has grown or is complete. */
  grown(): void {
    if (this.#state !== 'paused') this.#feed();
  }

  #start(): void {
    this.#scheduled = wholeSample(this.#anchor.position);
    this.#become('waiting');
    this.#timer = setInterval(() => this.#feed(), 100);
    this.#feed();
  }

  #feed(): void {
    const speech = this.#speech!;
    const context = this.#context!;
    if (
      this.#state === 'playing' &&
      this.#anchor.time + this.#scheduled - this.#anchor.position < context.currentTime
    ) {
      // All that there was has been played.
      this.#anchor = { position: this.#scheduled, time: 0 };
      this.#become('waiting');
    }
    if (this.#state === 'waiting') {
      if (this.#scheduled < speech.duration) {
        // On a whole sample, so that the pieces meet without a click.
        const time = Math.ceil((context.currentTime + LEAD) * SAMPLE_RATE) / SAMPLE_RATE;
        this.#anchor = { position: this.#scheduled, time };
        this.#become('playing');
      } else if (speech.complete) {
        this.#silence();
        this.#anchor = { position: speech.duration, time: 0 };
        this.#become('paused');
        return;
      }
    }
    while (this.#scheduled < speech.duration && this.#scheduled - this.position < AHEAD)
      this.#schedule(speech, context);
  }

  #schedule(speech: Speech, context: AudioContext): void {
    const samples = speech.read(this.#scheduled, PIECE);
    const buffer = context.createBuffer(1, samples.length, SAMPLE_RATE);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    source.start(this.#anchor.time + this.#scheduled - this.#anchor.position);
    source.addEventListener('ended', () => this.#sources.delete(source));
    this.#sources.add(source);
    this.#scheduled = wholeSample(this.#scheduled + samples.length / SAMPLE_RATE);
  }

  #silence(): void {
    clearInterval(this.#timer);
    for (const source of this.#sources) source.stop();
    this.#sources.clear();
  }

  #become(state: PlayerState): void {
    this.#state = state;
    this.#onChange();
  }
}
