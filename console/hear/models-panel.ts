import { ApiError, jsonBody, messageOf, request, requestJson } from '../shared/api.ts';
import { button, byId, element } from '../shared/dom.ts';
import { byteSize } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';
import { factsOf } from './preset-facts.ts';

/** The answer of /api/model/presets. */
interface Presets {
  active: string;
  loaded: string;
  presets: { size: string; label: string; params: string }[];
  loading?: { size: string; received_bytes: number; total_bytes: number };
}

const PROGRESS_INTERVAL_MS = 700;

/** The models that can be chosen, the one that is active, and what becomes of choosing another. */
export class ModelsPanel {
  readonly #list = byId('models', HTMLElement);
  readonly #status = byId('model-status', HTMLElement);
  readonly #onActivated: () => void;
  #known: Presets | undefined;
  #activating: string | undefined;
  readonly #failures = new Map<string, string>();
  #drawn = '';

  /** @param onActivated called when another model serves */
  constructor(onActivated: () => void) {
    this.#onActivated = onActivated;
  }

  /** Size of the model that is loaded; empty while that is not known. */
  get loaded(): string {
    return this.#known?.loaded ?? '';
  }

  /** Asks the service what there is. */
  async load(): Promise<void> {
    try {
      this.#known = await requestJson<Presets>('/api/model/presets');
      this.#show();
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
    }
  }

  #show(): void {
    if (!this.#known) return;
    const { presets, active, loaded, loading } = this.#known;
    this.#showProgress(loading);
    // Drawn anew, a button would lose its focus.
    const looks = JSON.stringify([presets, active, loaded, this.#activating, loading?.size, [...this.#failures]]);
    if (looks === this.#drawn) return;
    this.#drawn = looks;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.size : undefined;
    this.#list.replaceChildren(...presets.map((preset) => this.#row(preset)));
    this.#showProgress(loading);
    if (focused !== undefined) this.#list.querySelector<HTMLElement>(`[data-size="${CSS.escape(focused)}"]`)?.focus();
  }

  #row({ size, label, params }: Presets['presets'][number]): HTMLElement {
    const { active, loaded, loading } = this.#known!;
    const facts = factsOf(size);
    const busy = this.#activating ?? loading?.size;
    const badges = [
      ...(size === active ? ['active'] : []),
      ...(size === loaded && size !== active ? ['loaded'] : []),
    ].map((text) => element('span', { className: 'badge' }, text));
    const weight = [...(params === 'unknown' ? [] : [`${params} parameters`]), ...(facts ? [facts.download] : [])].join(
      ' · ',
    );
    const ability = facts
      ? [facts.languages, facts.translation].filter((text) => text !== '').join(', ')
      : 'A checkpoint of your own';
    const title = element('div', { className: 'name' }, element('b', {}, label), ...badges);
    const row = element(
      'li',
      {},
      element('div', {}, title, element('small', {}, ability), element('small', {}, weight)),
    );
    if (size === busy) {
      const bar = element('progress', { max: 1 });
      bar.setAttribute('aria-label', `Activation of ${label}`);
      row.append(element('div', { className: 'loading' }, bar, element('small', {}, '')));
    } else if (size !== active || size !== loaded) {
      const activate = button('Activate', '', () => void this.#activate(size, label));
      activate.disabled = busy !== undefined;
      activate.dataset.size = size;
      activate.setAttribute('aria-label', `Activate ${label}`);
      row.append(activate);
    }
    const failure = this.#failures.get(size);
    if (failure !== undefined) row.append(element('p', { className: 'failure', dir: 'auto' }, failure));
    return row;
  }

  #showProgress(loading: Presets['loading']): void {
    const bar = this.#list.querySelector('progress');
    const text = bar?.nextElementSibling;
    if (!bar || !text) return;
    const { received_bytes: received, total_bytes: total } = loading ?? { received_bytes: 0, total_bytes: 0 };
    if (total > 0 && received < total) {
      bar.value = received / total;
      text.textContent = `Downloading: ${byteSize(received)} of ${byteSize(total)}`;
    } else {
      bar.removeAttribute('value');
      text.textContent = loading ? 'Loading…' : 'Waiting…';
    }
  }

  async #activate(size: string, label: string): Promise<void> {
    this.#activating = size;
    this.#failures.delete(size);
    this.#status.textContent = `Activating ${label}…`;
    this.#show();
    const watch = setInterval(() => void this.#look(), PROGRESS_INTERVAL_MS);
    try {
      this.#known = await requestJson<Presets>('/api/model/activate', jsonBody({ size }));
      this.#status.textContent = `${label} is active.`;
      this.#onActivated();
    } catch (error) {
      this.#status.textContent = `${label} could not be activated.`;
      const message = messageOf(error);
      if (message !== undefined) this.#failures.set(size, `${message} ${this.#advice(error)}`);
    } finally {
      clearInterval(watch);
      this.#activating = undefined;
      await this.#look();
      this.#show();
    }
  }

  #advice(error: unknown): string {
    if (!(error instanceof ApiError)) return '';
    if (error.status === 0) return 'Whether it goes on there shows here as soon as the service answers again.';
    const { active, loaded } = this.#known!;
    return loaded === '' ? 'No model is loaded.' : `${active || loaded} stays active.`;
  }

  async #look(): Promise<void> {
    try {
      this.#known = (await (await request('/api/model/presets')).json()) as Presets;
      this.#show();
    } catch {
      // The activation itself tells what is wrong.
    }
  }
}
