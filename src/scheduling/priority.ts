import { constants, getPriority, setPriority } from 'node:os';

/** Halves the CPU share of model threads while voice activity detection, which new requests wait for, needs the CPU. */
export const THREAD_NICENESS = 3;

/**
 * Lowers the scheduling priority of this process, or of the calling thread once there are several. Threads started later
 * inherit it.
 * @param steps of niceness, each a fifth less computing time when others compete for it
 */
export function lowerPriority(steps: number): void {
  try {
    setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // Some sandboxes forbid it, and nothing depends on it.
  }
}
