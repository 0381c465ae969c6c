/** Passes items on and lets the source work on the next one meanwhile; one item at the most waits. */
export async function* prefetch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const ahead = () => {
    const next = iterator.next();
    // Awaited below, but perhaps not before it has failed.
    next.catch(() => {});
    return next;
  };
  try {
    for (let pending = ahead(); ; ) {
      const { done, value } = await pending;
      if (done) return;
      pending = ahead();
      yield value;
    }
  } finally {
    // A generator that is busy ends when it is done with its step; nobody has to wait for that.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
