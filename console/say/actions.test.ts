import { afterEach, expect, it, vi } from 'vitest';
import { Actions } from './actions.ts';

afterEach(() => vi.unstubAllGlobals());

class FakeElement {
  textContent = '';
  classList = { toggle: () => {} };
  addEventListener(): void {}
  contains(): boolean {
    return false;
  }
}

it('work that was replaced no longer tells its progress', async () => {
  const elements = new Map<string, FakeElement>();
  const getElementById = (id: string) => elements.set(id, elements.get(id) ?? new FakeElement()).get(id);
  vi.stubGlobal('document', { getElementById });
  vi.stubGlobal('window', { addEventListener: () => {} });
  for (const name of ['HTMLElement', 'HTMLButtonElement']) vi.stubGlobal(name, FakeElement);
  const actions = new Actions();
  const untilStopped = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
  const replaced = actions.run(async (signal, tell) => {
    await untilStopped(signal);
    tell('Stopped.');
  });
  const next = actions.run(async (signal, tell) => {
    tell('Requesting speech…');
    await untilStopped(signal);
    tell('Stopped by the user.');
  });
  await replaced;
  expect(elements.get('progress')!.textContent).toBe('Requesting speech…');
  actions.stop();
  await next;
  expect(elements.get('progress')!.textContent).toBe('Stopped by the user.');
});
