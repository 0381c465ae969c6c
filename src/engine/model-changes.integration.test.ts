import { describe, expect, it } from 'vitest';
import { isRunning, until } from '../../test/fixtures/scripted-engine.ts';
import { supervisedEngines } from '../../test/fixtures/supervised-engines.ts';

const rig = supervisedEngines();
const { create, hold, open, path, serve, startReady, status, tick } = rig;

describe('activation', () => {
  it('swaps without a gap: the old engine serves until the new one is ready, then finishes its requests', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    rig.scripts.b = { loadGate: path('load') };
    const activation = rig.supervisor.activate('b');
    await until(() => rig.launches.length === 2);
    expect(await serve()).toEqual({ name: 'a', pid: old });
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    open('load');
    await activation;
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect((await serve()).name).toBe('b');
    expect(isRunning(old)).toBe(true);
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    expect(inside.entered).toEqual([old]);
    await until(() => !isRunning(old));
    expect(rig.launches).toEqual(['a', 'b']);
  });

  it('leaves everything as before if it fails', async () => {
    const old = await startReady();
    rig.scripts.b = { load: 'fail' };
    await expect(rig.supervisor.activate('b')).rejects.toMatchObject({
      name: 'HearsayError',
      code: 'model_load_failed',
    });
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(await serve()).toEqual({ name: 'a', pid: old });
  });

  it('stores the choice before it serves, and changes nothing if that fails', async () => {
    const old = await startReady();
    const names: string[] = [];
    await rig.supervisor.activate('b', async () => {
      names.push((await serve()).name);
    });
    expect(names).toEqual(['a']);
    await until(() => !isRunning(old));

    const { pid } = await serve();
    const refuse = () => rig.supervisor.activate('c', () => Promise.reject(new Error('read-only')));
    await expect(refuse()).rejects.toThrow('read-only');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(await serve()).toEqual({ name: 'b', pid });
    await until(() => rig.pids.filter(isRunning).length === 1);
    // Also if the model serves already.
    await expect(rig.supervisor.activate('b', () => Promise.reject(new Error('read-only')))).rejects.toThrow(
      'read-only',
    );
  });

  it('restarts the loaded model only if its process has ended', async () => {
    const old = await startReady();
    await rig.supervisor.activate('a');
    expect((await serve()).pid).toBe(old);
    expect(rig.launches).toEqual(['a']);
    await rig.supervisor.unload();
    await rig.supervisor.activate('a');
    expect((await serve()).pid).not.toBe(old);
    expect(rig.launches).toEqual(['a', 'a']);
  });

  it('runs one at a time, in call order', async () => {
    await startReady();
    rig.scripts.c = { load: 'fail' };
    const order: string[] = [];
    await Promise.all([
      rig.supervisor.activate('b').then(() => order.push('b')),
      rig.supervisor.activate('c').catch(() => order.push('not c')),
      rig.supervisor.activate('d').then(() => order.push('d')),
    ]);
    expect(order).toEqual(['b', 'not c', 'd']);
    expect(rig.launches).toEqual(['a', 'b', 'c', 'd']);
    expect(rig.supervisor.active).toBe('d');
  });

  it('loads a model before the first request', async () => {
    rig.supervisor.start('a', { warm: false });
    await rig.supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(rig.launches).toEqual(['b']);
  });

  it('cancels a warm-up', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.supervisor.start('a', { warm: true });
    await until(() => rig.pids.length === 1);
    await rig.supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    await until(() => !isRunning(rig.pids[0]!));
    open('load');
    await tick();
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(rig.engines).toHaveLength(1);
  });

  it('serves requests that wait for a lazy load of the old model', async () => {
    rig.scripts.a = { loadGate: path('never') };
    rig.supervisor.start('a', { warm: false });
    const waiting = serve();
    await until(() => rig.launches.length === 1);
    await rig.supervisor.activate('b');
    expect((await waiting).name).toBe('b');
  });

  it('keeps the warm-up running if it fails', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.scripts.b = { load: 'fail' };
    rig.supervisor.start('a', { warm: true });
    await expect(rig.supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    expect(status()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    open('load');
    await until(() => rig.supervisor.state === 'ready');
    expect(rig.launches).toEqual(['a', 'b']);
  });

  it('waits for the warm-up of the same model', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.supervisor.start('a', { warm: true });
    const activation = rig.supervisor.activate('a');
    open('load');
    await activation;
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(rig.launches).toEqual(['a']);
  });

  it('cancels onFailedForGood after a failed warm-up', async () => {
    rig.scripts.a = { load: 'fail' };
    rig.supervisor = create({ failureWindowMs: 2000 });
    rig.supervisor.start('a', { warm: true });
    await until(() => rig.supervisor.state === 'failed');
    await rig.supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(rig.supervisor.error).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(rig.exits).toBe(0);
  });

  it('decides about onFailedForGood if it outlasts the failure window', async () => {
    for (const outcome of ['ok', 'fail'] as const) {
      rig.scripts.a = { load: 'fail' };
      rig.scripts.b = { load: outcome, loadGate: path(`load-${outcome}`) };
      rig.supervisor.start('a', { warm: true });
      const activation = rig.supervisor.activate('b');
      activation.catch(() => {});
      await until(() => rig.supervisor.state === 'failed');
      await tick();
      await tick();
      expect(rig.exits).toBe(0);
      open(`load-${outcome}`);
      if (outcome === 'ok') {
        await activation;
        await tick();
        expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
        expect(rig.exits).toBe(0);
        await rig.supervisor.close();
        rig.supervisor = create();
      } else {
        await expect(activation).rejects.toMatchObject({ code: 'model_load_failed' });
        expect(status()).toEqual({ state: 'failed', active: 'a', loaded: '' });
        await until(() => rig.exits === 1);
      }
    }
  });
});

