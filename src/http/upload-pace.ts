import { HearsayError } from '../errors.ts';
import { malformed } from './form-parts.ts';

export interface PaceLimits {
  /** Milliseconds without data before the upload fails. Default: 30,000 */
  stallTimeoutMs?: number;
  /** Minimum rate over any `stallTimeoutMs`. Default: 0 */
  minBytesPerSecond?: number;
}

/**
 * Reports an upload that stalls, and one that trickles, which never stalls and could last for days.
 * @param state whether the client has sent the whole body, or as much as is read; whether a write is under way
 */
export function watchPace(
  { stallTimeoutMs = 30_000, minBytesPerSecond = 0 }: PaceLimits,
  fail: (error: HearsayError) => void,
  state: { isSent: () => boolean; isWriting: () => boolean },
): { received(bytes: number): void; stop(): void } {
  let bytes = 0;
  const stall = setTimeout(() => {
    // Do not blame the client for a slow disk.
    if (state.isWriting()) stall.refresh();
    else if (state.isSent()) fail(malformed());
    else fail(new HearsayError('upload_timeout', 'The upload stalled.'));
  }, stallTimeoutMs);
  const pace = setInterval(() => {
    const rate = bytes / (stallTimeoutMs / 1000);
    bytes = 0;
    if (rate >= minBytesPerSecond || state.isSent()) return;
    fail(new HearsayError('upload_timeout', `The upload is slower than ${minBytesPerSecond} bytes a second.`));
  }, stallTimeoutMs);
  return {
    received(more) {
      stall.refresh();
      bytes += more;
    },
    stop() {
      clearTimeout(stall);
      clearInterval(pace);
    },
  };
}
