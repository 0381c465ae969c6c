/**
 * What an engine is started with: an environment without API_KEY and HF_TOKEN, and with what glibc needs to know where it
 * does not say that itself.
 */
export function engineEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { API_KEY, HF_TOKEN, GLIBC_TUNABLES, ...env } = from;
  return {
    // int8 sessions hold twice their weights through heap fragmentation with glibc's default threshold.
    MALLOC_TRIM_THRESHOLD_: '131072',
    GLIBC_TUNABLES: tunablesWith(GLIBC_TUNABLES),
    ...env,
  };
}

/** How glibc is to manage memory. */
const TUNABLES = {
  // Pages of 2 MB for what is that large, where the kernel leaves that to programs (`madvise`, the default of most): a
  // processor finds fewer pages faster.
  'glibc.malloc.hugetlb': 1,
  // One heap for all threads: only the first one's is in such pages, and what one thread frees another one can use.
  'glibc.malloc.arena_max': 1,
};

function tunablesWith(own: string | undefined): string {
  const open = Object.entries(TUNABLES).filter(([name]) => !own?.includes(`${name}=`));
  return [...(own ? [own] : []), ...open.map(([name, value]) => `${name}=${value}`)].join(':');
}
