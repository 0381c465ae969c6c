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

/** The 44-byte header of a 16-bit mono WAV file. */
export function wavHeader(samples: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(44));
  const ascii = (offset: number, text: string) => {
    for (let i = 0; i < text.length; i++) header.setUint8(offset + i, text.charCodeAt(i));
  };
  const dataBytes = samples * 2;
  ascii(0, 'RIFF');
  header.setUint32(4, 36 + dataBytes, true);
  ascii(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, SAMPLE_RATE, true);
  header.setUint32(28, SAMPLE_RATE * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  ascii(36, 'data');
  header.setUint32(40, dataBytes, true);
  return new Uint8Array(header.buffer);
}
