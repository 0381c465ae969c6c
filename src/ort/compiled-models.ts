import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearsayError } from '../errors.ts';
import { createDirectory } from '../files/create-directory.ts';
import { isDirectory } from '../files/entry.ts';
import { fileState } from '../files/file-state.ts';
import { removeDirectory } from '../files/remove-directory.ts';
import { isStorageFull } from '../files/storage-full.ts';
import { createTemporaryDirectory, isRunning } from '../files/temporary-directory.ts';

/** Longer than compiling the largest model takes. */
const MAX_COMPILE_MS = 24 * 3600 * 1000;
/**
 * Longer than a compilation writes nothing. Containers may share the name of the host and not its process ids: a process
 * that seems to be gone may be one of another container.
 */
const MAX_PAUSE_MS = 10 * 60 * 1000;
/**
 * Milliseconds after which a compiled model that was not loaded is removed: one of an earlier version or of other
 * settings.
 */
const MAX_UNUSED_MS = 30 * 24 * 3600 * 1000;
/**
 * File of a compiled model with the path of its checkpoint, relative to `modelsDir`, which may be mounted elsewhere. Its
 * modification time is that of the last load.
 */
const SOURCE_FILE = 'checkpoint.txt';

/** The name of a compiled model with a short hash of everything it depends on: weights, code, options, versions. */
export function compiledKey(name: string, ...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  // The lengths keep ('ab', 'c') apart from ('a', 'bc').
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return `${name}-${hash.digest('hex').slice(0, 16)}`;
}

/** src/, or dist/ with the same layout. */
const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const EXTENSION = extname(import.meta.url);

/**
 * A hash of the code that compiles a model, without its tests. When it changes, the model is compiled again.
 * @param paths directories and modules (without their extension) below src/
 * @param root for tests, instead of src/
 * @throws if a path does not exist
 */
export async function sourceHash(paths: readonly string[], root: string = SOURCES): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of await modulesOf(root, path)) {
      const text = await readFile(join(root, file));
      hash.update(`${file}:${text.length}:`).update(text);
    }
  }
  return hash.digest('hex');
}

/** Paths from `root` of the modules in a directory, or of a single one. */
async function modulesOf(root: string, path: string): Promise<string[]> {
  if (!(await isDirectory(join(root, path)))) return [path + EXTENSION];
  const names = await readdir(join(root, path), { recursive: true });
  return names
    .filter((name) => name.endsWith(EXTENSION) && !name.endsWith(`.test${EXTENSION}`))
    .sort()
    .map((name) => join(path, name));
}

/**
 * The directory of a compiled model: `<modelsDir>/compiled/<key>`, written once per machine. If that cannot be written,
 * a temporary directory is written each time, and those of ended processes are removed. Before it is written, those that
 * were not loaded for 30 days are removed, and the partial output of processes that were killed.
 * @param key from `compiledKey`
 * @param checkpoint path of what it is compiled from
 * @param write writes the model's files into an empty directory
 * @throws HearsayError `model_load_failed` if the disk is full; otherwise what `write` throws
 */
export async function compiledModel(
  modelsDir: string,
  key: string,
  checkpoint: string,
  write: (directory: string) => Promise<void>,
): Promise<string> {
  const parent = join(modelsDir, 'compiled');
  const target = join(parent, key);
  if (await isDirectory(target)) {
    const now = new Date();
    await utimes(join(target, SOURCE_FILE), now, now).catch(() => {});
    return target;
  }
  const scratch = await makeScratch(parent, key);
  try {
    await write(scratch);
    await writeFile(join(scratch, SOURCE_FILE), relative(modelsDir, checkpoint));
    await syncFiles(scratch);
    if (!scratch.startsWith(parent)) return scratch;
    await rename(scratch, target).catch(async (error) => {
      // Another process was faster, and its model is the same.
      if (!(await isDirectory(target))) throw error;
      await rm(scratch, { recursive: true, force: true });
    });
    return target;
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    if (!isStorageFull(error)) throw error;
    const message = 'The disk is full: the compiled model does not fit. Make room in MODELS_DIR.';
    throw new HearsayError('model_load_failed', message, { cause: error });
  }
}

