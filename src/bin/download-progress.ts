import type { HubProgress } from '../hub/hub.ts';
import { amountDownloaded, progressLines } from '../hub/progress.ts';
import { ProgressBar } from './progress-bar.ts';

/** Runs a download, and shows it on standard error: as a bar on a terminal, otherwise as lines. */
export async function withDownloadProgress<Result>(
  name: string,
  download: (onProgress: (progress: HubProgress) => void) => Promise<Result>,
): Promise<Result> {
  const bar = new ProgressBar(process.stderr);
  if (!bar.isShown) return download(progressLines(name, (line) => console.error(line)));
  try {
    return await download((progress) => {
      const { receivedBytes, totalBytes } = progress;
      if (receivedBytes === totalBytes) bar.clear();
      else bar.update(name, receivedBytes / totalBytes, amountDownloaded(progress));
    });
  } finally {
    bar.clear();
  }
}
