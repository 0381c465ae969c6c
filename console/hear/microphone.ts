import { Resampler } from '../../src/audio/resampler.ts';

/** Sample rate of realtime sessions and of recordings. */
export const SAMPLE_RATE = 24_000;

export interface MicrophoneEvents {
  /** Takes mono samples at `SAMPLE_RATE`, about 64 ms at a time. */
  onSamples: (samples: Int16Array<ArrayBuffer>) => void;
  /** Called when something else takes the sound away, e.g. a call, and when it is back. */
  onInterruption: (isInterrupted: boolean) => void;
  /** Called when the microphone is gone, e.g. unplugged. */
  onEnded: () => void;
}

/** A microphone that records until it is closed. */
export class Microphone {
  readonly #stream: MediaStream;
  readonly #context: AudioContext;
  readonly #closing = new AbortController();

  private constructor(stream: MediaStream, context: AudioContext) {
    this.#stream = stream;
    this.#context = context;
  }

  /**
   * Asks for the microphone, and starts recording.
   * @throws Error with a message for the user
   */
  static async open({ onSamples, onInterruption, onEnded }: MicrophoneEvents): Promise<Microphone> {
    // Outside of secure contexts browsers hide it.
    if (!navigator.mediaDevices || !('AudioWorkletNode' in window)) {
      throw new Error('Browsers allow the microphone only on pages from HTTPS or this machine.');
    }
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error) => {
      throw new Error(reasonOf(error));
    });
    const context = new AudioContext();
    const microphone = new Microphone(stream, context);
    try {
      await context.audioWorklet.addModule(new URL('./microphone-worklet.js', import.meta.url).href);
    } catch (error) {
      microphone.close();
      throw new Error(reasonOf(error));
    }
    const node = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 });
    const resampler = new Resampler(context.sampleRate, SAMPLE_RATE);
    node.port.onmessage = ({ data }) => onSamples(pcm16(resampler.push(data as Float32Array)));
    context.createMediaStreamSource(stream).connect(node);
    const [track] = stream.getAudioTracks();
    track?.addEventListener('ended', onEnded);
    const check = () => {
      if (context.state === 'closed') return;
      microphone.#resume();
      onInterruption(context.state !== 'running' || track?.muted === true);
    };
    const { signal } = microphone.#closing;
    // Phones take the sound away during a call, and do not always give it back by themselves.
    context.addEventListener('statechange', check, { signal });
    for (const name of ['mute', 'unmute']) track?.addEventListener(name, check, { signal });
    document.addEventListener('visibilitychange', check, { signal });
    microphone.#resume();
    return microphone;
  }

  close(): void {
    this.#closing.abort();
    for (const track of this.#stream.getTracks()) track.stop();
    if (this.#context.state !== 'closed') void this.#context.close();
  }

  #resume(): void {
    if (this.#context.state !== 'running') this.#context.resume().catch(() => {});
  }
}

function reasonOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return 'The browser has no permission to use the microphone.';
  if (name === 'NotFoundError') return 'No microphone found.';
  return `The microphone cannot be used: ${error instanceof Error ? error.message : error}`;
}

/** @param samples −1 to 1 */
function pcm16(samples: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))));
}

/** Level from 0, at -60 dBFS, to 1. */
export function loudness(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += (sample / 32_768) ** 2;
  const decibels = 10 * Math.log10(energy / Math.max(1, samples.length) + 1e-12);
  return Math.min(1, Math.max(0, 1 + decibels / 60));
}
