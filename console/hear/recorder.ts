import { byId, color, fittedContext } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';

const containers: [type: string, ending: string][] = [
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
  ['audio/ogg;codecs=opus', 'ogg'],
];
const BAR = 3;
const GAP = 1;
/** Between two bars of the level, in milliseconds. */
const INTERVAL_MS = 60;

/** Records from the microphone and shows its level. */
export class Recorder {
  readonly #button = byId('record', HTMLButtonElement);
  readonly #meter = byId('meter', HTMLCanvasElement);
  readonly #time = byId('record-time', HTMLElement);
  readonly #onRecording: (file: File) => void;
  #stop: (() => void) | undefined;
  #isStarting = false;

  constructor(onRecording: (file: File) => void) {
    this.#onRecording = onRecording;
    this.#button.addEventListener('click', () => {
      if (this.#stop) this.#stop();
      else void this.#start();
    });
  }

  get isRecording(): boolean {
    return this.#stop !== undefined;
  }

  async #start(): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    try {
      if (!navigator.mediaDevices) {
        notify('Browsers allow the microphone only on pages from HTTPS or this machine.');
        return;
      }
      this.#record(await navigator.mediaDevices.getUserMedia({ audio: true }));
    } catch (error) {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'NotAllowedError') notify('The browser has no permission to use the microphone.');
      else if (name === 'NotFoundError') notify('No microphone found.');
      else notify(`The microphone cannot be used: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.#isStarting = false;
    }
  }

  #record(stream: MediaStream): void {
    const [type, ending] = containers.find(([type]) => MediaRecorder.isTypeSupported(type)) ?? ['', 'webm'];
    const recorder = new MediaRecorder(stream, type === '' ? {} : { mimeType: type });
    const chunks: Blob[] = [];
    const startedAt = performance.now();
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 2048 });
    context.createMediaStreamSource(stream).connect(analyser);
    const levels: number[] = [];
    const window = new Float32Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(window);
      levels.push(loudness(window));
      this.#draw(levels);
      this.#time.textContent = clock((performance.now() - startedAt) / 1000);
    }, INTERVAL_MS);
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
    recorder.addEventListener('stop', () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
      void context.close();
      this.#stop = undefined;
      this.#show(false);
      const name = `recording-${new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')}.${ending}`;
      this.#onRecording(new File(chunks, name, { type: recorder.mimeType }));
    });
    this.#stop = () => {
      if (recorder.state !== 'inactive') recorder.stop();
    };
    // The microphone may be unplugged.
    stream.getAudioTracks()[0]?.addEventListener('ended', this.#stop);
    recorder.start(1000);
    this.#show(true);
  }

  #show(isRecording: boolean): void {
    this.#button.textContent = isRecording ? 'Stop recording' : 'Record';
    this.#button.classList.toggle('recording', isRecording);
    byId('drop-hint', HTMLElement).hidden = isRecording;
    byId('recording', HTMLElement).hidden = !isRecording;
  }

  #draw(levels: readonly number[]): void {
    const { context, width, height } = fittedContext(this.#meter);
    const bars = Math.floor(width / (BAR + GAP));
    context.fillStyle = color('--accent');
    for (const [index, level] of levels.slice(-bars).entries()) {
      const bar = Math.max(2, level * height);
      context.fillRect(index * (BAR + GAP), (height - bar) / 2, BAR, bar);
    }
  }
}

/** Level from 0, at -60 dBFS, to 1. */
function loudness(samples: Float32Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  const decibels = 10 * Math.log10(energy / samples.length + 1e-12);
  return Math.min(1, Math.max(0, 1 + decibels / 60));
}
