/** Milliseconds that a fact about the machine stays true enough. */
export const FACT_MS = 2000;

/**
 * Shares one answer between all callers: never reads twice at once, and not again before the answer is too old. A failure
 * is not kept.
 *
 * @param lifetimeMs of an answer
 */
export function shared<T>(read: () => Promise<T>, lifetimeMs: (answer: T) => number = () => FACT_MS): () => Promise<T> {
  let current: { answer: Promise<T>; expires: number } | undefined;
  return () => {
    if (current && performance.now() < current.expires) return current.answer;
    const entry = { answer: read(), expires: Number.POSITIVE_INFINITY };
    current = entry;
    entry.answer.then(
      (answer) => {
        entry.expires = performance.now() + lifetimeMs(answer);
      },
      () => {
        entry.expires = 0;
      },
    );
    return entry.answer;
  };
}
