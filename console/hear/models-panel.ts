import { ApiError, jsonBody, messageOf, request, requestJson } from '../shared/api.ts';
import { button, byId, element } from '../shared/dom.ts';
import { byteSize } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';
import { factsOf } from './preset-facts.ts';

/** The response of /api/model/presets. */
interface Presets {
  active: string;
  loaded: string;
  presets: { size: string; label: string; params: string }[];
  loading?: { size: string; received_bytes: number; total_bytes: number };
}

const PROGRESS_INTERVAL_MS = 700;

/** Shows the available models, and activates one. */
export class ModelsPanel {
  readonly #list = byId('models', HTMLElement);
  readonly #status = byId('model-status', HTMLElement);
  readonly #onActivated: () => void;
  #presets: Presets | undefined;
  #activating: string | undefined;
  readonly #failures = new Map<string, string>();
  #drawn = '';

  /** @param onActivated called after another model is activated */
  constructor(onActivated: () => void) {
    this.#onActivated = onActivated;
  }

  /** Size of the loaded model; empty while unknown. */
  get loaded(): string {
    return this.#presets?.loaded ?? '';
  }

  /** Fetches the available models. */
  async load(): Promise<void> {
    try {
      this.#presets = await requestJson<Presets>('/api/model/presets');
      this.#show();
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
    }
  }

  #show(): void {
    if (!this.#presets) return;
    const { presets, active, loaded, loading } = this.#presets;
    this.#showProgress(loading);
    // Redrawing drops the focus of a button.
    const content = JSON.stringify([presets, active, loaded, this.#activating, loading?.size, [...this.#failures]]);
    if (content === this.#drawn) return;
    this.#drawn = content;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.size : undefined;
    // The active one first; sorting keeps the order of the others.
    const sorted = presets.toSorted((a, b) => Number(b.size === active) - Number(a.size === active));
    this.#list.replaceChildren(...sorted.map((preset) => this.#row(preset)));
    this.#showProgress(loading);
    if (focused !== undefined) this.#list.querySelector<HTMLElement>(`[data-size="${CSS.escape(focused)}"]`)?.focus();
  }

  #row({ size, label, params }: Presets['presets'][number]): HTMLElement {
    const { active, loaded, loading } = this.#presets!;
    const facts = factsOf(size);
    const pending = this.#activating ?? loading?.size;
    const badges = [
      ...(size === active ? ['active'] : []),
      ...(size === loaded && size !== active ? ['loaded'] : []),
    ].map((text) => element('span', { className: 'badge' }, text));
    const sizes = [...(params === 'unknown' ? [] : [`${params} parameters`]), ...(facts ? [facts.download] : [])].join(
      ' · ',
    );
    const capabilities = facts
      ? [facts.languages, facts.translation].filter((text) => text !== '').join(', ')
      : 'Your own checkpoint';
    const title = element('div', { className: 'name' }, element('b', {}, label), ...badges);
    const row = element(
      'li',
      {},
      element('div', {}, title, element('small', {}, capabilities), element('small', {}, sizes)),
    );
    if (size === pending) {
      const bar = element('progress', { max: 1 });
      bar.setAttribute('aria-label', `Activation of ${label}`);
      row.append(element('div', { className: 'loading' }, bar, element('small', {}, '')));
    } else if (size !== active || size !== loaded) {
      const activate = button('Activate', '', () => void this.#activate(size, label));
      activate.disabled = pending !== undefined;
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
    const timer = setInterval(() => void this.#refresh(), PROGRESS_INTERVAL_MS);
    try {
      this.#presets = await requestJson<Presets>('/api/model/activate', jsonBody({ size }));
      this.#status.textContent = `${label} is active.`;
      this.#onActivated();
    } catch (error) {
      this.#status.textContent = `${label} could not be activated.`;
      const message = messageOf(error);
      if (message !== undefined) this.#failures.set(size, `${message} ${this.#advice(error)}`);
    } finally {
      clearInterval(timer);
      this.#activating = undefined;
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

  async #refresh(): Promise<void> {
    try {
      this.#presets = (await (await request('/api/model/presets')).json()) as Presets;
      this.#show();
    } catch {
      // The activation reports its own error.
    }
  }
}
