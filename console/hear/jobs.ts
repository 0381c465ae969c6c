import { notify } from '../shared/notice.ts';
import { runInSlices } from '../shared/slices.ts';
import { type BrowserStorage, newId, type StoredRecord } from '../shared/storage.ts';
import { isLockedElsewhere, type JobLock, lockJob } from './job-lock.ts';
import { recoveredFile, removeParts } from './pcm-recording.ts';
import { exportSteps, type Transcript } from './transcript.ts';

/** The settings that a recording is transcribed with. */
export interface JobSettings {
  task: 'transcriptions' | 'translations';
  language: string;
  /** Names and spellings, with commas. */
  names: string;
  /** Whether to find the speakers; absent in older jobs. */
  speakers?: boolean;
}

/** A recording and the state of its transcription. */
export interface Job extends StoredRecord {
  /** Name and size in bytes of the recording. */
  name: string;
  size: number;
  /** Key of the recording, which the jobs of one recording share. */
  fileId: string;
  createdAt: number;
  state: 'recording' | 'new' | 'waiting' | 'running' | 'done' | 'stopped' | 'failed';
  /** Why it failed. */
  error?: string;
  /** Summary of the transcript, e.g. `214 words, English, 3 min.` */
  summary?: string;
  settings?: JobSettings;
  isEdited?: boolean;
  /** Id of the job that it translates. */
  translationOf?: string;
  /** Whether its translation is shown next to it. */
  isBeside?: boolean;
}

/** Whether a page works on the job, or was closed while it did. */
export const isActive = ({ state }: Job): boolean => ['recording', 'waiting', 'running'].includes(state);

/** Whether nothing is left to do for the job, even if it failed. */
export const hasEnded = ({ state }: Job): boolean => state === 'done' || state === 'failed';

interface StoredFile extends StoredRecord {
  file: File;
}

/** JSON, since storing the word objects of an hour would block the page. */
interface StoredTranscript extends StoredRecord {
  json: Blob;
}

/** What tabs tell each other: the id of a job that one works on now, or that all jobs were removed. */
type News = { started: string } | 'cleared';

export interface JobsEvents {
  /** Called after jobs were added, changed or removed. */
  onChange: () => void;
  /** Called after another tab has started, ended or removed a job. */
  onReturn?: (job: Job) => void;
  /** Called after another tab has removed all jobs; those of this page are still listed. */
  onCleared?: () => void;
}

/** The recordings and transcripts of this browser, latest first. Survives reloads. */
export class Jobs {
  readonly #storage: BrowserStorage;
  readonly #events: JobsEvents;
  readonly #otherTabs = new BroadcastChannel('hearsay.jobs');
  /** Locks of the jobs that this page works on, by their ids. */
  readonly #locks = new Map<string, JobLock>();
  /** Jobs that another tab works on. */
  readonly #elsewhere = new Set<Job>();
  /** Recordings that are not kept yet, or for which the browser has no space. */
  readonly #files = new Map<string, File>();
  /** Transcripts of this page, including those for which the browser has no space. */
  readonly #transcripts = new Map<string, Transcript>();
  #jobs: Job[] = [];

