/** Length of the header that `wavHeader` writes. */
export const WAV_HEADER_BYTES = 44;

const RIFF_SIZE_OFFSET = 4;
const DATA_SIZE_OFFSET = 40;
/** In place of a size that is not known yet or exceeds 32 bits. */
const UNKNOWN_SIZE = 0xffffffff;

/** Samples of a wav file: by default signed 16-bit ones in one channel. */
export interface WavFormat {
  channels?: number;
  bytesPerSample?: number;
}

/**
 * Header of a wav file of signed samples.
 *
 * @param sampleRate in Hz
 * @param dataBytes size of the samples; by default both sizes are 0xFFFFFFFF, which players read as "until the end"
 */
export function wavHeader(
  sampleRate: number,
  dataBytes = UNKNOWN_SIZE,
  { channels = 1, bytesPerSample = 2 }: WavFormat = {},
): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * bytesPerSample, 28);
  header.writeUInt16LE(channels * bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(Math.min(dataBytes + WAV_HEADER_BYTES - 8, UNKNOWN_SIZE), RIFF_SIZE_OFFSET);
  header.writeUInt32LE(Math.min(dataBytes, UNKNOWN_SIZE), DATA_SIZE_OFFSET);
  return header;
}
