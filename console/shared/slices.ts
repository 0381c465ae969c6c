import type { Steps } from '../../src/hear/transcript/steps.ts';

/** A task of the browser should be far shorter than the 100 ms that people notice. */
const SLICE_MS = 12;

/**
 * Runs all steps in slices, and lets the browser draw and take input between them.
 * @throws the reason of `signal` when it aborts
 */
export async function runInSlices<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const end = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await nextTask();
  }
}

/** Resolves in a later task. Timers are held back in hidden tabs and when nested; messages are not. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
