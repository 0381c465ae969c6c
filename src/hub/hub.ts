import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { isStorageFull } from '../files/storage-full.ts';
import { downloadFile, isFile, sizeOf } from './download.ts';
import { type Manifest, parseListing, readManifest, staysInside, writeManifest } from './manifest.ts';
import { get, type HubAccess, hostOf, Interruption, refuseFailure, retrying } from './request.ts';

export interface HubOptions {
  /** Address of the hub, HF_ENDPOINT. */
  endpoint: string;
  /** HF_TOKEN; sent to the hub's own origin only. */
  token?: string | undefined;
  /** HF_HUB_OFFLINE: use what is on disk and send nothing. */
  offline: boolean;
  /** MODELS_DIR; downloads lie in `hub/` inside it. */
  modelsDir: string;
  /** Milliseconds without a byte after which an attempt is given up; 30,000. */
  stallTimeoutMs?: number;
  /** Further attempts after one that was interrupted; 5. */
  retries?: number;
  /** Milliseconds before the first further attempt, doubled for each after it; 1,000. */
  retryDelayMs?: number;
}

/** How far the whole download is. */
export interface HubProgress {
  /** The file that is being downloaded. */
  file: string;
  /** Bytes on disk of all files that are wanted. */
  receivedBytes: number;
  /** Bytes of all files that are wanted. */
  totalBytes: number;
}

export interface HubFetchOptions {
  signal?: AbortSignal | undefined;
  /** Called for every piece that arrives: often. */
  onProgress?: ((progress: HubProgress) => void) | undefined;
}

export interface HubRepository {
  /** `org/name`. */
  name: string;
  /** Branch, tag or commit. */
  revision: string;
}

interface Download {
  done: Promise<void>;
  stop: AbortController;
  /** Who waits for it, with what each wants to know of its progress. */
  followers: Set<{ onProgress: HubFetchOptions['onProgress'] }>;
}

