import type { HubProgress } from '../hub/hub.ts';
import { progressBar, progressLines } from '../hub/progress.ts';

/** Shows a download on standard error: as a bar on a terminal, otherwise as lines. */
export function downloadProgress(name: string): (progress: HubProgress) => void {
  return process.stderr.isTTY ? progressBar(name, process.stderr) : progressLines(name, (line) => console.error(line));
}
