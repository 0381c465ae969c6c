import type { PendingChunk, SpokenAudio } from '../../contracts/synthesis.ts';

/** Passes parts on in their order as they are spoken, and has the source begin as many of the next ones meanwhile. */
export async function* prefetch(source: AsyncIterable<PendingChunk>, parts: number): AsyncGenerator<SpokenAudio> {
  const iterator = source[Symbol.asyncIterator]();
  const begin = () => {
    const step = iterator.next();
    // Awaited below, but perhaps not before it has failed.
    step.catch(() => {});
    return step;
  };
  try {
    const begun = Array.from({ length: parts }, begin);
    for (;;) {
      const { done, value } = await begun.shift()!;
      if (done) return;
      const audio = await value.audio();
      begun.push(begin());
      yield audio;
    }
  } finally {
    // A generator that is busy ends when it is done with its step; nobody has to wait for that.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
