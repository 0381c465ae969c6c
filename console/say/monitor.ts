import type { Health } from '../../src/http/schemas.ts';
import type { SayTelemetry } from '../../src/say/routes/schemas.ts';
import { ActivityGraph, POLL_MS, showFacts } from '../shared/activity.ts';
import { messageOf, request } from '../shared/api.ts';
import { byId } from '../shared/dom.ts';
import { byteSize } from '../shared/format.ts';
import { notify } from '../shared/notice.ts';
import { poll } from '../shared/poll.ts';
import { type ServiceState, showState } from '../shared/state.ts';
import { checkVersion } from '../shared/version.ts';

/** Shows the state and activity of the service, every two seconds. */
export class Monitor {
  readonly #graph = new ActivityGraph('--accent');
  readonly #unload = byId('unload', HTMLButtonElement);
  readonly #onReady: () => void;
  readonly #pollNow: () => void;
  #wasReady: boolean | undefined;

  /** @param onReady called when the model becomes ready again, perhaps with other voices */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
    this.#unload.addEventListener('click', () => {
      if (this.#unload.getAttribute('aria-disabled') !== 'true') void this.#unloadModel();
    });
    this.#pollNow = poll(() => this.#poll(), POLL_MS);
  }

  /** Polls now. */
  refresh(): void {
    this.#pollNow();
  }

  async #poll(): Promise<void> {
    let telemetry: SayTelemetry;
    try {
      telemetry = (await (await fetch('/system', { cache: 'no-store' })).json()) as SayTelemetry;
    } catch {
      showState('unreachable');
      this.#wasReady = false;
      return;
    }
    checkVersion(telemetry.version);
    const { status, model } = telemetry;
    const health = await readHealth();
    const state: ServiceState = status === 'ready' && model?.resident === false ? 'unloaded' : status;
    showState(state, health.error);
    const isReady = status === 'ready';
    if (isReady && this.#wasReady === false) this.#onReady();
    this.#wasReady = isReady;
    // Disabled, the button would lose the focus.
    this.#unload.setAttribute('aria-disabled', String(state !== 'ready'));
    this.#show(telemetry, health.model);
  }

  #show({ version, gpu, activity, model }: SayTelemetry, name: string | undefined): void {
    const facts: [string, string][] = [
      ['In synthesis', String(activity.active)],
      ['Model', name ?? '–'],
      ['Runs on', model?.device ?? '–'],
      ['Voices', model ? String(model.voicepack_count) : '–'],
      ['Version', version],
    ];
    if (gpu) {
      const percent = Math.round((100 * gpu.memory_used_bytes) / gpu.memory_total_bytes);
      const memory = `${byteSize(gpu.memory_used_bytes)} of ${byteSize(gpu.memory_total_bytes)} (${percent} %)`;
      facts.push(['GPU', gpu.name], ['GPU memory', memory]);
      if (gpu.utilization_pct !== undefined) facts.push(['GPU load', `${gpu.utilization_pct} %`]);
      if (gpu.temperature_c !== undefined) facts.push(['GPU temperature', `${gpu.temperature_c} °C`]);
      if (gpu.power_w !== undefined) facts.push(['GPU power', `${Math.round(gpu.power_w)} W`]);
    }
    showFacts(facts);
    this.#graph.add(activity.active);
  }

  async #unloadModel(): Promise<void> {
    try {
      await request('/dev/unload', { method: 'POST' });
      notify('The model is unloaded. The next request loads it again.', { isTransient: true });
    } catch (error) {
      const message = messageOf(error);
      if (message !== undefined) notify(message);
    }
    this.refresh();
  }
}

/** Name of the loaded model, and why none is loaded. */
async function readHealth(): Promise<Pick<Health, 'model' | 'error'>> {
  try {
    return (await (await fetch('/health', { cache: 'no-store' })).json()) as Health;
  } catch {
    return {};
  }
}
