import { describe, expect, it } from 'vitest';
import { isRunning, until } from '../../test/fixtures/scripted-engine.ts';
import { supervisedEngines } from '../../test/fixtures/supervised-engines.ts';

const rig = supervisedEngines();
const { hold, open, path, send, serve, startReady, status, tick } = rig;

describe('lazy loading', () => {
  it('loads once for concurrent first requests', async () => {
    rig.supervisor.start('a', { warm: false });
    expect(status()).toEqual({ state: 'uninitialized', active: 'a', loaded: '' });
    expect(rig.supervisor.info).toBeUndefined();
    const all = await Promise.all([serve(), serve(), serve()]);
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
    expect(rig.launches).toEqual(['a']);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(rig.supervisor.info).toEqual(all[0]);
  });

  it('fails the requests of a failed load; the next request loads again', async () => {
    rig.scripts.a = [{ load: 'fail' }, { load: 'die' }, {}];
    rig.supervisor.start('a', { warm: false });
    for (const result of await Promise.allSettled([send(), send()])) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'HearsayError', code: 'model_unavailable' } });
    }
    expect(rig.launches).toEqual(['a']);
    await expect(send()).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(status()).toEqual({ state: 'uninitialized', active: 'a', loaded: '' });
    expect((await serve()).name).toBe('a');
    expect(rig.supervisor.state).toBe('ready');
    expect(rig.exits).toBe(0);
  });

  it('rejects a waiting request when its signal aborts', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.supervisor.start('a', { warm: false });
    const controller = new AbortController();
    const [leaving, staying] = [send({ do: 'pid' }, { signal: controller.signal }), send()];
    controller.abort(new Error('client left'));
    await expect(leaving).rejects.toThrow('client left');
    open('load');
    await expect(staying).resolves.toHaveLength(1);
  });
});

describe('warming up', () => {
  it('goes from warming to ready', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.supervisor.start('a', { warm: true });
    expect(status()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    await expect(send()).rejects.toMatchObject({ name: 'HearsayError', code: 'model_warming' });
    open('load');
    await until(() => rig.supervisor.state === 'ready');
    expect(rig.supervisor.loaded).toBe('a');
    expect((await serve()).name).toBe('a');
  });

  it('fails if the load fails, with the reason, and calls onFailedForGood after the window', async () => {
    rig.scripts.a = { load: 'fail', error: { code: 'storage_full', message: 'The disk is full.' } };
    rig.supervisor.start('a', { warm: true });
    await until(() => rig.supervisor.state === 'failed');
    expect(rig.exits).toBe(0);
    expect(status()).toEqual({ state: 'failed', active: 'a', loaded: '' });
    expect(rig.supervisor.error).toBe('The disk is full.');
    await expect(send()).rejects.toMatchObject({ code: 'model_failed', message: 'The disk is full.' });
    await until(() => rig.exits === 1);
    expect(rig.launches).toEqual(['a']);
  });

  it('loads the fallback if the model fails', async () => {
    rig.scripts.a = { load: 'fail' };
    rig.supervisor.start('a', { warm: true, fallback: 'b' });
    await until(() => rig.supervisor.state === 'ready');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(rig.log.join()).toContain('a could not be loaded: loading b instead');
  });
});

describe('remove', () => {
  it('runs between activations, and not for the selected model', async () => {
    await startReady();
    rig.scripts.b = { loadGate: path('load') };
    const order: string[] = [];
    const activation = rig.supervisor.activate('b', async () => void order.push('b'));
    const removed = rig.supervisor.remove('a', async () => order.push('removed'));
    const refused = expect(rig.supervisor.remove('b', async () => {})).rejects.toMatchObject({
      code: 'model_in_use',
      message: 'b is the selected model: activate another one first.',
    });
    await tick();
    expect(order).toEqual([]);
    open('load');
    await Promise.all([activation, removed, refused]);
    expect(order).toEqual(['b', 'removed']);
  });

  it('that fails stops no later activation', async () => {
    await startReady();
    await expect(rig.supervisor.remove('b', () => Promise.reject(new Error('read-only')))).rejects.toThrow('read-only');
    await rig.supervisor.activate('b');
    expect(rig.supervisor.active).toBe('b');
  });
});

