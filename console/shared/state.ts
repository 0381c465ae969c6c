import type { Readiness } from '../../src/http/schemas.ts';
import { byId } from './dom.ts';

/** State of a service. */
export type ServiceState = Readiness['status'] | 'unloaded' | 'unreachable';

const labels: Record<ServiceState, string> = {
  ready: 'Ready',
  warming: 'Warming up',
  failed: 'Failed',
  unloaded: 'Unloaded',
  uninitialized: 'Not loaded yet',
  draining: 'Shutting down',
  unreachable: 'Not reachable',
};

const explanations: Record<ServiceState, string> = {
  ready: '',
  warming: 'The model is loading; requests wait for it.',
  failed: 'The model could not be loaded.',
  unloaded: 'The model is not in memory; the next request loads it again, which takes a moment.',
  uninitialized: 'The next request loads the model, which takes a moment.',
  draining: 'The service finishes its requests and accepts no new ones.',
  unreachable: 'The service does not respond. The page retries every two seconds.',
};

let shown: ServiceState | undefined;

/**
 * Shows the state in the header.
 * @param detail replaces the usual explanation, e.g. why the model failed
 */
export function showState(state: ServiceState, detail?: string): void {
  const label = byId('state', HTMLElement);
  // Screen readers repeat text that is set again.
  if (state !== shown) {
    label.textContent = labels[state];
    label.dataset.state = state;
    shown = state;
  }
  const explanation = byId('state-detail', HTMLElement);
  const text = detail ?? explanations[state];
  if (explanation.textContent !== text) explanation.textContent = text;
}