  constructor(storage: BrowserStorage, events: JobsEvents) {
    this.#storage = storage;
    this.#events = events;
    this.#otherTabs.onmessage = ({ data }: { data: News }) => {
      if (data === 'cleared') events.onCleared?.();
      else void this.#startedElsewhere(data.started);
    };
  }

  get all(): readonly Job[] {
    return this.#jobs;
  }

  /** Whether another tab works on a job. */
  isElsewhere(job: Job): boolean {
    return this.#elsewhere.has(job);
  }

  /** Reads the stored jobs. Those that were running when their page was closed are marked as stopped. */
  async load(): Promise<void> {
    const stored = await this.#storage.all<Job>('jobs').catch(() => []);
    const known = new Set(this.#jobs.map(({ id }) => id));
    const older = stored.filter(({ id }) => !known.has(id)).sort((a, b) => b.createdAt - a.createdAt);
    this.#jobs = [...this.#jobs, ...older];
    await Promise.all(older.filter(isActive).map((job) => this.#takeOver(job)));
    this.#events.onChange();
  }

  /** Takes over what is left of a job whose page was closed. */
  async #takeOver(job: Job): Promise<void> {
    if (await isLockedElsewhere(job.id, () => void this.#returned(job))) this.#elsewhere.add(job);
    else if (job.state === 'recording') await this.#recover(job);
    else this.#stopped(job);
  }

  /** Takes over a job that another tab has ended or removed, or worked on until it was closed. */
  async #returned(job: Job): Promise<void> {
    const stored = await this.#storage.get<Job>('jobs', job.id).catch(() => job);
    this.#elsewhere.delete(job);
    if (!this.#jobs.includes(job)) return;
    if (!stored) this.#jobs = this.#jobs.filter((other) => other !== job);
    else if (isActive(Object.assign(job, stored))) await this.#takeOver(job);
    this.#events.onChange();
    this.#events.onReturn?.(job);
  }

  /** Lists a job that another tab has started. */
  async #startedElsewhere(id: string): Promise<void> {
    const stored = await this.#stored(id);
    const known = this.#jobs.find((job) => job.id === id);
    if (!stored || this.#locks.has(id) || (known && this.isElsewhere(known))) return;
    const job = Object.assign(known ?? stored, stored);
    if (!known) this.#jobs = [...this.#jobs, job].sort((a, b) => b.createdAt - a.createdAt);
    if (await isLockedElsewhere(id, () => void this.#returned(job))) this.#elsewhere.add(job);
    // It has ended already.
    else Object.assign(job, await this.#stored(id));
    this.#events.onChange();
    this.#events.onReturn?.(job);
  }

  async #stored(id: string): Promise<Job | undefined> {
    return await this.#storage.get<Job>('jobs', id).catch(() => undefined);
  }

  #stopped(job: Job): void {
    job.state = job.summary === undefined ? 'new' : 'stopped';
    void this.#store(job);
  }

  /** Makes a file from the stored parts of a recording whose page was closed. */
  async #recover(job: Job): Promise<void> {
    try {
      const file = await recoveredFile(this.#storage, job.fileId, job.name);
      if (file) await this.setFile(job, file);
      // While its last words are awaited, it is a file already.
      else if (!(await this.#storage.get('files', job.fileId))) return await this.remove(job);
      this.#stopped(job);
    } catch {
      // It cannot be read now, and may be after the next reload.
    }
  }

  /** Adds recordings, the first on top. */
  add(files: readonly File[]): Job[] {
    const now = Date.now();
    const added = files.map((file, index): Job => {
      const fileId = newId();
      void this.#keepFile(file.name, fileId, file);
      return this.#newJob({ name: file.name, size: file.size, fileId, createdAt: now - index });
    });
    this.#insert(added);
    return added;
  }

  /** Adds a recording that is being made; `setFile` gives it its file. */
  addRecording(name: string, settings: JobSettings): Job {
    const job = this.#newJob({ name, size: 0, fileId: newId(), createdAt: Date.now() });
    Object.assign(job, { state: 'recording', settings });
    this.#insert([job]);
    return job;
  }

  /** Stores the file of a recording that has been made. */
  async setFile(job: Job, file: File): Promise<void> {
    const { fileId: id } = job;
    this.update(job, { size: file.size });
    // Keep the parts if there is no space for the file: they are the same audio.
    if (await this.#keepFile(job.name, id, file)) await removeParts(this.#storage, id).catch(() => {});
  }

  async #keepFile(name: string, id: string, file: File): Promise<boolean> {
    this.#files.set(id, file);
    const isKept = await this.#keep(name, this.#storage.put<StoredFile>('files', { id, file }));
    // A file on disk may change or disappear; the browser's copy does not.
    if (isKept) this.#files.delete(id);
    return isKept;
  }

  /** Adds the recording of a job again, to transcribe it again: its transcript stays. */
  again({ name, size, fileId }: Job, more: Pick<Job, 'translationOf'> = {}): Job {
    const job = { ...this.#newJob({ name, size, fileId, createdAt: Date.now() }), ...more };
    this.#insert([job]);
    return job;
  }

  #newJob(job: Pick<Job, 'name' | 'size' | 'fileId' | 'createdAt'>): Job {
    return { id: newId(), state: 'new', ...job };
  }

  #insert(added: Job[]): void {
    this.#jobs = [...added, ...this.#jobs];
    for (const job of added) void this.#store(job);
    this.#events.onChange();
  }

  update(job: Job, changes: Partial<Job>): void {
    Object.assign(job, changes);
    void this.#store(job);
    this.#events.onChange();
  }

  /** The recording of a job; undefined if the browser has lost it. */
  async file({ fileId }: Job): Promise<File | undefined> {
    const kept = this.#files.get(fileId);
    return kept ?? (await this.#storage.get<StoredFile>('files', fileId).catch(() => undefined))?.file;
  }

  async transcript({ id }: Job): Promise<Transcript | undefined> {
    const kept = this.#transcripts.get(id);
    if (kept) return kept;
    const stored = await this.#storage.get<StoredTranscript>('transcripts', id).catch(() => undefined);
    return stored && (JSON.parse(await stored.json.text()) as Transcript);
  }

  async setTranscript(job: Job, transcript: Transcript): Promise<void> {
    if (!this.#jobs.includes(job)) return;
    this.#transcripts.set(job.id, transcript);
    const json = await runInSlices(exportSteps(transcript, 'verbose_json'));
    // Another version or a removal may have come meanwhile.
    if (this.#transcripts.get(job.id) !== transcript) return;
    const record: StoredTranscript = { id: job.id, json: new Blob([json]) };
    await this.#keep(`the transcript of ${job.name}`, this.#storage.put('transcripts', record));
  }

  async remove(job: Job): Promise<void> {
    this.#jobs = this.#jobs.filter((other) => other !== job);
    this.#transcripts.delete(job.id);
    this.#events.onChange();
    await this.#storage.remove('jobs', job.id);
    this.#unlock(job);
    await this.#storage.remove('transcripts', job.id);
    // Another tab may transcribe it again.
    const stored = await this.#storage.all<Job>('jobs');
    if ([...this.#jobs, ...stored].some(({ fileId }) => fileId === job.fileId)) return;
    this.#files.delete(job.fileId);
    await this.#storage.remove('files', job.fileId);
    await removeParts(this.#storage, job.fileId);
  }

  async clear(): Promise<void> {
    const removed = this.#jobs;
    this.#jobs = [];
    this.#files.clear();
    this.#transcripts.clear();
    this.#events.onChange();
    await Promise.all((['jobs', 'files', 'parts', 'transcripts'] as const).map((table) => this.#storage.clear(table)));
    for (const job of removed) this.#unlock(job);
    this.#tell('cleared');
  }

  async #store(job: Job): Promise<void> {
    // It may have been removed meanwhile.
    if (!this.#jobs.includes(job)) return;
    const starts = isActive(job) && !this.#locks.has(job.id) && !this.isElsewhere(job);
    if (starts) this.#locks.set(job.id, lockJob(job.id));
    await this.#keep(job.name, this.#storage.put('jobs', job));
    // Other tabs read it then.
    if (!isActive(job)) this.#unlock(job);
    else if (starts) {
      await this.#locks.get(job.id)?.held;
      this.#tell({ started: job.id });
    }
  }

  #unlock({ id }: Job): void {
    this.#locks.get(id)?.end();
    this.#locks.delete(id);
  }

  #tell(news: News): void {
    this.#otherTabs.postMessage(news);
  }

  /** Resolves to whether it was stored. */
  async #keep(what: string, writing: Promise<void>): Promise<boolean> {
    try {
      await writing;
      return true;
    } catch (error) {
      console.warn(error);
      notify(`This browser has no space to store ${what}. Save it before you close the page.`);
      return false;
    }
  }
}
