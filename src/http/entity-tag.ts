/**
 * Whether a client has the current version of a file: its `If-None-Match` lists the tag, or is `*` (RFC 9110, section 13.1.2).
 * Proxies that compress make the tag weak (`W/`).
 */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || (tags.length === 1 && tags[0] === '*');
}
