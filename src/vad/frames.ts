/** Samples per second of the input of speech models and voice activity. */
export const SAMPLE_RATE = 16_000;
/** Samples of a frame of voice activity: 32 ms. */
export const FRAME = 512;

/** Probability of speech from which a frame begins it. */
export const SPEECH_ONSET = 0.5;
/** Hysteresis: speech continues down to this much below the threshold, as in Silero's own segmentation. */
export const SPEECH_HYSTERESIS = 0.15;
/** Seconds of silence that a window keeps after its speech. */
export const SPEECH_TAIL_SECONDS = 0.2;
/** The same in frames: more silence does not change a window. */
export const SPEECH_TAIL_FRAMES = Math.ceil((SPEECH_TAIL_SECONDS * SAMPLE_RATE) / FRAME);

/** One signal and the one after it. */
export function joinSamples(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
