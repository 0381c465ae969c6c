/** Fades both ends with a raised cosine, in place, so that the step to silence is inaudible. */
export function fadeEnds(samples: Float32Array, seconds: number, sampleRate: number): void {
  const length = Math.min(Math.round(seconds * sampleRate), samples.length >> 1);
  for (let index = 0; index < length; index++) {
    const factor = (1 - Math.cos((Math.PI * index) / length)) / 2;
    samples[index]! *= factor;
    samples[samples.length - 1 - index]! *= factor;
  }
}
