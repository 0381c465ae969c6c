import { button, byId, element, passFocus, removeRow } from '../shared/dom.ts';
import { byteSize } from '../shared/format.ts';
import { shownName } from '../shared/quoting.ts';
import type { JobStatus } from './job-status.ts';
import type { Job } from './jobs.ts';

export interface JobActions {
  open: (job: Job) => void;
  stop: (job: Job) => void;
  remove: (job: Job) => void;
  stopAll: () => void;
  clear: () => void;
}

interface Row {
  element: HTMLElement;
  name: HTMLButtonElement;
  /** When the job was added. */
  date: string;
  size: HTMLElement;
  status: HTMLElement;
  bar: HTMLProgressElement;
  stop: HTMLButtonElement;
  remove: HTMLButtonElement;
}

/** Lists the recordings of this browser, with the progress of each. */
export class JobList {
  readonly #list = byId('jobs', HTMLElement);
  readonly #none = byId('jobs-none', HTMLElement);
  readonly #stopAll = byId('jobs-stop', HTMLButtonElement);
  readonly #clear = byId('jobs-clear', HTMLButtonElement);
  readonly #file = byId('file', HTMLInputElement);
  readonly #actions: JobActions;
  /** Rows are reused, since a new one would lose the focus. */
  readonly #rows = new Map<Job, Row>();

  constructor(actions: JobActions) {
    this.#actions = actions;
    this.#stopAll.addEventListener('click', () => actions.stopAll());
    this.#clear.addEventListener('click', () => actions.clear());
  }

  show(jobs: readonly Job[], shown: Job | undefined, statusOf: (job: Job) => JobStatus): void {
    this.#none.hidden = jobs.length > 0;
    if (jobs.length === 0) passFocus(this.#clear, this.#file);
    this.#clear.hidden = jobs.length === 0;
    const listed = new Set(jobs);
    for (const [job, row] of this.#rows) {
      if (listed.has(job)) continue;
      removeRow(row.element, this.#file);
      this.#rows.delete(job);
    }
    for (const [index, job] of jobs.entries()) {
      const row = this.#rows.get(job) ?? this.#newRow(job);
      const here = this.#list.children[index];
      if (here !== row.element) this.#list.insertBefore(row.element, here ?? null);
      this.update(job, statusOf(job), job === shown);
    }
    const waits = jobs.some((job) => job.state === 'waiting' && !statusOf(job).isElsewhere);
    if (!waits) passFocus(this.#stopAll, this.#clear);
    this.#stopAll.hidden = !waits;
  }

  /** Shows how far a job is. */
  update(job: Job, { text, share, isRunning, isElsewhere = false }: JobStatus, isShown: boolean): void {
    const row = this.#rows.get(job);
    if (!row) return;
    row.element.classList.toggle('chosen', isShown);
    row.name.setAttribute('aria-current', String(isShown));
    const size = `${job.size === 0 ? '' : `${byteSize(job.size)} · `}${row.date}`;
    if (row.size.textContent !== size) row.size.textContent = size;
    if (row.status.textContent !== text) row.status.textContent = text;
    row.status.classList.toggle('failure', job.state === 'failed');
    row.bar.hidden = !isRunning;
    if (share === undefined) row.bar.removeAttribute('value');
    else row.bar.value = share;
    const canStop = isRunning || job.state === 'waiting';
    const usable = isElsewhere ? row.name : canStop ? row.stop : row.remove;
    usable.hidden = false;
    for (const control of [row.stop, row.remove]) {
      if (control === usable) continue;
      passFocus(control, usable);
      control.hidden = true;
    }
  }

  #newRow(job: Job): Row {
    const name = button('', 'pick', () => this.#actions.open(job));
    const called = shownName(job.name);
    const status = element('small', { dir: 'auto' });
    const size = element('small');
    name.append(element('bdi', {}, called), size, status);
    const bar = element('progress', { max: 1 });
    bar.setAttribute('aria-label', `Progress of ${called}`);
    const stop = button('Stop', 'plain', () => this.#actions.stop(job));
    stop.setAttribute('aria-label', `Stop ${called}`);
    const remove = button('×', 'plain', () => this.#actions.remove(job));
    remove.setAttribute('aria-label', `Remove ${called}`);
    const date = dates.format(job.createdAt);
    const row = { element: element('li', {}, name, stop, remove, bar), name, date, size, status, bar, stop, remove };
    this.#rows.set(job, row);
    return row;
  }
}

/** Making one takes longer than showing a row. */
const dates = new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'short' });
