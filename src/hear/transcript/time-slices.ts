import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './steps.ts';

/**
 * Milliseconds that a computation has the event loop to itself. As many may be under way as requests are worked on, and
 * all of them get one turn before /health is answered.
 */
const TURN_MS = 2;

/** Takes all steps and lets the rest of the process have its turns in between. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
}
