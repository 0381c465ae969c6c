import type { Preset, PresetList } from '../../src/hear/routes/schemas.ts';
import { ApiError, jsonBody, keyHeaders, messageOf, requestJson } from '../shared/api.ts';
import { confirmed } from '../shared/confirm.ts';
import { byId, element } from '../shared/dom.ts';
import { byteSize } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';
import { poll } from '../shared/poll.ts';
import { modelRow, type RowActions, showProgress } from './model-row.ts';

const INTERVAL_MS = 700;
/** Intervals without a look at the service while nothing is known to run. */
const IDLE_INTERVALS = 7;

/** Shows the available models, activates one, cancels its activation, and removes one. */
export class ModelsPanel {
  readonly #list = byId('models', HTMLElement);
  readonly #status = byId('model-status', HTMLElement);
  readonly #onActivated: () => void;
  #presets: PresetList | undefined;
  /** What this page activates. */
  #activating: string | undefined;
  #isCancelling = false;
  readonly #failures = new Map<string, string>();
  #drawn = '';
  #idleIntervals = 0;
  /** Counts the answers and questions: an answer to an earlier question is out of date. */
  #turn = 0;

  /** @param onActivated called after another model is activated */
  constructor(onActivated: () => void) {
    this.#onActivated = onActivated;
    // Other pages and programs activate models, too.
    poll(() => this.#follow(), INTERVAL_MS);
  }

  /** Size of the loaded model; empty while unknown. */
  get loaded(): string {
    return this.#presets?.loaded ?? '';
  }

  /** Fetches the available models. */
  async load(): Promise<void> {
    try {
      this.#take(await requestJson<PresetList>('/api/model/presets'));
    } catch (error) {
      const message = messageOf(error);
      if (message === undefined) return;
      notify(message);
      if (!this.#presets) this.#list.replaceChildren(element('li', { className: 'quiet' }, message));
    }
  }

  /** The model that is being activated or loaded; undefined if the loaded one serves. */
  get #pending(): string | undefined {
    const { active, loaded, loading } = this.#presets!;
    // Ignore an isolated engine of the serving model.
    return this.#activating ?? (loading?.size === loaded && loaded === active ? undefined : loading?.size);
  }

  #take(presets: PresetList): void {
    this.#turn++;
    this.#presets = presets;
    this.#show();
  }