/**
 * Loads a compiled model. If that fails because files are damaged, it is removed and compiled again, once.
 * @param name of the model, for messages
 * @throws HearsayError `model_load_failed` if it fails again; what `compile` throws
 */
export async function loadCompiled<Compiled extends { folder: string }, Model>(
  name: string,
  compiled: Compiled,
  load: (compiled: Compiled) => Promise<Model>,
  compile: () => Promise<Compiled>,
): Promise<Model> {
  const stateOf = () => fileState(compiled.folder).catch(() => undefined);
  const tried = await stateOf();
  try {
    return await load(compiled);
  } catch {
    // Another replica may have replaced it meanwhile.
    if ((await stateOf()) === tried) await removeDirectory(compiled.folder).catch(() => {});
  }
  const recompiled = await compile();
  try {
    return await load(recompiled);
  } catch (cause) {
    throw new HearsayError('model_load_failed', `The compiled ${name} model cannot be loaded.`, { cause });
  }
}

/**
 * Removes what was compiled from a checkpoint, for any device and by any version.
 * @param checkpoint as given to `compiledModel`
 * @throws errors of the file system
 */
export async function removeCompiled(modelsDir: string, checkpoint: string): Promise<void> {
  const parent = join(modelsDir, 'compiled');
  for (const name of await readdir(parent).catch(() => [])) {
    const source = await readFile(join(parent, name, SOURCE_FILE), 'utf8').catch(() => undefined);
    if (source === relative(modelsDir, checkpoint)) await removeDirectory(join(parent, name));
  }
}

async function makeScratch(parent: string, key: string): Promise<string> {
  try {
    await createDirectory(parent);
    await removeUnused(parent);
    // Not mkdtemp, whose directories other users cannot read: services of several users may share MODELS_DIR.
    const scratch = join(parent, `.${key}-${scratchOwner(process.pid)}-${randomBytes(3).toString('hex')}`);
    await mkdir(scratch);
    return scratch;
  } catch {
    return createTemporaryDirectory(tmpdir(), key);
  }
}

/** Tells hosts apart: containers that share the directory may have the same process ids. */
const scratchOwner = (pid: number) => `${hostname().replace(/[^\w.-]/g, '_')}-${pid}`;

/**
 * Removes the partial output of a process of this machine that ended while it compiled a model.
 * @param pid of the process, which no longer runs
 */
export async function removeScratch(modelsDir: string, pid: number): Promise<void> {
  const parent = join(modelsDir, 'compiled');
  const names = await readdir(parent).catch(() => []);
  const end = `-${scratchOwner(pid)}-`;
  for (const name of names) {
    if (!name.startsWith('.') || !name.slice(0, -6).endsWith(end)) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Removes models that were not loaded for `MAX_UNUSED_MS`, and the partial output of compilations that were killed. */
async function removeUnused(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (name.startsWith('.')) {
      // Recent ones may belong to a compilation in progress.
      const isLeft =
        (await ageMs(path)) > MAX_COMPILE_MS || (isOfEndedProcess(name) && (await pauseMs(path)) > MAX_PAUSE_MS);
      if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {});
    } else if ((await ageMs(join(path, SOURCE_FILE))) > MAX_UNUSED_MS) {
      await removeDirectory(path).catch(() => {});
    }
  }
}

/** Whether the partial output in a directory of this name is that of a process of this machine that has ended. */
function isOfEndedProcess(name: string): boolean {
  const pid = Number(/-(\d+)-\w{6}$/.exec(name)?.[1]);
  if (!pid || !name.slice(0, -6).endsWith(`-${scratchOwner(pid)}-`)) return false;
  // Containers number their processes alike: an earlier one may have had the id of this process.
  return pid === process.pid || !isRunning(pid);
}

/** Milliseconds since a file of a directory was written. */
async function pauseMs(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return Math.min(...(await Promise.all([folder, ...names.map((name) => join(folder, name))].map(ageMs))));
}

/** Milliseconds since a file or directory was modified; 0 if there is none. */
async function ageMs(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Math.max(0, Date.now() - mtimeMs);
}

/** Syncs the files of a directory to disk. Otherwise a power cut could leave a directory with the final name and empty files. */
async function syncFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = await open(join(folder, name));
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
