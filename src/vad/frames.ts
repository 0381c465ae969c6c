/** Samples per second of the input of speech models and voice activity. */
export const SAMPLE_RATE = 16_000;
/** Samples of a frame of voice activity: 32 ms. */
export const FRAME = 512;
