import type { Stats } from 'node:fs';
import { open, readdir, readFile, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { isMissing } from '../../files/missing.ts';
import { removeFile } from '../../files/remove-file.ts';
import { replaceFile, syncDirectory } from '../../files/replace-file.ts';
import { isJobId, type StoredJob, storedJob } from './job.ts';

const NAME = /^(job_\w+)\.(json|upload|response|cancelled|damaged)$/;
/** Leftovers of a crash next to the files of jobs: partial uploads and records, and locks. */
const STRAY = /^(?:hearsay-upload-[\w-]+|job_\w+\.(?:json|response)\.[\w-]+\.part|lock-\w+)$/;

/**
 * The files of jobs in a directory: `<id>.json`, `<id>.upload` and `<id>.response`. `<id>.cancelled` marks a job that
 * was cancelled while the disk was too full to record it.
 */
export class JobFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(id: string, kind: 'json' | 'upload' | 'response' | 'cancelled' | 'damaged'): string {
    return join(this.folder, `${id}.${kind}`);
  }

  /**
   * Reads all jobs, the oldest first, and removes leftovers of a crash. A record that cannot be read is set aside with
   * its files, and removed when it is old. Directories and foreign files are left alone.
   * @param damagedBefore in milliseconds since 1970
   */
  async readAll(log: FastifyBaseLogger, damagedBefore: number): Promise<StoredJob[]> {
    const jobs = new Map<string, StoredJob>();
    const damaged = new Set<string>();
    const entries = await readdir(this.folder, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    for (const name of names) {
      const [, id = '', kind] = NAME.exec(name) ?? [];
      if (kind === 'json') {
        const job = await this.#read(id);
        if (job) jobs.set(id, job);
        else {
          log.error({ file: join(this.folder, name) }, 'The record of a job is damaged: the job is lost');
          await rename(join(this.folder, name), this.path(id, 'damaged'));
          damaged.add(id);
        }
      } else if (kind === 'damaged') {
        const { mtimeMs } = await stat(join(this.folder, name));
        if (mtimeMs >= damagedBefore) damaged.add(id);
      }
    }
    for (const name of names) {
      const [, id, kind] = NAME.exec(name) ?? [];
      const isStray = id === undefined ? STRAY.test(name) : kind !== 'json' && !jobs.has(id) && !damaged.has(id);
      if (isStray) await removeFile(join(this.folder, name));
    }
    return [...jobs.values()].sort((a, b) => a.createdAt - b.createdAt);
  }

  async #read(id: string): Promise<StoredJob | undefined> {
    try {
      const job = storedJob.parse(JSON.parse(await readFile(this.path(id, 'json'), 'utf8')));
      return job.id === id && isJobId(id) ? job : undefined;
    } catch (error) {
      const { syscall } = error as NodeJS.ErrnoException;
      // Do not lose a job to a temporary failure of the file system.
      if (syscall !== undefined) throw error;
      return undefined;
    }
  }

  /** Whether the complete recording of a job exists. @throws other errors of the file system: they may be temporary */
  async hasUpload({ id, uploadBytes }: StoredJob): Promise<boolean> {
    const file = await statIfAny(this.path(id, 'upload'));
    return file?.isFile() === true && file.size === uploadBytes;
  }

  /** Turns a recording into the mark of a cancelled job, which needs no space and frees that of the recording. */
  async markCancelled(id: string): Promise<void> {
    const mark = this.path(id, 'cancelled');
    await rename(this.path(id, 'upload'), mark);
    // Without the mark, an empty recording would count as lost.
    await syncDirectory(this.folder).catch(() => {});
    // The mark is valid whatever it contains.
    await truncate(mark).catch(() => {});
  }

  /** Whether a job has such a mark. @throws other errors of the file system */
  async isMarkedCancelled({ id }: StoredJob): Promise<boolean> {
    const file = await statIfAny(this.path(id, 'cancelled'));
    return file?.isFile() === true;
  }

  /** Writes a record; resolves when it survives a power cut. */
  write(job: StoredJob): Promise<void> {
    return replaceFile(this.path(job.id, 'json'), JSON.stringify(job));
  }

  /** Moves an upload of the same file system here. Its name is durable with the next record. */
  async adopt(id: string, path: string): Promise<void> {
    const file = await open(path, 'r+');
    await file.sync().finally(() => file.close());
    await rename(path, this.path(id, 'upload'));
  }

  /** Removes a job, its record first: without it the other files are leftovers. */
  async remove(id: string): Promise<void> {
    for (const kind of ['json', 'upload', 'response', 'cancelled'] as const) await removeFile(this.path(id, kind));
  }
}

/** Undefined if there is no such file. */
function statIfAny(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
