import type { HubProgress } from './hub.ts';

const LOG_INTERVAL_MS = 5_000;
const BAR_WIDTH = 30;

/** Reports a download as lines, every five seconds and at its end. */
export function progressLines(name: string, write: (line: string) => void): (progress: HubProgress) => void {
  let last = performance.now();
  return (progress) => {
    const now = performance.now();
    const complete = progress.receivedBytes === progress.totalBytes;
    if (!complete && now - last < LOG_INTERVAL_MS) return;
    last = now;
    write(`${name}: ${amount(progress)} downloaded`);
  };
}

/** Draws a progress bar on one terminal line. */
export function progressBar(name: string, out: { write(text: string): void }): (progress: HubProgress) => void {
  let shown = '';
  return (progress) => {
    const filled = Math.floor(fraction(progress) * BAR_WIDTH);
    const line = `${name} [${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${amount(progress)}`;
    // Thousands of chunks arrive, but the line changes only once per megabyte.
    if (line === shown) return;
    out.write(`\r\x1b[K${line}${progress.receivedBytes === progress.totalBytes ? '\n' : ''}`);
    shown = line;
  };
}

function fraction({ receivedBytes, totalBytes }: HubProgress): number {
  return totalBytes > 0 ? receivedBytes / totalBytes : 1;
}

function amount(progress: HubProgress): string {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const { receivedBytes, totalBytes } = progress;
  return `${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB (${Math.floor(fraction(progress) * 100)} %)`;
}
