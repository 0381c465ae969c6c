import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets others go first where cores are scarce: the whole process at its start, later on the calling thread. Threads that
 * it starts from now on inherit it.
 * @param steps of niceness, each a fifth less of the computing time where others want it too
 */
export function standBack(steps: number): void {
  try {
    setPriority(Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // Not every sandbox allows it, and nothing depends on it.
  }
}
