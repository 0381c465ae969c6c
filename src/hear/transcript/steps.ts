/** A long computation in short steps, between which whoever runs it may do something else. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Takes all steps, one after the other, and returns the result. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
