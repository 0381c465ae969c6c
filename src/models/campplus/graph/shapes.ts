/** Bands of the spectrogram. */
export const BANDS = 80;
/** Frames of the spectrogram per frame within the network. */
export const POOLED_STRIDE = 2;
/** The network pools its context over this many of its frames, and over all: of a piece this long, they are the same. */
const CONTEXT_FRAMES = 100;
export const MAX_FRAMES = CONTEXT_FRAMES * POOLED_STRIDE;
/** The standard deviation needs two frames within the network. */
export const MIN_FRAMES = 3;
