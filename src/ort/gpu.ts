import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Milliseconds for the probe: a driver that hangs must not block the start. */
const PROBE_TIMEOUT_MS = 30_000;

/** What a GPU can do, or why it cannot be used. */
export type ProbedGpu =
  | { reason: string }
  | {
      /** Whether it computes in half precision. */
      float16: boolean;
      /** Its speed in float matrix products relative to the CPU, if requested. */
      speedup?: number;
    };

/** How a line with a `ProbedGpu` in JSON begins: drivers and their layers write to the standard output, too. */
export const RESULT = 'hearsay-gpu: ';

export interface ProbeOptions {
  /** Threads of the CPU to compare it with. Default: it is not compared */
  threads?: number;
  /** The program to run, for tests. */
  entry?: URL;
  timeoutMs?: number;
}

/** Runs small graphs on the GPU in a separate process, which may crash or hang. */
export function probeGpu({
  threads,
  entry = new URL(import.meta.url.replace(/gpu(\.\w+)$/, 'gpu-probe$1')),
  timeoutMs = PROBE_TIMEOUT_MS,
}: ProbeOptions = {}): Promise<ProbedGpu> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    execFile(
      process.execPath,
      [fileURLToPath(entry), ...(threads === undefined ? [] : [String(threads)])],
      options,
      (error, stdout) => {
        // The probe writes a line for each result and ends by a signal.
        const found = stdout.split('\n').findLast((line) => line.startsWith(RESULT));
        if (found !== undefined) return resolve(JSON.parse(found.slice(RESULT.length)) as ProbedGpu);
        if (error?.killed) return resolve({ reason: `its driver does not answer within ${timeoutMs / 1000} s` });
        resolve({ reason: `its driver ended the process by ${error?.signal ?? `code ${error?.code}`}` });
      },
    );
  });
}

/** Whether the system lists a GPU device. Outside Linux, assumes that there may be one. */
export function mayHaveGpu(devices = '/dev'): boolean {
  if (process.platform !== 'linux') return true;
  if (existsSync(`${devices}/dri`) || existsSync(`${devices}/dxg`)) return true;
  return existsSync(devices) && readdirSync(devices).some((name) => /^nvidia\d+$/.test(name));
}
