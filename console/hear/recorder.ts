import { fileTime } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';
import type { BrowserStorage } from '../shared/storage.ts';
import type { Job, JobSettings, Jobs } from './jobs.ts';
import { LiveSession, type LiveState } from './live-session.ts';
import { loudness, Microphone } from './microphone.ts';
import { PcmRecording } from './pcm-recording.ts';
import { RecordingBar } from './recording-bar.ts';
import type { Transcript } from './transcript.ts';

/** How often the text so far is stored, in case the page is closed. */
const KEEP_INTERVAL_MS = 3000;

/** The result of a recording. */
export interface Recorded {
  /** The live transcript; absent if the recording was not transcribed live. */
  transcript?: Transcript;
  /** Why the transcript is not that of the whole recording. */
  missing?: string;
}

export interface RecorderEvents {
  onStart: (job: Job) => void;
  /** Called when the text or the state has changed. */
  onChange: (job: Job) => void;
  onEnd: (job: Job, recorded: Recorded) => void;
}

interface Active {
  job: Job;
  recording: PcmRecording;
  microphone: Microphone;
  live?: LiveSession;
  isPaused: boolean;
  isInterrupted: boolean;
  /** Resolves when it has ended; absent before it is stopped. */
  ending?: Promise<void>;
  kept: string;
  keeper: ReturnType<typeof setInterval>;
}

const INTERRUPTED = 'The microphone is silent, for example during a call. Recording continues when it is back.';

const liveStatus: Record<LiveState, (reason: string) => string> = {
  connecting: () => 'Connecting…',
  listening: () => 'Listening.',
  retrying: (reason) => `${reason} Recording continues, and the page retries…`,
  locked: (reason) => `${reason} Recording continues: enter the key at the top, or transcribe it when you are done.`,
  refused: (reason) => `${reason} Recording continues: transcribe it when you are done.`,
  finishing: () => 'Finishing…',
};

/** Records from the microphone, and lets the service transcribe it meanwhile. */
export class Recorder {
  readonly #jobs: Jobs;
  readonly #storage: BrowserStorage;
  readonly #events: RecorderEvents;
  readonly #bar = new RecordingBar({ onPause: () => this.#togglePause(), onStop: () => void this.stop() });
  #active: Active | undefined;
  #isStarting = false;

  constructor(jobs: Jobs, storage: BrowserStorage, events: RecorderEvents) {
    this.#jobs = jobs;
    this.#storage = storage;
    this.#events = events;
  }

  /** The recording that is being made. */
  get job(): Job | undefined {
    return this.#active?.job;
  }

  get isRecording(): boolean {
    return this.#active !== undefined;
  }

  /** The text so far. */
  get segments(): Transcript['segments'] {
    return this.#active?.live?.segments() ?? [];
  }

  get hasLiveText(): boolean {
    return this.#active?.live !== undefined;
  }

  /** Its state as a text. */
  get status(): string {
    const { live, isPaused, isInterrupted, ending } = this.#active!;
    if (isPaused && !ending) return 'Paused.';
    if (isInterrupted && !ending) return INTERRUPTED;
    return live ? liveStatus[live.state](live.reason) : 'Recording.';
  }

  /** Begins a recording. @param isLive whether it is transcribed meanwhile */
  async start(settings: JobSettings, isLive: boolean): Promise<void> {
    if (this.#isStarting || this.#active) return;
    this.#isStarting = true;
    try {
      const microphone = await Microphone.open({
        onSamples: (samples) => this.#onSamples(samples),
        onInterruption: (isInterrupted) => this.#onInterruption(isInterrupted),
        onEnded: () => void this.stop(),
      });
      this.#begin(microphone, settings, isLive);
    } catch (error) {
      notify((error as Error).message);
    } finally {
      this.#isStarting = false;
    }
  }

  #begin(microphone: Microphone, settings: JobSettings, isLive: boolean): void {
    const name = `recording-${fileTime(new Date())}.wav`;
    const job = this.#jobs.addRecording(name, settings);
    const recording = new PcmRecording(this.#storage, job.fileId);
    const keeper = setInterval(() => this.#keep(), KEEP_INTERVAL_MS);
    const state = { isPaused: false, isInterrupted: false, kept: '' };
    const active: Active = { job, recording, microphone, ...state, keeper };
    this.#active = active;
    if (isLive) active.live = new LiveSession(settings, () => this.#onChange(active));
    this.#bar.open();
    this.#events.onStart(job);
    this.#onChange(active);
  }

  /** Changes the language or the names from now on. */
  update(settings: JobSettings): void {
    this.#active?.live?.update(settings);
  }

  /** Resumes the live text: the user has given a key. */
  reconnect(): void {
    this.#active?.live?.reconnect();
  }

  /** Ends the recording, and waits for the rest of its text; asked again, it does not wait. */
  async stop(): Promise<void> {
    const active = this.#active;
    if (active?.ending) active.live?.close();
    else if (active) active.ending = this.#end(active);
    await active?.ending;
  }

  /** Ends the recording at once, for a job that is being removed: stores nothing more of it, and calls no `onEnd`. */
  discard(): void {
    const active = this.#active;
    if (!active) return;
    active.microphone.close();
    this.#close(active);
    active.live?.close();
  }

  async #end(active: Active): Promise<void> {
    const { job, recording, microphone, live } = active;
    microphone.close();
    this.#bar.isEnding = true;
    const isEmpty = recording.seconds === 0;
    if (isEmpty) await this.#jobs.remove(job);
    else await this.#jobs.setFile(job, recording.file(job.name));
    if (isEmpty) live?.close();
    else await live?.finish();
    // It was discarded meanwhile.
    if (this.#active !== active) return;
    this.#close(active);
    if (isEmpty) return this.#events.onEnd(job, {});
    this.#events.onEnd(job, {
      ...(live && { transcript: live.transcript() }),
      ...(live && !live.isComplete && { missing: live.reason || 'Its text is incomplete.' }),
    });
  }

  #close({ keeper }: Active): void {
    clearInterval(keeper);
    this.#active = undefined;
    this.#bar.close();
  }

  #togglePause(): void {
    const active = this.#active;
    if (!active || active.ending) return;
    active.isPaused = !active.isPaused;
    this.#bar.isPaused = active.isPaused;
    if (active.isPaused) active.live?.pause();
    else active.live?.resume();
    this.#onChange(active);
  }

  #onInterruption(isInterrupted: boolean): void {
    const active = this.#active;
    if (!active || active.isInterrupted === isInterrupted) return;
    active.isInterrupted = isInterrupted;
    this.#onChange(active);
  }

  #onSamples(samples: Int16Array<ArrayBuffer>): void {
    const active = this.#active;
    if (!active || active.isPaused || active.ending) return;
    active.recording.push(samples);
    active.live?.push(samples);
    this.#bar.show(loudness(samples), active.recording.seconds);
  }

  #onChange(active: Active): void {
    if (this.#active !== active) return;
    this.#bar.status = this.status;
    this.#events.onChange(active.job);
  }

  #keep(): void {
    const { job, live, kept } = this.#active!;
    const transcript = live?.transcript();
    if (!transcript || transcript.text === kept) return;
    this.#active!.kept = transcript.text;
    void this.#jobs.setTranscript(job, transcript);
    this.#jobs.update(job, { summary: 'Stopped when the page was closed.' });
  }
}
