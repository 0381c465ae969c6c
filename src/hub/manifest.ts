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
  /** All files of that commit, so that later wishes need no new list. */
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

/** Which files of a repository there are, and which of them were downloaded. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Of GET /api/models/{repository}/revision/{revision}?blobs=true, what is used here. */
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
 * What a repository holds, none of it downloaded yet, out of the hub's answer.
 * @throws ZodError where the answer is no list of files with their sizes
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

/** A large file's git blob is a pointer to it, so its blob id says nothing of its content. */
function statedHash({ blobId, lfs }: z.infer<typeof listingSchema>['siblings'][number]): Partial<HubFile> {
  if (lfs) return lfs.sha256 ? { sha256: lfs.sha256 } : {};
  return blobId ? { gitBlob: blobId } : {};
}

/** Whether a file of that name lies in the folder of its repository, and is not the manifest itself. */
export function staysInside(path: string): boolean {
  const segments = path.split('/');
  return path !== MANIFEST && !/[\\\0]/.test(path) && segments.every((name) => !['', '.', '..'].includes(name));
}

/** The manifest of a download's folder; undefined where there is none that can be used. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => '');
  return manifestSchema.safeParse(parseJson(text)).data;
}

/** Writes the manifest, with which a download is complete. */
export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return replaceFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
