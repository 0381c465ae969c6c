import { describe, expect, it } from 'vitest';
import { until } from '../../test/fixtures/scripted-engine.ts';
import { supervisedEngines } from '../../test/fixtures/supervised-engines.ts';

const rig = supervisedEngines();
const { create, open, path, send, serve, startReady, status, tick } = rig;

describe('an engine death', () => {
  it('restarts an idle engine while requests wait', async () => {
    rig.scripts.a = [{}, { loadGate: path('second') }];
    const first = await startReady();
    process.kill(first, 'SIGKILL');
    await until(() => rig.launches.length === 2);
    const waiting = serve();
    await tick();
    expect(status()).toEqual({ state: 'restarting', active: 'a', loaded: '' });
    expect(rig.supervisor.error).toBe('The engine was killed by SIGKILL.');
    open('second');
    expect((await waiting).pid).not.toBe(first);
    expect(rig.supervisor.info!.pid).toBe((await waiting).pid);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(rig.supervisor.error).toBeUndefined();
  });

  it('restarts the engine every time it dies', async () => {
    let pid = await startReady();
    for (let i = 0; i < 4; i++) {
      process.kill(pid, 'SIGKILL');
      await until(() => !rig.engines.at(-1)!.isAlive);
      const next = (await serve()).pid;
      expect(next).not.toBe(pid);
      pid = next;
    }
  });

  it('fails the waiting requests if the restart fails, and tries it again', async () => {
    rig.scripts.a = [{}, { load: 'fail', loadGate: path('second') }, { loadGate: path('third') }];
    process.kill(await startReady(), 'SIGKILL');
    await until(() => rig.launches.length === 2);
    const waiting = send();
    open('second');
    await expect(waiting).rejects.toMatchObject({ code: 'model_warming' });
    expect(rig.supervisor.state).toBe('restarting');
    expect(rig.supervisor.error).toBe(
      'The engine was killed by SIGKILL. Loading the model again failed: The model could not be loaded.',
    );
    await until(() => rig.launches.length === 3);
    const patient = send();
    open('third');
    await expect(patient).resolves.toHaveLength(1);
    expect(rig.supervisor.state).toBe('ready');
    expect(rig.exits).toBe(0);
  });

  it('ends the service if the restart fails for the failure window', async () => {
    rig.scripts.a = [{}, { load: 'fail', error: { code: 'model_load_failed', message: 'The weights are gone.' } }];
    rig.supervisor = create({ failureWindowMs: 600 });
    process.kill(await startReady(), 'SIGKILL');
    await until(() => rig.supervisor.state === 'failed');
    const tried = rig.launches.length;
    expect(tried).toBeGreaterThan(2);
    expect(rig.supervisor.error).toBe('The weights are gone.');
    await expect(send()).rejects.toMatchObject({ code: 'model_failed', message: 'The weights are gone.' });
    expect(rig.exits).toBe(0);
    await until(() => rig.exits === 1);
    expect(rig.launches).toHaveLength(tried);
  });

  it('is survived by an activation, even after the failure window', async () => {
    rig.scripts.a = [{}, { load: 'fail' }];
    rig.supervisor = create({ failureWindowMs: 300 });
    process.kill(await startReady(), 'SIGKILL');
    await until(() => rig.supervisor.state === 'failed');
    await rig.supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(rig.exits).toBe(0);
  });

  it('during a load is answered with another load', async () => {
    rig.scripts.a = [{ load: 'killed' }, {}, { load: 'killed' }, { load: 'killed' }, {}];
    process.kill(await startReady(), 'SIGKILL');
    await until(() => rig.supervisor.state === 'restarting');
    await expect(send()).resolves.toHaveLength(1);
    expect(rig.launches).toHaveLength(5);
  });

  it('during every load fails after three', async () => {
    rig.scripts.a = { load: 'killed' };
    rig.supervisor.start('a', { warm: true });
    await until(() => rig.supervisor.state === 'failed');
    expect(rig.supervisor.error).toMatch(/killed by SIGKILL while it loaded/);
    expect(rig.launches).toHaveLength(3);
  });
});
