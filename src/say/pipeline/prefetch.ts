/**
 * Awaits the items of a source in order, and starts the next ones meanwhile.
 * @param source yields functions that are called once, in order
 * @param count items that are started at the same time
 */
export async function* prefetch<T>(source: AsyncIterable<() => Promise<T>>, count: number): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const start = () => {
    const step = iterator.next();
    // Awaited below, but perhaps not before it has failed.
    step.catch(() => {});
    return step;
  };
  try {
    const started = Array.from({ length: count }, start);
    for (;;) {
      const { done, value: result } = await started.shift()!;
      if (done) return;
      const item = await result();
      started.push(start());
      yield item;
    }
  } finally {
    // A busy generator ends after its step; do not wait for that.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
