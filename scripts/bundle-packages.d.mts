/** Names of the packages that are bundled. */
export const bundledPackages: string[];

/** Fills a node_modules directory, emptied first. */
export function bundlePackages(target: string): void;
