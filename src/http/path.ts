/** A path without duplicate and trailing slashes, which the router ignores. */
export const withoutExtraSlashes = (path: string): string => path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
