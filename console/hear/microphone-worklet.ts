// The browser's names inside an audio worklet, which the types of a page lack.
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Samples of one message: 64 ms at 48 kHz. */
const BLOCK = 3072;

/** Sends the page what the microphone hears, as mono blocks. */
class MicrophoneProcessor extends AudioWorkletProcessor {
  #block = new Float32Array(BLOCK);
  #filled = 0;

  process([channels = []]: Float32Array[][]): boolean {
    for (let index = 0; index < (channels[0]?.length ?? 0); index++) {
      let sum = 0;
      for (const channel of channels) sum += channel[index]!;
      this.#block[this.#filled++] = sum / channels.length;
      if (this.#filled === BLOCK) this.#send();
    }
    return true;
  }

  #send(): void {
    this.port.postMessage(this.#block, [this.#block.buffer]);
    this.#block = new Float32Array(BLOCK);
    this.#filled = 0;
  }
}

registerProcessor('microphone', MicrophoneProcessor);

export {};
