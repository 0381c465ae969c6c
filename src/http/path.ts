/** A path without duplicate and trailing slashes, which the router ignores. */
export const withoutExtraSlashes = (path: string): string => path.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');

/** Whether a path, or a URL without its origin, is below `/v1`. */
export const isUnderV1 = (path: string): boolean => withoutExtraSlashes(path).startsWith('/v1/');
