import { byId } from './dom.ts';

/** What a service can be in. */
export type ServiceState = 'ready' | 'warming' | 'failed' | 'unloaded' | 'uninitialized' | 'draining' | 'unreachable';

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
  warming: 'The model is being loaded; what you ask for now waits for it.',
  failed: 'The model could not be loaded.',
  unloaded: 'The model is out of memory; the next request loads it again, which takes a moment.',
  uninitialized: 'The next request loads the model, which takes a moment.',
  draining: 'The service finishes what it has and takes nothing new.',
  unreachable: 'The service does not answer. The page tries again every two seconds.',
};

let shown: ServiceState | undefined;

/** Shows the state in the header. @param detail says more than the usual explanation, e.g. why it failed */
export function showState(state: ServiceState, detail?: string): void {
  const label = byId('state', HTMLElement);
  // Said again, the same words would be read out again.
  if (state !== shown) {
    label.textContent = labels[state];
    label.dataset.state = state;
    shown = state;
  }
  const explanation = byId('state-detail', HTMLElement);
  const text = detail ?? explanations[state];
  if (explanation.textContent !== text) explanation.textContent = text;
}
