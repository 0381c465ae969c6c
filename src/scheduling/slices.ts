import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Milliseconds of one slice. Each request in flight may run one before /health is answered. */
const SLICE_MS = 2;

/** Work that lasts a slice of time before it yields to the event loop. */
export class Slices {
  #end = performance.now() + SLICE_MS;

  /** Whether to `yield` before more work. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets the event loop answer others. */
  async yield(): Promise<void> {
    await yieldToEventLoop();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Runs all steps in slices of time, and yields to the event loop between them. */
export async function runInSlices<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  const slices = new Slices();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver) await slices.yield();
  }
}
