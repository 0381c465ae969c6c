/** A checkpoint file that is damaged, or holds what is not accepted. The message names no path. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}
