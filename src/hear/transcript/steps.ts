/** A long computation in short steps; its caller may do other work between them. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps in a row and returns the result. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
