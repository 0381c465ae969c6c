/** Does something again and again while the page is seen, one at a time, with pauses between. Returns a way to hurry it. */
export function poll(work: () => Promise<void>, intervalMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  const next = async () => {
    clearTimeout(timer);
    if (running) return;
    running = true;
    await work().catch((error) => console.error(error));
    running = false;
    if (!document.hidden) timer = setTimeout(next, intervalMs);
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void next();
  });
  void next();
  return () => void next();
}
