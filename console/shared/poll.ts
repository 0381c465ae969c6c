/**
 * Runs a task repeatedly while the page is visible, never twice at once.
 * @returns a function that runs it now
 */
export function poll(task: () => Promise<void>, intervalMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  const next = async () => {
    clearTimeout(timer);
    if (isRunning) return;
    isRunning = true;
    await task().catch((error) => console.error(error));
    isRunning = false;
    if (!document.hidden) timer = setTimeout(next, intervalMs);
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void next();
  });
  void next();
  return () => void next();
}
