import { byId } from '../shared/dom.ts';
import type { Beside } from './beside.ts';
import type { JobStatus } from './job-status.ts';
import type { Job, Jobs } from './jobs.ts';
import { factsOf } from './preset-facts.ts';
import type { Queue } from './queue.ts';
import type { Transcript } from './transcript.ts';

export interface TranslationActions {
  /** Names and spellings for the translation. */
  names: () => string;
  open: (job: Job) => void;
  statusOf: (job: Job) => JobStatus;
}

/**
 * Translates the shown recording, and shows the translation next to its transcript. The translation is an entry of the
 * list like any other, which is edited and saved there.
 */
export class Translation {
  readonly #toggle = byId('beside', HTMLButtonElement);
  readonly #row = byId('beside-row', HTMLElement);
  readonly #status = byId('beside-status', HTMLElement);
  readonly #open = byId('beside-open', HTMLButtonElement);
  readonly #jobs: Jobs;
  readonly #queue: Queue;
  readonly #beside: Beside;
  readonly #actions: TranslationActions;
  /** The job with the transcript, if it is shown and may be translated. */
  #original: Job | undefined;
  /** The translation whose text is shown. */
  #shown: Job | undefined;
  #canTranslate = false;

  constructor(jobs: Jobs, queue: Queue, beside: Beside, actions: TranslationActions) {
    this.#jobs = jobs;
    this.#queue = queue;
    this.#beside = beside;
    this.#actions = actions;
    this.#toggle.addEventListener('click', () => this.#onToggle());
    this.#open.addEventListener('click', () => this.#translation && actions.open(this.#translation));
  }

  /** Name of the loaded model; those without a preset may translate. Empty while none is: the last one comes back. */
  set model(model: string) {
    if (model === '') return;
    const facts = factsOf(model);
    this.#canTranslate = !facts || facts.translation === 'translates';
    this.refresh();
  }

  /** Takes the shown job; undefined unless it has a transcript in another language than English. */
  show(original: Job | undefined): void {
    this.#original = original;
    this.#beside.segments = undefined;
    this.#shown = undefined;
    this.refresh();
  }

  /** Call it when the job of a translation has changed. */
  refresh(): void {
    const translation = this.#translation;
    const isOn = translation !== undefined && this.#original!.isBeside === true;
    this.#toggle.hidden = !this.#original || !(this.#canTranslate || translation);
    this.#toggle.setAttribute('aria-pressed', String(isOn));
    this.#row.hidden = !isOn;
    if (!isOn) {
      if (this.#shown) this.#beside.segments = undefined;
      this.#shown = undefined;
      return;
    }
    const { text, isRunning } = this.#actions.statusOf(translation);
    const status = isRunning ? text : `Translation: ${text}`;
    if (this.#status.textContent !== status) this.#status.textContent = status;
    if (translation.state === 'running') {
      this.#shown = translation;
      this.#beside.segments = this.#queue
        .heardOf(translation)
        .map(({ delta, start, end }) => ({ text: delta, start, end }));
    } else void this.#showStored(translation);
  }

  /** The translation of the shown job, the latest first. */
  get #translation(): Job | undefined {
    const { id } = this.#original ?? {};
    return id === undefined ? undefined : this.#jobs.all.find(({ translationOf }) => translationOf === id);
  }

  async #showStored(translation: Job): Promise<void> {
    const transcript = await this.#jobs.transcript(translation);
    if (this.#translation !== translation || translation.state === 'running' || !this.#original?.isBeside) return;
    this.#shown = translation;
    this.#beside.segments = transcript?.segments ?? [];
  }

  #onToggle(): void {
    const original = this.#original!;
    const isOn = this.#toggle.getAttribute('aria-pressed') === 'true';
    this.#jobs.update(original, { isBeside: !isOn });
    const translation = this.#translation;
    if (!isOn && (!translation || translation.state === 'failed' || translation.state === 'new')) {
      const name = original.name.replace(/(\.[^.]{1,5})?$/, (ending) => ` (English)${ending}`);
      const job = this.#jobs.again({ ...original, name }, { translationOf: original.id });
      this.#queue.add(job, { task: 'translations', language: '', names: this.#actions.names() });
    }
    this.refresh();
  }
}

/** Whether a transcript has something to translate into English. */
export function isForeign({ task, language, text }: Transcript): boolean {
  return task === 'transcribe' && text !== '' && language !== undefined && !['en', 'english'].includes(language);
}
