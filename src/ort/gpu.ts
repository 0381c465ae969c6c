import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A driver that hangs must not hold up the start. */
const PROBE_TIMEOUT_MS = 30_000;

/**
 * Runs a small graph on the GPU in a process of its own, which may crash or hang.
 * @returns why it cannot be used; undefined if it can
 */
export function probeGpu({
  entry = new URL(import.meta.url.replace(/gpu(\.\w+)$/, 'gpu-probe$1')),
  timeoutMs = PROBE_TIMEOUT_MS,
} = {}): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [fileURLToPath(entry)], options, (error, stdout) => {
      if (stdout === 'ok') return resolve(undefined);
      if (stdout !== '') return resolve(stdout);
      if (error?.killed) return resolve(`its driver does not answer within ${timeoutMs / 1000} s`);
      resolve(`its driver ended the process by ${error?.signal ?? `code ${error?.code}`}`);
    });
  });
}
