/** Bands of the spectrogram. */
export const BANDS = 80;
/** Frames of the spectrogram per frame within the network. */
export const POOLED_STRIDE = 2;
