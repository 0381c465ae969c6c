/**
 * What an engine is started with: an environment without API_KEY and HF_TOKEN, and with what glibc needs to know where it
 * does not say that itself.
 */
export function engineEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { API_KEY, HF_TOKEN, GLIBC_TUNABLES, ...env } = from;
  return {
    // int8 sessions hold twice their weights through heap fragmentation with glibc's default threshold.
    MALLOC_TRIM_THRESHOLD_: '131072',
    GLIBC_TUNABLES: withHugePages(GLIBC_TUNABLES),
    ...env,
  };
}

/**
 * Pages of 2 MB for what is that large, where the kernel leaves that to programs (`madvise`, the default of most): a
 * processor finds fewer pages faster.
 */
function withHugePages(tunables: string | undefined): string {
  if (!tunables) return 'glibc.malloc.hugetlb=1';
  return tunables.includes('glibc.malloc.hugetlb=') ? tunables : `${tunables}:glibc.malloc.hugetlb=1`;
}
