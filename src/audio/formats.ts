/** Formats of any speech. */
export const speechFormats = ['mp3', 'opus', 'flac', 'wav', 'pcm', 'aac'] as const;
export type SpeechFormat = (typeof speechFormats)[number];

/** With the format that only books have. */
export const audioFormats = [...speechFormats, 'm4b'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** Sample rate of every output format, in Hz; Ogg Opus states 48000, as its specification requires. */
export const OUTPUT_RATE = 24_000;

/** Media types. `m4b` is AAC-LC in MP4 with chapters, `opus` is Opus in Ogg, `aac` is AAC-LC in ADTS, `pcm` is signed 16-bit little-endian. */
export const contentTypes: Readonly<Record<AudioFormat, string>> = {
  m4b: 'audio/mp4',
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  aac: 'audio/aac',
};
