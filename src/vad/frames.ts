/** Samples per second of the input of speech models and voice activity. */
export const SAMPLE_RATE = 16_000;
/** Samples of a frame of voice activity: 32 ms. */
export const FRAME = 512;

/** Probability of speech from which a frame begins it. */
export const SPEECH_ONSET = 0.5;
/** Less probable frames go on with speech, by this much: hysteresis as in Silero's own segmentation. */
export const SPEECH_HYSTERESIS = 0.15;
/** Seconds of silence that a window keeps after its speech. */
export const SPEECH_TAIL_SECONDS = 0.2;
/** Frames of silence that hold these seconds: more of it does not change a window. */
export const SPEECH_TAIL_FRAMES = Math.ceil((SPEECH_TAIL_SECONDS * SAMPLE_RATE) / FRAME);

/** One signal and the one after it. */
export function joinSamples(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
