import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Steps } from './steps.ts';

/** Milliseconds of one slice. Each request in flight may run one before /health is answered. */
const SLICE_MS = 2;

/** Runs all steps in slices of time, and yields to the event loop between them. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await yieldToEventLoop();
  }
}
