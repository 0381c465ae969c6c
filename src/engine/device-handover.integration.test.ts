import { beforeEach, describe, expect, it } from 'vitest';
import { isRunning, until } from '../../test/fixtures/scripted-engine.ts';
import { supervisedEngines } from '../../test/fixtures/supervised-engines.ts';

const rig = supervisedEngines();
const { create, hold, open, path, serve, startReady, status, tick } = rig;

describe('activation on a device with room for one model', () => {
  const ends = (pid: number) => until(() => !isRunning(pid));

  beforeEach(() => {
    rig.supervisor = create({ oneModelAtATime: () => true });
  });

  it('ends the old engine after its requests, then loads; other requests wait and are served by the new one', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    rig.scripts.b = { loadGate: path('load') };
    const activation = rig.supervisor.activate('b');
    await until(() => rig.launches.length === 2);
    const waiting = serve();
    await tick();
    expect(rig.pids).toEqual([old]);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    await until(() => rig.pids.length === 2);
    expect(isRunning(old)).toBe(false);
    expect(rig.supervisor.state).toBe('ready');
    open('load');
    await activation;
    expect((await waiting).name).toBe('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(rig.launches).toEqual(['a', 'b']);
  });

  it.each([
    ['the load fails', { load: 'fail' } as const, async () => {}],
    ['the choice cannot be stored', {}, () => Promise.reject(new Error('read-only'))],
  ])('loads the old model again if %s, and loses no request', async (_, script, beforeSwitch) => {
    const old = await startReady();
    rig.scripts.b = { ...script, loadGate: path('load') };
    const activation = rig.supervisor.activate('b', beforeSwitch);
    const failed = expect(activation).rejects.toThrow();
    await until(() => rig.pids.length === 2);
    const waiting = serve();
    open('load');
    await failed;
    expect((await waiting).name).toBe('a');
    expect(isRunning(old)).toBe(false);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    await until(() => rig.pids.filter(isRunning).length === 1);
    expect(rig.launches).toEqual(['a', 'b', 'a']);
  });

  it('loads the old model again after a cancellation, without a request for it', async () => {
    await startReady();
    rig.scripts.b = { loadGate: path('never') };
    const activation = rig.supervisor.activate('b').catch((error) => error);
    await until(() => rig.pids.length === 2);
    await rig.supervisor.cancel('b');
    expect(await activation).toMatchObject({ code: 'activation_cancelled' });
    await until(() => rig.supervisor.resident);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
  });

  it('keeps the old engine if it is cancelled while that has requests', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    const activation = rig.supervisor.activate('b').catch((error) => error);
    await until(() => rig.launches.length === 2);
    const waiting = serve();
    await rig.supervisor.cancel('b');
    expect(await activation).toMatchObject({ code: 'activation_cancelled' });
    expect(await waiting).toEqual({ name: 'a', pid: old });
    open('gate');
    await inside.response;
    expect(rig.pids).toEqual([old]);
  });

  it('ends a warm-up, and starts it again if it fails', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.scripts.b = [{ load: 'fail' }, {}];
    rig.supervisor.start('a', { warm: true });
    await until(() => rig.pids.length === 1);
    await expect(rig.supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    await ends(rig.pids[0]!);
    await until(() => rig.pids.length === 3);
    expect(status()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    await rig.supervisor.activate('b');
    await ends(rig.pids[2]!);
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(rig.launches).toEqual(['a', 'b', 'a', 'b']);
    expect(rig.exits).toBe(0);
  });

  it('fails for good if the old model cannot be loaded again', async () => {
    rig.scripts.a = [{}, { load: 'fail', error: { code: 'model_load_failed', message: 'The weights are gone.' } }];
    rig.scripts.b = { load: 'fail' };
    await startReady();
    await expect(rig.supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    await until(() => rig.exits === 1);
    expect(rig.supervisor.error).toBe('The weights are gone.');
  });

  it('leaves an unloaded model unloaded if it fails', async () => {
    const old = await startReady();
    await rig.supervisor.unload();
    rig.scripts.b = { load: 'fail' };
    await expect(rig.supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    await tick();
    expect(rig.supervisor.resident).toBe(false);
    expect(rig.launches).toEqual(['a', 'b']);
    expect((await serve()).pid).not.toBe(old);
  });

  it('serves requests that wait for a lazy load of the old model', async () => {
    rig.scripts.a = { loadGate: path('never') };
    rig.supervisor.start('a', { warm: false });
    const waiting = serve();
    await until(() => rig.pids.length === 1);
    await rig.supervisor.activate('b');
    expect((await waiting).name).toBe('b');
    await ends(rig.pids[0]!);
  });

  it('replaces an engine that dies while its requests are waited for', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    const activation = rig.supervisor.activate('b');
    await until(() => rig.launches.length === 2);
    process.kill(old, 'SIGKILL');
    await until(() => inside.entered.length === 2);
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    await activation;
    expect((await serve()).name).toBe('b');
    await until(() => rig.pids.filter(isRunning).length === 1);
  });

  it('ends with the service at any moment', async () => {
    for (const moment of ['requests', 'load']) {
      rig.supervisor = create({ oneModelAtATime: () => true });
      rig.scripts.b = { loadGate: path('never') };
      await startReady();
      const before = rig.pids.length;
      const inside = moment === 'requests' ? hold('never') : undefined;
      if (inside) await until(() => inside.entered.length === 1);
      const activation = rig.supervisor.activate('b');
      const refused = expect(activation).rejects.toMatchObject({ code: 'draining' });
      if (moment === 'load') await until(() => rig.pids.length > before);
      else await tick();
      await rig.supervisor.close();
      await refused;
      expect(rig.pids.filter(isRunning)).toEqual([]);
      await inside?.response.catch(() => {});
    }
  });
});
