import type { HearTelemetry } from '../../src/hear/routes/schemas.ts';
import type { Health, Readiness } from '../../src/http/schemas.ts';
import { ActivityGraph, POLL_MS, showFacts } from '../shared/activity.ts';
import { unreachable } from '../shared/api.ts';
import { spokenLength } from '../shared/format.ts';
import { poll } from '../shared/poll.ts';
import { type ServiceState, showState } from '../shared/state.ts';
import { checkVersion } from '../shared/version.ts';

/** Requests in the service. */
type Activity = Pick<HearTelemetry['activity'], 'active' | 'waiting'>;

/** Shows the state and activity of the service, every two seconds. */
export class Monitor {
  readonly #graph = new ActivityGraph('--accent', '--wave');
  readonly #onModel: (model: string) => void;
  readonly #onPoll: () => void;
  readonly #pollNow: () => void;
  #activity: Activity = { active: 0, waiting: 0 };
  /** The last reported model; undefined until one was reported. */
  #model: string | undefined;
  #state: ServiceState = 'ready';
  #isLive = true;
  #findsSpeakers = false;

  /**
   * @param onModel called with the model's name at first, when it changes or is ready again; with '' when none is loaded
   * @param onPoll called after each poll
   */
  constructor(onModel: (model: string) => void, onPoll: () => void) {
    this.#onModel = onModel;
    this.#onPoll = onPoll;
    this.#pollNow = poll(() => this.#poll(), POLL_MS);
  }

  /** The requests at the last poll. */
  get activity(): Activity {
    return this.#activity;
  }

  /** The service's state at the last poll. */
  get state(): ServiceState {
    return this.#state;
  }

  /** Whether the service transcribes live. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Whether the service tells speakers apart. */
  get findsSpeakers(): boolean {
    return this.#findsSpeakers;
  }

  refresh(): void {
    this.#pollNow();
  }

  async #poll(): Promise<void> {
    let health: Health;
    let ready: Readiness;
    let telemetry: HearTelemetry;
    try {
      // The first two have the reason even with a status of 503.
      [health, ready] = (await Promise.all(['/health', '/ready'].map(async (path) => (await fetch(path)).json()))) as [
        Health,
        Readiness,
      ];
      telemetry = await readTelemetry();
    } catch {
      this.#state = 'unreachable';
      showState(this.#state);
      this.#model = undefined;
      this.#onPoll();
      return;
    }
    checkVersion(telemetry.version);
    this.#state = ready.status;
    // Why the model failed, or why it is being reloaded.
    showState(this.#state, health.error);
    this.#isLive = telemetry.capabilities.live;
    this.#findsSpeakers = telemetry.capabilities.speakers;
    this.#show(health, telemetry.activity);
    const model = health.model_loaded ? (health.model ?? '') : '';
    if (model !== this.#model) this.#onModel(model);
    this.#model = model;
    this.#onPoll();
  }

  #show({ model, device, compute_type }: Health, { active, waiting, audio_seconds }: HearTelemetry['activity']): void {
    showFacts([
      ['Active', String(active)],
      ['Waiting', String(waiting)],
      ['Model', model ?? '–'],
      ['Runs on', device ? `${device}, ${compute_type}` : '–'],
      ['Transcribed', spokenLength(audio_seconds)],
    ]);
    this.#activity = { active, waiting };
    this.#graph.add(active, waiting);
  }
}

async function readTelemetry(): Promise<HearTelemetry> {
  const response = await fetch('/system');
  if (!response.ok) throw unreachable();
  return (await response.json()) as HearTelemetry;
}
