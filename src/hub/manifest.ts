import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../files/replace-file.ts';
import type { HubFile } from './download.ts';

const MANIFEST = '.hub-manifest.json';

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

const manifestSchema = z.object({
  repository: z.string(),
  revision: z.string(),
  commit: hex(40),
  /** All files of the commit, so that later fetches need no new list. */
  files: z.array(
    z.object({
      path: z.string(),
      size: z.int().nonnegative(),
      sha256: hex(64).optional(),
      gitBlob: hex(40).optional(),
      downloaded: z.boolean(),
    }),
  ),
});

/** The files of a repository and which of them were downloaded. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The used fields of GET /api/models/{repository}/revision/{revision}?blobs=true. */
const listingSchema = z.object({
  sha: hex(40),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.int().nonnegative(),
      blobId: hex(40).nullish(),
      lfs: z.object({ sha256: hex(64).nullish() }).nullish(),
    }),
  ),
});

/**
 * Parses the hub's list of files, none of them downloaded yet.
 * @throws ZodError if the list is malformed
 */
export function parseListing(body: string): Pick<Manifest, 'commit' | 'files'> {
  const { sha, siblings } = listingSchema.parse(parseJson(body));
  const files = siblings.map((sibling) => ({
    path: sibling.rfilename,
    size: sibling.size,
    ...statedHash(sibling),
    downloaded: false,
  }));
  return { commit: sha, files };
}

/** With LFS the git blob is only a pointer, so its id is no hash of the content. */
function statedHash({ blobId, lfs }: z.infer<typeof listingSchema>['siblings'][number]): Partial<HubFile> {
  if (lfs) return lfs.sha256 ? { sha256: lfs.sha256 } : {};
  return blobId ? { gitBlob: blobId } : {};
}

/** Whether the path stays in the directory of its repository and is not the manifest. */
export function isSafePath(path: string): boolean {
  const segments = path.split('/');
  return path !== MANIFEST && !/[\\\0]/.test(path) && segments.every((name) => !['', '.', '..'].includes(name));
}

/** The manifest in a download's directory; undefined if it is missing or malformed. */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch(() => '');
  return manifestSchema.safeParse(parseJson(text)).data;
}

/** Writes the manifest, which completes a download. */
export function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  return replaceFile(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