/** Reads `org/name` or `org/name@revision`; undefined where the text is neither. The revision is `main` if not given. */
export function parseRepository(text: string): HubRepository | undefined {
  const match = /^([a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@([\w.+/-]+))?$/i.exec(text);
  // The hub knows no name with `--` or `..`, so joining the two halves with `--` is unambiguous.
  if (match === null || /--|\.\./.test(match[1]!)) return undefined;
  return { name: match[1]!, revision: match[2] ?? 'main' };
}

/**
 * Model files from a Hugging Face style hub.
 *
 * A download lies in `<modelsDir>/hub/<org>--<name>@<revision>/`, under the names that the files have in the
 * repository. `.hub-manifest.json` beside them is written last; only with it is a download complete. A complete one is
 * never asked about again, also where its revision is a branch that has moved on: remove the folder to get the new
 * state. A file that is on its way is called `<name>.<hash, or commit>.part` and is continued by the next fetch.
 */
export class Hub {
  readonly #access: HubAccess;
  readonly #offline: boolean;
  readonly #root: string;
  readonly #downloads = new Map<string, Download>();

  constructor(options: HubOptions) {
    this.#access = {
      endpoint: options.endpoint.replace(/\/+$/, ''),
      token: options.token?.trim() || undefined,
      stallTimeoutMs: options.stallTimeoutMs ?? 30_000,
      retries: options.retries ?? 5,
      retryDelayMs: options.retryDelayMs ?? 1000,
    };
    this.#offline = options.offline;
    this.#root = join(options.modelsDir, 'hub');
  }

  /**
   * Folder of a complete download of `org/name` or `org/name@revision`, else undefined. Asks the disk only.
   *
   * @param wanted chooses the files that must be there; without it, those of the last fetches
   */
  async cached(repository: string, wanted?: (file: string) => boolean): Promise<string | undefined> {
    const parsed = parseRepository(repository);
    if (parsed === undefined) return undefined;
    const folder = this.#folder(parsed);
    const manifest = await readManifest(folder);
    const files = manifest?.files.filter((file) => (wanted ? wanted(file.path) : file.downloaded)) ?? [];
    if (files.length === 0) return undefined;
    for (const file of files) {
      if (!file.downloaded || (await sizeOf(join(folder, file.path))) !== file.size) return undefined;
    }
    return folder;
  }

  /**
   * Makes sure that the files of `org/name` or `org/name@revision` that `wanted` chooses are on disk and checked
   * against the size and hash that the hub states. Fetches of one repository at the same time share one download, which
   * goes on while one of them is left; an aborted one leaves what has arrived for the next.
   *
   * @param wanted chooses by the name in the repository, with `/` between folders
   * @returns the folder that holds the files
   * @throws HearsayError `model_load_failed` with a message that says what to do; `signal.reason` when aborted
   */
  async fetch(
    repository: string,
    wanted: (file: string) => boolean,
    { signal, onProgress }: HubFetchOptions = {},
  ): Promise<string> {
    const parsed = parseRepository(repository);
    if (parsed === undefined) {
      throw failure(`${repository} is no repository of a model hub: write org/name or org/name@revision.`);
    }
    const folder = this.#folder(parsed);
    for (;;) {
      signal?.throwIfAborted();
      if ((await this.cached(repository, wanted)) !== undefined) return folder;
      if (this.#offline) {
        throw failure(
          `${repository} is not completely on this machine, and HF_HUB_OFFLINE forbids to download it. Unset HF_HUB_OFFLINE, or name a model that is in MODELS_DIR.`,
        );
      }
      const running = this.#downloads.get(folder);
      const download = running ?? this.#start(repository, parsed, folder, wanted);
      if (running?.stop.signal.aborted) {
        await running.done.catch(() => undefined);
      } else {
        await follow(download, signal, onProgress);
        if (download !== running) return folder;
      }
    }
  }

  #folder({ name, revision }: HubRepository): string {
    return join(this.#root, `${name.replace('/', '--')}@${encodeURIComponent(revision)}`);
  }

  #start(repository: string, parsed: HubRepository, folder: string, wanted: (file: string) => boolean): Download {
    const stop = new AbortController();
    const followers: Download['followers'] = new Set();
    const onProgress = (progress: HubProgress) => {
      for (const follower of followers) follower.onProgress?.(progress);
    };
    const done = this.#download(repository, parsed, folder, wanted, stop.signal, onProgress)
      .catch((error) => {
        throw stop.signal.aborted ? error : this.#explain(error, repository);
      })
      .finally(() => this.#downloads.delete(folder));
    const download = { done, stop, followers };
    this.#downloads.set(folder, download);
    return download;
  }

  async #download(
    repository: string,
    parsed: HubRepository,
    folder: string,
    wanted: (file: string) => boolean,
    signal: AbortSignal,
    onProgress: (progress: HubProgress) => void,
  ): Promise<void> {
    const known = await readManifest(folder);
    const manifest = known ?? (await this.#list(repository, parsed, signal));
    const files = manifest.files.filter((file) => wanted(file.path));
    if (files.length === 0) throw failure(`${repository} holds none of the files that this model is made of.`);
    const unsafe = files.find((file) => !staysInside(file.path));
    if (unsafe !== undefined) {
      throw failure(`${repository} holds a file with the forbidden name ${JSON.stringify(unsafe.path)}.`);
    }

    await mkdir(folder, { recursive: true });
    const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
    let doneBytes = 0;
    for (const file of files) {
      const target = join(folder, file.path);
      // A file that no manifest vouches for may be left from another state of the revision.
      const present = file.downloaded ? (await sizeOf(target)) === file.size : await isFile(target, file, signal);
      if (!present) {
        const url = `${this.#access.endpoint}/${parsed.name}/resolve/${manifest.commit}/${file.path.split('/').map(encodeURIComponent).join('/')}`;
        const source = { access: this.#access, repository, commit: manifest.commit, url };
        await downloadFile(source, file, target, signal, (position) =>
          onProgress({ file: file.path, receivedBytes: doneBytes + position, totalBytes }),
        );
      }
      doneBytes += file.size;
      file.downloaded = true;
    }
    await writeManifest(folder, manifest);
  }

  async #list(repository: string, { name, revision }: HubRepository, signal: AbortSignal): Promise<Manifest> {
    const url = `${this.#access.endpoint}/api/models/${name}/revision/${encodeURIComponent(revision)}?blobs=true`;
    // Nothing is lost yet: better to say soon that the hub is away than to wait out the patience a download deserves.
    const access = { ...this.#access, retries: Math.min(1, this.#access.retries) };
    const body = await retrying(access, signal, () =>
      get(access, url, 0, signal, async ({ response, read }) => {
        refuseFailure(access, response, repository);
        const chunks: Uint8Array[] = [];
        for (let chunk = await read(); chunk !== undefined; chunk = await read()) chunks.push(chunk);
        return Buffer.concat(chunks).toString();
      }),
    );
    try {
      return { repository: name, revision, ...parseListing(body) };
    } catch (error) {
      throw failure(
        `The model hub ${hostOf(access)} gave no list of files with their sizes for ${repository}. Check HF_ENDPOINT.`,
        error,
      );
    }
  }

  #explain(error: unknown, repository: string): unknown {
    if (error instanceof HearsayError) return error;
    const host = hostOf(this.#access);
    if (error instanceof Interruption) {
      return failure(
        `${repository} could not be downloaded from the model hub ${host}: ${error.message}. Check the network and HF_ENDPOINT and try again; what has arrived is kept.`,
        error,
      );
    }
    if (isStorageFull(error)) {
      return failure(
        `The disk is full: ${repository} does not fit. Make room, or set MODELS_DIR to a folder on a larger disk; what has arrived is kept.`,
        error,
      );
    }
    const { syscall, code } = (error ?? {}) as NodeJS.ErrnoException;
    if (syscall !== undefined) return failure(`${repository} could not be stored in MODELS_DIR (${code}).`, error);
    return error;
  }
}

/** Waits for a download, which is stopped when its last follower goes. */
async function follow(
  download: Download,
  signal: AbortSignal | undefined,
  onProgress: HubFetchOptions['onProgress'],
): Promise<void> {
  const follower = { onProgress };
  download.followers.add(follower);
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  try {
    await Promise.race([download.done, left]);
    if (!signal?.aborted) return;
  } finally {
    signal?.removeEventListener('abort', leave);
    download.followers.delete(follower);
  }
  if (download.followers.size === 0) {
    download.stop.abort(signal.reason);
    await download.done.catch(() => undefined);
  }
  throw signal.reason;
}

function failure(message: string, cause?: unknown): HearsayError {
  return new HearsayError('model_load_failed', message, { cause });
}
