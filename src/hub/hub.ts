import { join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { createDirectory } from '../files/create-directory.ts';
import { removeDirectory } from '../files/remove-directory.ts';
import { isStorageFull } from '../files/storage-full.ts';
import { downloadedBytes, downloadFile, fileSize, matchesFile } from './download.ts';
import { isSafePath, type Manifest, parseListing, readManifest, writeManifest } from './manifest.ts';
import { assertOk, get, type HubAccess, hostOf, Interruption, withRetries } from './request.ts';

export interface HubOptions {
  /** Address of the hub, HF_ENDPOINT. */
  endpoint: string;
  /** HF_TOKEN; sent to the hub's own origin only. */
  token?: string | undefined;
  /** HF_HUB_OFFLINE: use files on disk and send no request. */
  offline: boolean;
  /** MODELS_DIR; downloads go to `hub/` inside it. */
  modelsDir: string;
  /** Milliseconds without data before an attempt is aborted. Default: 30,000. */
  stallTimeoutMs?: number;
  /** Retries of an interrupted request. Default: 5. */
  retries?: number;
  /** Milliseconds before the first retry, doubled for each further one. Default: 1,000. */
  retryDelayMs?: number;
}

/** Progress of all wanted files together. */
export interface HubProgress {
  /** Path of the current file. */
  file: string;
  /** Bytes on disk. */
  receivedBytes: number;
  /** Bytes. */
  totalBytes: number;
}

export interface HubFetchOptions {
  signal?: AbortSignal | undefined;
  /** Called for every chunk that arrives. */
  onProgress?: ((progress: HubProgress) => void) | undefined;
}

export interface HubRepository {
  /** `org/name`. */
  name: string;
  /** Branch, tag or commit. */
  revision: string;
}

/** What to download, and where to. */
interface Order {
  /** As the caller wrote it. */
  repository: string;
  parsed: HubRepository;
  directory: string;
  wanted: (file: string) => boolean;
}

interface Download {
  done: Promise<void>;
  stop: AbortController;
  /** Callers of `fetch` that wait for this download. */
  followers: Set<{ onProgress: HubFetchOptions['onProgress'] }>;
}

/** Parses `org/name` or `org/name@revision`, by default `main`; undefined for any other text. */
export function parseRepository(text: string): HubRepository | undefined {
  const match = /^([a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@([\w.+/-]+))?$/i.exec(text);
  // Hub names never contain `--` or `..`, so `--` joins org and name unambiguously.
  if (match === null || /--|\.\./.test(match[1]!)) return undefined;
  return { name: match[1]!, revision: match[2] ?? 'main' };
}

/**
 * Model files from a Hugging Face style hub.
 *
 * A download goes to `<modelsDir>/hub/<org>--<name>@<revision>/` and is complete once `.hub-manifest.json` is there.
 * A complete download is never checked again, even if its branch has moved: remove the directory to update it. An
 * incomplete file is `<name>.<hash, or commit>.part`, which the next fetch resumes.
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
   * Directory of a complete download of `org/name` or `org/name@revision`; undefined if there is none. Reads only the
   * disk.
   *
   * @param wanted selects the files that must be there; by default all that were ever downloaded
   */
  async cached(repository: string, wanted?: (file: string) => boolean): Promise<string | undefined> {
    const parsed = parseRepository(repository);
    if (parsed === undefined) return undefined;
    const directory = this.#directory(parsed);
    const manifest = await readManifest(directory);
    const files = manifest?.files.filter((file) => (wanted ? wanted(file.path) : file.downloaded)) ?? [];
    if (files.length === 0) return undefined;
    for (const file of files) {
      if (!file.downloaded || (await fileSize(join(directory, file.path))) !== file.size) return undefined;
    }
    return directory;
  }

  /** Downloaded bytes of `org/name` or `org/name@revision` on disk, incomplete files included. */
  async downloadedBytes(repository: string): Promise<number> {
    const parsed = parseRepository(repository);
    return parsed === undefined ? 0 : downloadedBytes(this.#directory(parsed));
  }

  /**
   * Downloads the wanted files of `org/name` or `org/name@revision` unless they are on disk, and checks their sizes and
   * stated hashes. Concurrent fetches of one repository share a download, which stops when the last of them is aborted;
   * the next fetch resumes it.
   *
   * @param wanted selects files by their path in the repository
   * @returns the directory with the files
   * @throws HearsayError `model_load_failed` with advice for the user; `signal.reason`
   */
  async fetch(
    repository: string,
    wanted: (file: string) => boolean,
    { signal, onProgress }: HubFetchOptions = {},
  ): Promise<string> {
    const parsed = parseRepository(repository);
    if (parsed === undefined) {
      throw failure(`${repository} is not a repository of a model hub: use org/name or org/name@revision.`);
    }
    const directory = this.#directory(parsed);
    for (;;) {
      signal?.throwIfAborted();
      if ((await this.cached(repository, wanted)) !== undefined) return directory;
      if (this.#offline) {
        throw failure(
          `${repository} is not complete on this machine, and HF_HUB_OFFLINE forbids the download. Unset HF_HUB_OFFLINE, or choose a model in MODELS_DIR.`,
        );
      }
      const running = this.#downloads.get(directory);
      const download = running ?? this.#start({ repository, parsed, directory, wanted });
      if (running?.stop.signal.aborted) {
        await running.done.catch(() => undefined);
      } else {
        await follow(download, signal, onProgress);
        if (download !== running) return directory;
      }
    }
  }

  /**
   * Removes the download of `org/name` or `org/name@revision`, incomplete files included. It must not be in progress.
   * @returns the removed directory; undefined if there was none
   * @throws the error of the file system
   */
  async remove(repository: string): Promise<string | undefined> {
    const parsed = parseRepository(repository);
    const directory = parsed && this.#directory(parsed);
    return directory !== undefined && (await removeDirectory(directory)) ? directory : undefined;
  }

  #directory({ name, revision }: HubRepository): string {
    return join(this.#root, `${name.replace('/', '--')}@${encodeURIComponent(revision)}`);
  }

  #start(order: Order): Download {
    const { repository, directory } = order;
    const stop = new AbortController();
    const followers: Download['followers'] = new Set();
    const onProgress = (progress: HubProgress) => {
      for (const follower of followers) follower.onProgress?.(progress);
    };
    const done = this.#download(order, stop.signal, onProgress)
      .catch((error) => {
        throw stop.signal.aborted ? error : this.#explain(error, repository);
      })
      .finally(() => this.#downloads.delete(directory));
    const download = { done, stop, followers };
    this.#downloads.set(directory, download);
    return download;
  }

  async #download(
    { repository, parsed, directory, wanted }: Order,
    signal: AbortSignal,
    onProgress: (progress: HubProgress) => void,
  ): Promise<void> {
    const known = await readManifest(directory);
    const manifest = known ?? (await this.#list(repository, parsed, signal));
    const files = manifest.files.filter((file) => wanted(file.path));
    if (files.length === 0) throw failure(`${repository} has none of the files of this model.`);
    const unsafe = files.find((file) => !isSafePath(file.path));
    if (unsafe !== undefined) {
      throw failure(`${repository} has a file with the forbidden name ${JSON.stringify(unsafe.path)}.`);
    }

    await createDirectory(directory);
    const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
    let doneBytes = 0;
    for (const file of files) {
      const target = join(directory, file.path);
      // Without a manifest, a file may be from an older state of the revision.
      const present = file.downloaded
        ? (await fileSize(target)) === file.size
        : await matchesFile(target, file, signal);
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
    await writeManifest(directory, manifest);
  }

  async #list(repository: string, { name, revision }: HubRepository, signal: AbortSignal): Promise<Manifest> {
    const url = `${this.#access.endpoint}/api/models/${name}/revision/${encodeURIComponent(revision)}?blobs=true`;
    // Nothing has been downloaded yet, so report an unreachable hub soon.
    const access = { ...this.#access, retries: Math.min(1, this.#access.retries) };
    const body = await withRetries(access, signal, () =>
      get(access, url, 0, signal, async ({ response, read }) => {
        assertOk(access, response, repository);
        const chunks: Uint8Array[] = [];
        for (let chunk = await read(); chunk !== undefined; chunk = await read()) chunks.push(chunk);
        return Buffer.concat(chunks).toString();
      }),
    );
    try {
      return { repository: name, revision, ...parseListing(body) };
    } catch (error) {
      throw failure(
        `The model hub ${hostOf(access)} returned no valid file list for ${repository}. Check HF_ENDPOINT.`,
        error,
      );
    }
  }

  #explain(error: unknown, repository: string): unknown {
    if (error instanceof HearsayError) return error;
    const host = hostOf(this.#access);
    if (error instanceof Interruption) {
      return failure(
        `${repository} could not be downloaded from the model hub ${host}: ${error.message}. Check the network and HF_ENDPOINT and try again; downloaded data is kept.`,
        error,
      );
    }
    if (isStorageFull(error)) {
      return failure(
        `The disk is full: ${repository} does not fit. Free some space, or set MODELS_DIR to a directory on a larger disk; downloaded data is kept.`,
        error,
      );
    }
    const { syscall, code } = (error ?? {}) as NodeJS.ErrnoException;
    if (syscall !== undefined) return failure(`${repository} could not be stored in MODELS_DIR (${code}).`, error);
    return error;
  }
}

/** Waits for a download and stops it when its last follower is aborted. */
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
