import { join } from 'node:path';
import { HearsayError } from '../errors.ts';
import { exists } from '../files/entry.ts';
import { downloadFile, type HubFile } from '../hub/download.ts';
import type { HubFetchOptions } from '../hub/hub.ts';
import { type HubAccess, Interruption } from '../hub/request.ts';
import type { SayConfig } from './config.ts';
import { officialModel } from './model-files.ts';

const REPOSITORY = 'hexgrad/misaki';
/** 10 August 2025. */
const COMMIT = 'fba1236595f2d2bf21d414ba6e57d25256afada3';

/** misaki's English lexicons. */
const files: readonly HubFile[] = [
  {
    path: 'us_gold.json',
    size: 3_000_469,
    sha256: 'dc414872a49a28ae6c141463d502fd945f3b2fde040484fdc47d00cc4612686f',
  },
  {
    path: 'us_silver.json',
    size: 3_099_517,
    sha256: 'de8f67be911bb6c659187b4a65fd966b6a30e56350e0f790d763210b053ac475',
  },
  {
    path: 'gb_gold.json',
    size: 2_838_552,
    sha256: '29e62f4b60261c88f7f3c2c7811ca3825978948090b72d2b27d565b729282f71',
  },
  {
    path: 'gb_silver.json',
    size: 3_663_898,
    sha256: '48131e2d92ccc41655f4543e87e0f938e71463eb5a54be7f0693bb712ebb6bce',
  },
];

/** Few retries, because speech works without lexicons. */
const retries = { stallTimeoutMs: 10_000, retries: 2, retryDelayMs: 1000 };

export interface LexiconOptions {
  /** Parent of the directory `misaki/`. */
  modelsDir: string;
  /** MISAKI_ENDPOINT: address of GitHub's raw files, without a trailing slash. */
  endpoint: string;
  /** HF_HUB_OFFLINE. */
  offline: boolean;
}

type LexiconSettings = Pick<SayConfig, 'modelsDir' | 'ttsModel' | 'misakiEndpoint' | 'hfHubOffline'>;

/** Directory of misaki's lexicons; undefined unless all of them are on this machine. */
export async function cachedLexicons(modelsDir: string): Promise<string | undefined> {
  const directory = join(modelsDir, 'misaki');
  for (const { path } of files) if (!(await exists(join(directory, path)))) return undefined;
  return directory;
}

/**
 * Directory of misaki's lexicons, downloaded with a configured model that uses them; undefined if they are unavailable,
 * since speech works without.
 * @param onFailure called with the reason if the download fails
 */
export async function findLexicons(
  { modelsDir, ttsModel, misakiEndpoint: endpoint, hfHubOffline: offline }: LexiconSettings,
  { onFailure, ...options }: HubFetchOptions & { onFailure: (reason: string) => void },
): Promise<string | undefined> {
  const cached = await cachedLexicons(modelsDir);
  if (cached !== undefined || ttsModel === undefined || !officialModel(ttsModel)?.usesLexicons) return cached;
  return fetchLexicons({ modelsDir, endpoint, offline }, options).catch((error) => {
    if (!(error instanceof HearsayError)) throw error;
    onFailure(error.message);
    return undefined;
  });
}

/**
 * Downloads the lexicons of misaki that are not on this machine. Size and hash are checked before a file gets its name; an
 * interrupted download is resumed. Existing files stay: a user may have put them there.
 *
 * @param wanted the files; others for tests
 * @returns their directory
 * @throws HearsayError `model_load_failed` with the cause; `signal.reason` when aborted
 */
export async function fetchLexicons(
  { modelsDir, endpoint, offline }: LexiconOptions,
  { signal = new AbortController().signal, onProgress }: HubFetchOptions = {},
  wanted: readonly HubFile[] = files,
): Promise<string> {
  const directory = join(modelsDir, 'misaki');
  const hub: HubAccess = { endpoint, token: undefined, ...retries };
  const totalBytes = wanted.reduce((sum, file) => sum + file.size, 0);
  let doneBytes = 0;
  for (const file of wanted) {
    const target = join(directory, file.path);
    if (!(await exists(target))) {
      if (offline) throw failure('HF_HUB_OFFLINE forbids downloads');
      const url = `${hub.endpoint}/${REPOSITORY}/${COMMIT}/misaki/data/${file.path}`;
      const source = { access: hub, repository: REPOSITORY, commit: COMMIT, url };
      const report = (bytes: number) => onProgress?.({ file: file.path, receivedBytes: doneBytes + bytes, totalBytes });
      await downloadFile(source, file, target, signal, report).catch((error) => {
        signal.throwIfAborted();
        throw failure(reasonOf(error), error);
      });
    }
    doneBytes += file.size;
  }
  return directory;
}

function reasonOf(error: unknown): string {
  if (error instanceof Interruption || error instanceof HearsayError) return error.message.replace(/\.$/, '');
  return (error as NodeJS.ErrnoException).code ?? 'unexpected error';
}

function failure(reason: string, cause?: unknown): HearsayError {
  const message = `The lexicons of misaki are missing: ${reason}. Words are read with the pronouncing dictionary instead; retry with hearsay fetch kokoro (npm run fetch -- kokoro).`;
  return new HearsayError('model_load_failed', message, { cause });
}
