import { readFileSync } from 'node:fs';

/** Bytes of a process. */
export interface ProcessMemory {
  /** Including shared memory, such as weights that are mapped from a file. */
  resident: number;
  /** What it alone has; all of it before Linux 4.5. */
  anonymous: number;
}

/** Memory of a process as Linux counts it; 0 for one that is gone, and on other systems. */
export function processMemory(pid: number | undefined): ProcessMemory {
  const status = pid === undefined ? '' : readStatus(pid);
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  const resident = bytes('VmRSS');
  return { resident, anonymous: bytes('RssAnon') || resident };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return '';
  }
}
