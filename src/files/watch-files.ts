import { fileState } from './file-state.ts';

const INTERVAL_MS = 5000;

/**
 * Calls back when one of the files was written, replaced or removed, one call at a time. Polls them, because programs replace
 * files, directories or links.
 * @param onChange must not reject
 * @returns a function that stops watching
 */
export function watchFiles(
  paths: readonly string[],
  onChange: () => Promise<void>,
  intervalMs: number = INTERVAL_MS,
): () => void {
  const stateOf = (path: string) => fileState(path).catch((error: NodeJS.ErrnoException) => String(error.code));
  let last: string | undefined;
  let isBusy = false;
  const check = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      const state = (await Promise.all(paths.map(stateOf))).join('\n');
      const isNew = last !== undefined && state !== last;
      last = state;
      if (isNew) await onChange();
    } finally {
      isBusy = false;
    }
  };
  void check();
  const timer = setInterval(() => void check(), intervalMs).unref();
  return () => clearInterval(timer);
}
