import { byId, color, fittedContext } from '../shared/dom.ts';
import { clock } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';

const kinds: [type: string, ending: string][] = [
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
  ['audio/ogg;codecs=opus', 'ogg'],
];
const BAR = 3;
const GAP = 1;
/** Milliseconds between two bars of the level. */
const TICK = 60;

/** Records from the microphone and shows how loud it is. */
export class Recorder {
  readonly #button = byId('record', HTMLButtonElement);
  readonly #meter = byId('meter', HTMLCanvasElement);
  readonly #time = byId('record-time', HTMLElement);
  readonly #onRecording: (file: File) => void;
  #stop: (() => void) | undefined;
  #starting = false;

  constructor(onRecording: (file: File) => void) {
    this.#onRecording = onRecording;
    this.#button.addEventListener('click', () => {
      if (this.#stop) this.#stop();
      else void this.#start();
    });
  }

  async #start(): Promise<void> {
    if (this.#starting) return;
    this.#starting = true;
    try {
      if (!navigator.mediaDevices) {
        notify('Browsers give the microphone only to pages that come over HTTPS or from this machine itself.');
        return;
      }
      this.#record(await navigator.mediaDevices.getUserMedia({ audio: true }));
    } catch (error) {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'NotAllowedError') notify('The browser was not allowed to use the microphone.');
      else if (name === 'NotFoundError') notify('There is no microphone.');
      else notify(`The microphone cannot be used: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.#starting = false;
    }
  }

  #record(stream: MediaStream): void {
    const [type, ending] = kinds.find(([kind]) => MediaRecorder.isTypeSupported(kind)) ?? ['', 'webm'];
    const recorder = new MediaRecorder(stream, type === '' ? {} : { mimeType: type });
    const pieces: Blob[] = [];
    const begun = performance.now();
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 2048 });
    context.createMediaStreamSource(stream).connect(analyser);
    const levels: number[] = [];
    const window = new Float32Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(window);
      levels.push(loudness(window));
      this.#draw(levels);
      this.#time.textContent = clock((performance.now() - begun) / 1000);
    }, TICK);
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
      void context.close();
      this.#stop = undefined;
      this.#show(false);
      const name = `recording-${new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')}.${ending}`;
      this.#onRecording(new File(pieces, name, { type: recorder.mimeType }));
    });
    this.#stop = () => {
      if (recorder.state !== 'inactive') recorder.stop();
    };
    // The microphone may be pulled out.
    stream.getAudioTracks()[0]?.addEventListener('ended', this.#stop);
    recorder.start(1000);
    this.#show(true);
  }

  #show(recording: boolean): void {
    this.#button.textContent = recording ? 'Stop recording' : 'Record';
    this.#button.classList.toggle('recording', recording);
    byId('drop-hint', HTMLElement).hidden = recording;
    byId('recording', HTMLElement).hidden = !recording;
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

/** From 0, at -60 dB of full scale, to 1. */
function loudness(samples: Float32Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  const decibels = 10 * Math.log10(energy / samples.length + 1e-12);
  return Math.min(1, Math.max(0, 1 + decibels / 60));
}
