import { SAMPLE_RATE } from './pcm.ts';
import type { Speech } from './speech.ts';

export type PlayerState = 'paused' | 'playing' | 'waiting';

/** Seconds scheduled ahead on the audio device: background tabs wake up only once a second. */
const AHEAD = 8;
/** Seconds per buffer. */
const BUFFER = 2;
/** Seconds from `play` to the first sample. */
const LEAD = 0.05;

/** The nearest start of a sample: a remainder of less than a sample would never play. */
const wholeSample = (seconds: number) => Math.round(seconds * SAMPLE_RATE) / SAMPLE_RATE;

/** Reading the latency while a stream starts hangs Firefox 153: there, words are marked some hundredths of a second early. */
const canReadLatency = !globalThis.navigator?.userAgent?.includes('Firefox/');

/** Plays speech, also while it grows. */
export class Player {
  #speech: Speech | undefined;
  #context: AudioContext | undefined;
  #state: PlayerState = 'paused';
  #isInterrupted = false;
  /** Position where playing started, and its time on the device's clock, both in seconds. */
  #anchor = { position: 0, time: 0 };
  /** End of the scheduled speech, in seconds. */
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

  /** Whether it is paused until the device gives the sound back. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  get speech(): Speech | undefined {
    return this.#speech;
  }

  /** The current position, in seconds. */
  get position(): number {
    if (this.#state !== 'playing' || !this.#context) return this.#anchor.position;
    const { currentTime } = this.#context;
    const outputLatency = canReadLatency ? (this.#context.outputLatency ?? 0) : 0;
    const played = Math.max(0, currentTime - outputLatency - this.#anchor.time);
    return Math.min(this.#anchor.position + played, this.#scheduled);
  }

  /** Opens the audio device. Browsers allow it only while handling a click or key. */
  unlock(): void {
    this.#context ??= this.#open();
    // A phone refuses during a call.
    if (this.#context.state !== 'running') this.#context.resume().catch(() => {});
  }

  #open(): AudioContext {
    const context = new AudioContext({ sampleRate: SAMPLE_RATE });
    context.addEventListener('statechange', () => this.#onDevice(context.state === 'running'));
    // Phones do not always give the sound back by themselves.
    document.addEventListener('visibilitychange', () => {
      if (this.#isInterrupted && !document.hidden) this.unlock();
    });
    return context;
  }

  /** Pauses while a phone takes the sound away, as for a call. */
  #onDevice(isRunning: boolean): void {
    if (isRunning) {
      if (this.#isInterrupted) this.play();
      return;
    }
    this.#isInterrupted ||= this.#state !== 'paused';
    this.#halt();
    if (this.#isInterrupted) this.unlock();
  }

  /** Switches to another speech, at its start. */
  load(speech: Speech): void {
    this.#isInterrupted = false;
    this.#stopSources();
    this.#speech = speech;
    this.#anchor = { position: 0, time: 0 };
    this.#scheduled = 0;
    this.#setState('paused');
  }

  play(): void {
    const speech = this.#speech;
    if (!speech || this.#state !== 'paused') return;
    this.#isInterrupted = false;
    this.unlock();
    if (speech.complete && this.#anchor.position >= speech.duration) this.#anchor.position = 0;
    this.#start();
  }

  pause(): void {
    this.#isInterrupted = false;
    this.#halt();
  }

  #halt(): void {
    if (this.#state === 'paused') return;
    const { position } = this;
    this.#stopSources();
    this.#anchor = { position, time: 0 };
    this.#setState('paused');
  }

  seek(seconds: number): void {
    if (!this.#speech) return;
    const wasPlaying = this.#state !== 'paused';
    this.#stopSources();
    this.#anchor = { position: Math.min(Math.max(0, seconds), this.#speech.duration), time: 0 };
    if (wasPlaying) this.#start();
    else this.#onChange();
  }

  /** Call after the speech has grown or is complete. */
  update(): void {
    if (this.#state !== 'paused') this.#feed();
  }

  #start(): void {
    this.#scheduled = wholeSample(this.#anchor.position);
    this.#setState('waiting');
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
      // Everything received has been played.
      this.#anchor = { position: this.#scheduled, time: 0 };
      this.#setState('waiting');
    }
    if (this.#state === 'waiting') {
      if (this.#scheduled < speech.duration) {
        // Start on a whole sample, so that buffers join without a click.
        const time = Math.ceil((context.currentTime + LEAD) * SAMPLE_RATE) / SAMPLE_RATE;
        this.#anchor = { position: this.#scheduled, time };
        this.#setState('playing');
      } else if (speech.complete) {
        this.#stopSources();
        this.#anchor = { position: speech.duration, time: 0 };
        this.#setState('paused');
        return;
      }
    }
    while (this.#scheduled < speech.duration && this.#scheduled - this.position < AHEAD)
      this.#schedule(speech, context);
  }

  #schedule(speech: Speech, context: AudioContext): void {
    const samples = speech.read(this.#scheduled, BUFFER);
    const buffer = context.createBuffer(1, samples.length, SAMPLE_RATE);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    source.start(this.#anchor.time + this.#scheduled - this.#anchor.position);
    source.addEventListener('ended', () => this.#sources.delete(source));
    this.#sources.add(source);
    this.#scheduled = wholeSample(this.#scheduled + samples.length / SAMPLE_RATE);
  }

  #stopSources(): void {
    clearInterval(this.#timer);
    for (const source of this.#sources) source.stop();
    this.#sources.clear();
  }

  #setState(state: PlayerState): void {
    this.#state = state;
    this.#onChange();
  }
}