  #show(): void {
    if (!this.#presets) return;
    const { presets, active, loaded, loading } = this.#presets;
    const pending = this.#pending;
    // The bytes of a download that runs are in its progress.
    const rows = presets.map((model) => (model.size === pending ? { ...model, downloaded_bytes: 0 } : model));
    // Redrawing drops the focus of a button.
    const content = JSON.stringify([rows, active, loaded, pending, [...this.#failures]]);
    if (content !== this.#drawn) this.#draw(rows);
    this.#drawn = content;
    if (this.#isCancelling) showProgress(this.#list, 'Cancelling…');
    else showProgress(this.#list, loading && loading.size === pending ? loading : 'Waiting…');
  }

  #draw(models: Preset[]): void {
    const { active } = this.#presets!;
    const { size, action } = document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {};
    // The active one first, then those on disk; sorting keeps the order of the others.
    const rank = ({ size, on_disk }: Preset) => (size === active ? 0 : on_disk ? 1 : 2);
    this.#list.replaceChildren(...models.toSorted((a, b) => rank(a) - rank(b)).map((model) => this.#row(model)));
    if (size === undefined) return;
    const find = (filter: string) =>
      this.#list.querySelector<HTMLElement>(`[data-size="${CSS.escape(size)}"]${filter}`);
    // Cancel replaces Activate and vice versa. The active model has no button, and the focus must not jump to the top
    // of the page.
    const control = find(`[data-action="${action}"]`) ?? find(':not([data-action="Remove"])');
    // The reader may have scrolled to a transcript meanwhile.
    (control ?? this.#list).focus({ preventScroll: true });
  }

  #row(model: Preset): HTMLElement {
    const { active, loaded } = this.#presets!;
    const { size } = model;
    const pending = this.#pending;
    const actions: RowActions = { activate: () => void this.#activate(model) };
    // The selected model loads until another one takes its place.
    if (size !== active) actions.cancel = () => void this.#cancel(model);
    if (size !== active && model.downloaded_bytes > 0) actions.remove = () => void this.#remove(model);
    const state = {
      isActive: size === active,
      isLoaded: size === loaded,
      isPending: size === pending,
      isFree: this.#activating === undefined && (pending === undefined || pending === active),
      failure: this.#failures.get(size),
    };
    return modelRow(model, state, actions);
  }

  async #activate({ size, label }: Preset): Promise<void> {
    this.#activating = size;
    this.#failures.delete(size);
    this.#status.textContent = `Activating ${label}…`;
    this.#show();
    try {
      const presets = await requestJson<PresetList>('/api/model/activate', jsonBody({ size }));
      this.#activating = undefined;
      this.#take(presets);
      this.#status.textContent = `${label} is active.`;
      this.#onActivated();
    } catch (error) {
      const isCancelled = error instanceof ApiError && error.code === 'activation_cancelled';
      this.#status.textContent = isCancelled
        ? `The activation of ${label} was cancelled.`
        : `${label} could not be activated.`;
      const message = messageOf(error);
      if (message !== undefined && !isCancelled) this.#failures.set(size, `${message} ${this.#advice(error)}`);
    } finally {
      this.#activating = undefined;
      await this.#refresh();
      this.#show();
    }
  }

  async #cancel({ size, label }: Preset): Promise<void> {
    if (this.#isCancelling) return;
    this.#isCancelling = true;
    this.#status.textContent = `Cancelling the activation of ${label}…`;
    this.#show();
    try {
      const presets = await requestJson<PresetList>('/api/model/cancel', jsonBody({ size }));
      this.#isCancelling = false;
      if (this.#activating === size) this.#activating = undefined;
      this.#take(presets);
      this.#status.textContent = `The activation of ${label} was cancelled.`;
    } catch (error) {
      // It may have ended meanwhile.
      const hasEnded = error instanceof ApiError && error.status === 404;
      const message = messageOf(error);
      if (message !== undefined && !hasEnded) this.#failures.set(size, message);
    } finally {
      this.#isCancelling = false;
      await this.#refresh();
      this.#show();
    }
  }

  async #remove({ size, label, downloaded_bytes: bytes }: Preset): Promise<void> {
    const question = `Remove ${label} from the disk of the service (${byteSize(bytes)})? Activating it downloads it again.`;
    if (!(await confirmed(question, 'Remove'))) return;
    this.#failures.delete(size);
    this.#status.textContent = `Removing ${label}…`;
    try {
      this.#take(await requestJson<PresetList>('/api/model/remove', jsonBody({ size })));
      this.#status.textContent = `${label} was removed.`;
    } catch (error) {
      // Somebody else may have removed it.
      const isGone = error instanceof ApiError && error.status === 404;
      this.#status.textContent = isGone ? `${label} was removed.` : `${label} could not be removed.`;
      const message = messageOf(error);
      if (message !== undefined && !isGone) this.#failures.set(size, message);
      await this.#refresh();
      this.#show();
    }
  }

  #advice(error: unknown): string {
    if (!(error instanceof ApiError)) return '';
    if (error.status === 0) return 'The activation may continue. This page shows it when the service responds again.';
    const { active, loaded } = this.#presets!;
    return loaded === '' ? 'No model is loaded.' : `${active || loaded} stays active.`;
  }

  async #follow(): Promise<void> {
    // Nothing is known before the key is.
    if (!this.#presets) return;
    this.#idleIntervals = this.#pending === undefined ? this.#idleIntervals + 1 : IDLE_INTERVALS;
    if (this.#idleIntervals < IDLE_INTERVALS) return;
    this.#idleIntervals = 0;
    await this.#refresh();
  }

  /** Looks at the models without asking for a key. */
  async #refresh(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const response = await fetch('/api/model/presets', { headers: keyHeaders() });
      const presets = (await response.json()) as PresetList;
      if (response.ok && turn === this.#turn) this.#take(presets);
    } catch {
      // The monitor says that the service cannot be reached.
    }
  }
}
