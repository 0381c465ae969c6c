export const audioFormats = ['mp3', 'opus', 'flac', 'wav', 'pcm', 'aac'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** Samples a second of every format that is sent; Ogg Opus states 48000 for itself, as its specification wants. */
export const OUTPUT_RATE = 24_000;

/**
 * Media types of the sent formats. `opus` is Opus in Ogg, `aac` is AAC-LC in ADTS, `pcm` is signed 16-bit little-endian.
 */
export const contentTypes: Readonly<Record<AudioFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  aac: 'audio/aac',
};
