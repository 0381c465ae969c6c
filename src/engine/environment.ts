/** The environment of an engine: without API_KEY and HF_TOKEN, and with glibc tunables unless already set. */
export function engineEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { API_KEY, HF_TOKEN, GLIBC_TUNABLES, ...env } = from;
  return {
    // With glibc's default threshold, heap fragmentation doubles the memory of int8 sessions.
    MALLOC_TRIM_THRESHOLD_: '131072',
    GLIBC_TUNABLES: withHugePages(GLIBC_TUNABLES),
    ...env,
  };
}

/** Asks for 2 MB pages, which need fewer TLB entries; most kernels leave that to the program (`madvise`). */
function withHugePages(tunables: string | undefined): string {
  if (!tunables) return 'glibc.malloc.hugetlb=1';
  return tunables.includes('glibc.malloc.hugetlb=') ? tunables : `${tunables}:glibc.malloc.hugetlb=1`;
}