describe('unload', () => {
  it('ends the process; the next request loads the model again', async () => {
    const first = await startReady();
    await rig.supervisor.unload();
    expect(isRunning(first)).toBe(false);
    await tick();
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(rig.launches).toEqual(['a']);
    expect((await serve()).pid).not.toBe(first);
  });

  it('of a model that can no longer be loaded ends the service after the next request', async () => {
    rig.scripts.a = [{}, { load: 'fail' }];
    await startReady();
    await rig.supervisor.unload();
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    await expect(send()).rejects.toMatchObject({ code: 'model_warming' });
    expect(status()).toEqual({ state: 'restarting', active: 'a', loaded: '' });
    expect(rig.supervisor.error).toBe('Loading the model again failed: The model could not be loaded.');
    await until(() => rig.exits === 1);
    expect(rig.supervisor.state).toBe('failed');
  });

  it('waits for requests in flight', async () => {
    const first = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    const unloaded = rig.supervisor.unload();
    await tick();
    expect(isRunning(first)).toBe(true);
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    await unloaded;
    expect(isRunning(first)).toBe(false);
  });

  it('does nothing while warming', async () => {
    rig.scripts.a = { loadGate: path('load') };
    rig.supervisor.start('a', { warm: true });
    await rig.supervisor.unload();
    open('load');
    await until(() => rig.supervisor.state === 'ready');
    expect(rig.launches).toEqual(['a']);
  });
});

describe('close', () => {
  it('refuses new requests and activations', async () => {
    await startReady();
    const closed = rig.supervisor.close();
    await expect(send()).rejects.toMatchObject({ code: 'draining' });
    await expect(rig.supervisor.activate('b')).rejects.toMatchObject({ code: 'draining' });
    await closed;
    expect(rig.launches).toEqual(['a']);
  });

  it('kills an engine with a request in flight without a retry', async () => {
    const pid = await startReady();
    const inside = hold('never');
    await until(() => inside.entered.length === 1);
    await rig.supervisor.close();
    expect(isRunning(pid)).toBe(false);
    await expect(inside.response).rejects.toMatchObject({ code: 'draining' });
    expect(rig.launches).toEqual(['a']);
  });

  it('cancels a warm-up and an activation', async () => {
    rig.scripts.a = { loadGate: path('never') };
    rig.scripts.b = { loadGate: path('never') };
    rig.supervisor.start('a', { warm: true });
    const activation = rig.supervisor.activate('b');
    await until(() => rig.pids.length === 2);
    await Promise.all([rig.supervisor.close(), expect(activation).rejects.toMatchObject({ code: 'draining' })]);
    expect(rig.pids.filter(isRunning)).toEqual([]);
    expect(rig.launches).toEqual(['a', 'b']);
    expect(rig.exits).toBe(0);
  });

  it('cancels onFailedForGood', async () => {
    rig.scripts.a = { load: 'fail' };
    rig.supervisor.start('a', { warm: true });
    await until(() => rig.supervisor.state === 'failed');
    await rig.supervisor.close();
    await tick();
    expect(rig.exits).toBe(0);
  });

  it.each([1, 2, 3])('leaves no process behind after random operations: seed %i', async (seed) => {
    let random = seed;
    const draw = (below: number) => {
      random = (random * 48271) % 2147483647;
      return random % below;
    };
    rig.scripts.b = [{}, { load: 'fail' }, {}];
    rig.scripts.c = [{ load: 'die' }, {}];
    rig.supervisor.start('a', { warm: seed !== 2 });
    const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
    const settle = (result: Promise<unknown>) => results.push(Promise.allSettled([result]));
    for (let step = 0; step < 30; step++) {
      const choice = draw(6);
      if (choice === 0) settle(rig.supervisor.activate('abc'[draw(3)]!));
      else if (choice === 1) settle(rig.supervisor.unload());
      else if (choice === 2) settle(send({ do: 'die', once: path(`died-${step}`) }));
      else if (choice === 3 && rig.engines.length > 0) rig.engines.at(-1)!.kill();
      else settle(send({ do: 'count', events: 10 }));
      await new Promise((resolve) => setTimeout(resolve, draw(80)));
    }
    const closed = rig.supervisor.close();
    for (const result of (await Promise.all(results)).flat()) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'HearsayError' });
    }
    await closed;
    expect(rig.engines.filter((engine) => isRunning(engine.pid))).toEqual([]);
    expect(rig.pids.filter(isRunning)).toEqual([]);
    // Nothing restarts either.
    const before = rig.launches.length;
    await tick();
    expect(rig.launches).toHaveLength(before);
  });
});

it('removes its listeners from the signal of many requests', async () => {
  await startReady();
  const { signal } = new AbortController();
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  try {
    for (let i = 0; i < 200; i++) await send({ do: 'pid' }, { signal });
    await tick();
  } finally {
    process.off('warning', warn);
  }
  expect(warnings).toEqual([]);
  expect(rig.launches).toEqual(['a']);
});
