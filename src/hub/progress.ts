import type { HubProgress } from './hub.ts';

const LOG_INTERVAL_MS = 5_000;

/** Reports a download as lines, every five seconds and at its end. */
export function progressLines(name: string, write: (line: string) => void): (progress: HubProgress) => void {
  let last = performance.now();
  return (progress) => {
    const now = performance.now();
    const { receivedBytes, totalBytes } = progress;
    const complete = receivedBytes === totalBytes;
    if (!complete && now - last < LOG_INTERVAL_MS) return;
    last = now;
    const percent = complete ? 100 : Math.floor((100 * receivedBytes) / totalBytes);
    write(`${name}: ${amountDownloaded(progress)} (${percent} %) downloaded`);
  };
}

/** `50 of 200 MB` */
export function amountDownloaded({ receivedBytes, totalBytes }: HubProgress): string {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  return `${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB`;
}