describe('cancel', () => {
  const cancelled = { name: 'HearsayError', code: 'activation_cancelled' };
  /** Nothing is left but the engine of the first model. */
  const expectOnly = async (pid: number) => {
    expect(rig.pids.filter(isRunning)).toEqual([pid]);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(await serve()).toEqual({ name: 'a', pid });
  };

  it('ends a load with its process, and the model can be activated again', async () => {
    const old = await startReady();
    rig.scripts.b = [{ loadGate: path('never') }, {}];
    const activation = rig.supervisor.activate('b').catch((error) => error);
    await until(() => rig.pids.length === 2);
    expect(await rig.supervisor.cancel('b')).toBe(true);
    expect(rig.pids.filter(isRunning)).toEqual([old]);
    expect(await activation).toMatchObject(cancelled);
    await expectOnly(old);
    expect(rig.log.join()).toContain('The activation of b was cancelled.');
    await rig.supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
  });

  it('ends every activation of the model, and leaves the others in their order', async () => {
    await startReady();
    rig.scripts.b = { loadGate: path('never') };
    const order: string[] = [];
    const activations = ['b', 'c', 'b', 'd'].map((name) =>
      rig.supervisor.activate(name).then(
        () => order.push(name),
        ({ code }) => order.push(`${name}: ${code}`),
      ),
    );
    await until(() => rig.pids.length === 2);
    expect(await rig.supervisor.cancel('b')).toBe(true);
    await Promise.all(activations);
    expect(order.toSorted()).toEqual(['b: activation_cancelled', 'b: activation_cancelled', 'c', 'd']);
    expect(rig.launches).toEqual(['a', 'b', 'c', 'd']);
    expect(rig.supervisor.active).toBe('d');
  });

  it('answers a waiting activation at once, without overtaking another', async () => {
    await startReady();
    rig.scripts.b = { loadGate: path('b') };
    const first = rig.supervisor.activate('b');
    const waiting = rig.supervisor.activate('c').catch((error) => error);
    const last = rig.supervisor.activate('d');
    await until(() => rig.pids.length === 2);
    expect(await rig.supervisor.cancel('c')).toBe(true);
    expect(await waiting).toMatchObject(cancelled);
    await tick();
    expect(rig.launches).toEqual(['a', 'b']);
    open('b');
    await Promise.all([first, last]);
    expect(rig.launches).toEqual(['a', 'b', 'd']);
  });

  it('finds nothing if none is activated', async () => {
    const old = await startReady();
    expect(await rig.supervisor.cancel('a')).toBe(false);
    expect(await rig.supervisor.cancel('b')).toBe(false);
    await rig.supervisor.activate('a');
    expect(await rig.supervisor.cancel('a')).toBe(false);
    await expectOnly(old);
  });

  it('comes too late once the choice is being stored', async () => {
    await startReady();
    let isCancelled: boolean | undefined;
    await rig.supervisor.activate('b', async () => {
      isCancelled = await rig.supervisor.cancel('b');
    });
    expect(isCancelled).toBe(false);
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
  });

  it('ends the wait for the warm-up of the same model, not the warm-up', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.supervisor.start('a', { warm: true });
    const activation = rig.supervisor.activate('a').catch((error) => error);
    await until(() => rig.pids.length === 1);
    expect(await rig.supervisor.cancel('a')).toBe(true);
    expect(await activation).toMatchObject(cancelled);
    open('load');
    await until(() => rig.supervisor.state === 'ready');
    expect(rig.launches).toEqual(['a']);
  });

  it('at any moment of a load leaves either model serving, and one process', async () => {
    await startReady();
    const start = performance.now();
    await rig.supervisor.activate('b');
    const loadMs = performance.now() - start;
    for (let step = 0; step < 16; step++) {
      const before = rig.supervisor.active;
      const next = before === 'a' ? 'b' : 'a';
      const activation = rig.supervisor.activate(next).catch((error) => error);
      await new Promise((resolve) => setTimeout(resolve, (loadMs * step) / 12));
      const isCancelled = await rig.supervisor.cancel(next);
      const outcome = await activation;
      if (isCancelled) expect(outcome).toMatchObject(cancelled);
      else expect(outcome).toBeUndefined();
      expect(rig.supervisor.active).toBe(isCancelled ? before : next);
      expect((await serve()).name).toBe(rig.supervisor.active);
      await until(() => rig.pids.filter(isRunning).length === 1);
    }
  });

  it('of the last hope ends a failed service', async () => {
    rig.scripts.a = { load: 'fail' };
    rig.scripts.b = { loadGate: path('never') };
    rig.supervisor.start('a', { warm: true });
    const activation = rig.supervisor.activate('b').catch((error) => error);
    await until(() => rig.supervisor.state === 'failed' && rig.launches.length === 2);
    await tick();
    expect(rig.exits).toBe(0);
    await rig.supervisor.cancel('b');
    expect(await activation).toMatchObject(cancelled);
    await until(() => rig.exits === 1);
  });
});
