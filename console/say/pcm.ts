/** Sample rate of all audio from the service, in Hz. */
export const SAMPLE_RATE = 24_000;

/** Decodes signed 16-bit little-endian samples from Base64 chunks, split at any byte. */
export class PcmReader {
  #odd: number | undefined;

  push(base64: string): Int16Array<ArrayBuffer> {
    const binary = atob(base64);
    const shift = this.#odd === undefined ? 0 : 1;
    const bytes = new Uint8Array(shift + binary.length);
    if (this.#odd !== undefined) bytes[0] = this.#odd;
    for (let i = 0; i < binary.length; i++) bytes[shift + i] = binary.charCodeAt(i);
    this.#odd = bytes.length % 2 === 1 ? bytes.at(-1) : undefined;
    const samples = new Int16Array(bytes.length >> 1);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(2 * i, true);
    return samples;
  }
}
