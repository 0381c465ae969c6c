import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  collect,
  isRunning,
  launchScripted,
  type Script,
  type ScriptedEngine,
  type ScriptedJob,
  until,
} from '../../test/fixtures/scripted-engine.ts';
import type { EngineDied } from './process.ts';
import { EngineSupervisor, type SupervisorOptions } from './supervisor.ts';

type Supervisor = EngineSupervisor<ScriptedJob, unknown, { name: string; pid: number }>;
type Options = SupervisorOptions<ScriptedJob, unknown, { name: string; pid: number }>;

let directory: string;
let supervisor: Supervisor;
/** How each model loads; the last entry of a list serves all later launches. */
let scripts: Record<string, Script | Script[]>;
/** Model names in launch order. */
let launches: string[];
let engines: ScriptedEngine[];
/** Ids of all processes, of failed launches too. */
let pids: number[];
let exits: number;
let log: string[];
let timeoutMs: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'supervisor-'));
  scripts = {};
  launches = [];
  engines = [];
  pids = [];
  exits = 0;
  log = [];
  timeoutMs = 30_000;
  supervisor = create();
});

afterEach(async () => {
  await supervisor.close();
  expect(engines.filter((engine) => isRunning(engine.pid))).toEqual([]);
  expect(pids.filter(isRunning)).toEqual([]);
  rmSync(directory, { recursive: true });
});

function create(options: Partial<Options> = {}): Supervisor {
  const write = (first: object | string, second?: string) => log.push(second ?? String(first));
  return new EngineSupervisor({
    async launch(name, signal, beforeLoad) {
      const script = scripts[name];
      const nth = launches.filter((other) => other === name).length;
      launches.push(name);
      await beforeLoad();
      const engine = await launchScripted(
        { name, ...(Array.isArray(script) ? script[Math.min(nth, script.length - 1)] : script) },
        {
          entry: new URL('../../test/fixtures/say-pid.mjs', import.meta.url),
          onLog: (line) => pids.push(Number(line)),
          timeoutMs,
          signal,
        },
      );
      engines.push(engine);
      return engine;
    },
    failureWindowMs: 50,
    onFailedForGood: () => {
      exits += 1;
    },
    log: { info: write, warn: write, error: write },
    ...options,
  });
}

const path = (name: string) => join(directory, name);
const open = (gate: string) => writeFileSync(path(gate), '');
const tick = () => new Promise((resolve) => setTimeout(resolve, 100));

function send(job: ScriptedJob = { do: 'pid' }, options: Parameters<Supervisor['use']>[1] = {}): Promise<unknown[]> {
  return supervisor.use((engine) => collect(engine.run(job, options.signal)), options);
}

/** Sends a request and returns the info of the engine that served it. */
function serve(): Promise<{ name: string; pid: number }> {
  return supervisor.use(async (engine) => {
    await collect(engine.run({ do: 'pid' }));
    return engine.info;
  });
}

/** A request in flight until its gate opens; `entered` lists the engine of each try. */
function hold(gate: string): { entered: number[]; response: Promise<unknown[]> } {
  const entered: number[] = [];
  const response = supervisor.use(async (engine) => {
    const events: unknown[] = [];
    for await (const event of engine.run({ do: 'gate', path: path(gate) })) {
      events.push(event);
      if (event === 'started') entered.push(engine.pid);
    }
    return events;
  });
  response.catch(() => {});
  return { entered, response };
}

async function startReady(name = 'a'): Promise<number> {
  supervisor.start(name, { warm: true });
  await until(() => supervisor.state === 'ready');
  return supervisor.info!.pid;
}

const status = () => ({ state: supervisor.state, active: supervisor.active, loaded: supervisor.loaded });

describe('lazy loading', () => {
  it('loads once for concurrent first requests', async () => {
    supervisor.start('a', { warm: false });
    expect(status()).toEqual({ state: 'uninitialized', active: 'a', loaded: '' });
    expect(supervisor.info).toBeUndefined();
    const all = await Promise.all([serve(), serve(), serve()]);
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
    expect(launches).toEqual(['a']);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(supervisor.info).toEqual(all[0]);
  });

  it('fails the requests of a failed load; the next request loads again', async () => {
    scripts.a = [{ load: 'fail' }, { load: 'die' }, {}];
    supervisor.start('a', { warm: false });
    for (const result of await Promise.allSettled([send(), send()])) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'HearsayError', code: 'model_unavailable' } });
    }
    expect(launches).toEqual(['a']);
    await expect(send()).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(status()).toEqual({ state: 'uninitialized', active: 'a', loaded: '' });
    expect((await serve()).name).toBe('a');
    expect(supervisor.state).toBe('ready');
    expect(exits).toBe(0);
  });

  it('rejects a waiting request when its signal aborts', async () => {
    scripts.a = { loadGate: path('load') };
    supervisor.start('a', { warm: false });
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
    scripts.a = { loadGate: path('load') };
    supervisor.start('a', { warm: true });
    expect(status()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    await expect(send()).rejects.toMatchObject({ name: 'HearsayError', code: 'model_warming' });
    open('load');
    await until(() => supervisor.state === 'ready');
    expect(supervisor.loaded).toBe('a');
    expect((await serve()).name).toBe('a');
  });

  it('fails if the load fails, with the reason, and calls onFailedForGood after the window', async () => {
    scripts.a = { load: 'fail', error: { code: 'storage_full', message: 'The disk is full.' } };
    supervisor.start('a', { warm: true });
    await until(() => supervisor.state === 'failed');
    expect(exits).toBe(0);
    expect(status()).toEqual({ state: 'failed', active: 'a', loaded: '' });
    expect(supervisor.error).toBe('The disk is full.');
    await expect(send()).rejects.toMatchObject({ code: 'model_failed', message: 'The disk is full.' });
    await until(() => exits === 1);
    expect(launches).toEqual(['a']);
  });

  it('loads the fallback if the model fails', async () => {
    scripts.a = { load: 'fail' };
    supervisor.start('a', { warm: true, fallback: 'b' });
    await until(() => supervisor.state === 'ready');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(log.join()).toContain('a could not be loaded: loading b instead');
  });
});

describe('an engine death', () => {
  it('restarts an idle engine while requests wait', async () => {
    scripts.a = [{}, { loadGate: path('second') }];
    const first = await startReady();
    process.kill(first, 'SIGKILL');
    await until(() => launches.length === 2);
    const waiting = serve();
    await tick();
    expect(status()).toEqual({ state: 'restarting', active: 'a', loaded: '' });
    expect(supervisor.error).toBe('The engine was killed by SIGKILL.');
    open('second');
    expect((await waiting).pid).not.toBe(first);
    expect(supervisor.info!.pid).toBe((await waiting).pid);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(supervisor.error).toBeUndefined();
  });

  it('restarts the engine every time it dies', async () => {
    let pid = await startReady();
    for (let i = 0; i < 4; i++) {
      process.kill(pid, 'SIGKILL');
      await until(() => !engines.at(-1)!.isAlive);
      const next = (await serve()).pid;
      expect(next).not.toBe(pid);
      pid = next;
    }
  });

  it('fails the waiting requests if the restart fails, and tries it again', async () => {
    scripts.a = [{}, { load: 'fail', loadGate: path('second') }, { loadGate: path('third') }];
    process.kill(await startReady(), 'SIGKILL');
    await until(() => launches.length === 2);
    const waiting = send();
    open('second');
    await expect(waiting).rejects.toMatchObject({ code: 'model_warming' });
    expect(supervisor.state).toBe('restarting');
    expect(supervisor.error).toBe(
      'The engine was killed by SIGKILL. Loading the model again failed: The model could not be loaded.',
    );
    await until(() => launches.length === 3);
    const patient = send();
    open('third');
    await expect(patient).resolves.toHaveLength(1);
    expect(supervisor.state).toBe('ready');
    expect(exits).toBe(0);
  });

  it('ends the service if the restart fails for the failure window', async () => {
    scripts.a = [{}, { load: 'fail', error: { code: 'model_load_failed', message: 'The weights are gone.' } }];
    supervisor = create({ failureWindowMs: 600 });
    process.kill(await startReady(), 'SIGKILL');
    await until(() => supervisor.state === 'failed');
    const tried = launches.length;
    expect(tried).toBeGreaterThan(2);
    expect(supervisor.error).toBe('The weights are gone.');
    await expect(send()).rejects.toMatchObject({ code: 'model_failed', message: 'The weights are gone.' });
    expect(exits).toBe(0);
    await until(() => exits === 1);
    expect(launches).toHaveLength(tried);
  });

  it('is survived by an activation, even after the failure window', async () => {
    scripts.a = [{}, { load: 'fail' }];
    supervisor = create({ failureWindowMs: 300 });
    process.kill(await startReady(), 'SIGKILL');
    await until(() => supervisor.state === 'failed');
    await supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(exits).toBe(0);
  });

  it('during a load is answered with another load', async () => {
    scripts.a = [{ load: 'killed' }, {}, { load: 'killed' }, { load: 'killed' }, {}];
    process.kill(await startReady(), 'SIGKILL');
    await until(() => supervisor.state === 'restarting');
    await expect(send()).resolves.toHaveLength(1);
    expect(launches).toHaveLength(5);
  });

  it('during every load fails after three', async () => {
    scripts.a = { load: 'killed' };
    supervisor.start('a', { warm: true });
    await until(() => supervisor.state === 'failed');
    expect(supervisor.error).toMatch(/killed by SIGKILL while it loaded/);
    expect(launches).toHaveLength(3);
  });

  it('retries every request in flight once, in one isolated engine', async () => {
    const main = await startReady();
    const neighbour = hold('gate');
    await until(() => neighbour.entered.length === 1);
    const killer = send({ do: 'die', once: path('died') });
    await until(() => neighbour.entered.length === 2);
    open('gate');
    await expect(killer).resolves.toEqual(['started']);
    await expect(neighbour.response).resolves.toEqual(['started', 'released']);
    expect(neighbour.entered[0]).toBe(main);
    const after = await serve();
    // The first engine, the restarted one, and the isolated one.
    expect(launches).toHaveLength(3);
    expect(neighbour.entered).toHaveLength(2);
    expect(neighbour.entered[1]).not.toBe(after.pid);
    await until(() => pids.filter(isRunning).length === 1);
  });

  it('fails only the request on which two engines died', async () => {
    await startReady();
    const killer = send({ do: 'die' });
    await expect(killer).rejects.toMatchObject({
      name: 'HearsayError',
      code: 'engine_failed',
      message: 'The engine died twice on this request.',
    });
    const { pid } = await serve();
    const neighbour = hold('gate');
    await until(() => neighbour.entered.length === 1);
    open('gate');
    await neighbour.response;
    expect(neighbour.entered).toEqual([pid]);
    expect(supervisor.state).toBe('ready');
  });

  it('runs a suspect request in an isolated engine at once, and fails it when that dies', async () => {
    const main = await startReady();
    const [pid] = await send({ do: 'pid' }, { isSuspect: true });
    expect(pid).not.toBe(main);
    const killer = send({ do: 'die' }, { isSuspect: true });
    await expect(killer).rejects.toMatchObject({ code: 'engine_failed' });
    expect((await serve()).pid).toBe(main);
    expect(launches).toHaveLength(3);
  });

  it('retries one request at a time', async () => {
    await startReady();
    let alone = 0;
    let maxAlone = 0;
    let entered = 0;
    const requests = Array.from({ length: 4 }, (_, i) => {
      let tries = 0;
      return supervisor.use(async (engine) => {
        tries += 1;
        if (tries === 2) maxAlone = Math.max(maxAlone, ++alone);
        const events = engine.run(tries === 1 ? { do: 'gate', path: path('never') } : { do: 'count', events: 20 });
        await events.next();
        if (tries === 1 && ++entered === 4) process.kill(engine.pid, 'SIGKILL');
        const rest = await collect(events);
        alone -= 1;
        return [i, rest.length];
      });
    });
    expect(await Promise.all(requests)).toEqual([0, 1, 2, 3].map((i) => [i, 19]));
    expect(maxAlone).toBe(1);
  });

  /** Requests that are all in the engine when it dies; `second` is what each does on its second try. */
  function dieTogether(second: ScriptedJob[], signals: AbortSignal[] = []): Promise<PromiseSettledResult<unknown[]>[]> {
    let entered = 0;
    return Promise.allSettled(
      second.map((job, index) => {
        const signal = signals[index];
        let tries = 0;
        return supervisor.use(async (engine) => {
          tries += 1;
          const events = engine.run(tries === 1 ? { do: 'gate', path: path('never') } : job, signal);
          const { value } = await events.next();
          if (tries === 1 && ++entered === second.length) process.kill(engine.pid, 'SIGKILL');
          return [value, ...(await collect(events))];
        }, signal && { signal });
      }),
    );
  }

  it('with fourteen requests inside launches one isolated engine, not fourteen', async () => {
    await startReady();
    const results = await dieTogether(Array.from({ length: 14 }, () => ({ do: 'count', events: 3 })));
    expect(results).toEqual(Array.from({ length: 14 }, () => ({ status: 'fulfilled', value: [0, 1, 2] })));
    expect(launches).toHaveLength(3);
    await serve();
    await until(() => pids.filter(isRunning).length === 1);
  });

  it('in the isolated engine fails only the request that killed it', async () => {
    await startReady();
    const jobs = Array.from(
      { length: 7 },
      (_, index): ScriptedJob => (index % 3 === 1 ? { do: 'die' } : { do: 'count', events: 3 }),
    );
    for (const [index, result] of (await dieTogether(jobs)).entries()) {
      if (index % 3 === 1) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'engine_failed' } });
      else expect(result).toEqual({ status: 'fulfilled', value: [0, 1, 2] });
    }
    // The first engine, the restarted one, and three isolated ones.
    expect(launches).toHaveLength(5);
  });

  it('of a retry that was aborted cannot reach the next one', async () => {
    await startReady();
    const controller = new AbortController();
    const results = dieTogether(
      [{ do: 'gate', path: path('never') }, { do: 'pid' }, { do: 'pid' }],
      [controller.signal],
    );
    // The first engine, the restarted one, and the isolated one.
    await until(() => engines.length === 3);
    await tick();
    controller.abort(new Error('client left'));
    const [left, ...others] = await results;
    expect(left).toMatchObject({ status: 'rejected', reason: { message: 'client left' } });
    // The aborted job may still run in the old one.
    expect(others[0]).toMatchObject({ status: 'fulfilled' });
    expect(others[1]).toEqual(others[0]);
    expect(launches).toHaveLength(4);
  });

  it('does not retry if mayRetry returns false', async () => {
    await startReady();
    await expect(send({ do: 'die' }, { mayRetry: () => false })).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(send()).resolves.toHaveLength(1);
    expect(launches).toHaveLength(2);
  });

  it('does not retry after the signal aborted', async () => {
    await startReady();
    const controller = new AbortController();
    const response = supervisor.use(
      async (engine) => {
        const died = await collect(engine.run({ do: 'die' })).catch((error: EngineDied) => error);
        controller.abort(new Error('client left'));
        throw died;
      },
      { signal: controller.signal },
    );
    await expect(response).rejects.toThrow('client left');
    await serve();
    expect(launches).toHaveLength(2);
  });

  it('kills a stopped engine and retries its request', async () => {
    timeoutMs = 3000;
    const main = await startReady();
    const stopped = hold('gate');
    await until(() => stopped.entered.length === 1);
    process.kill(main, 'SIGSTOP');
    await until(() => stopped.entered.length === 2);
    open('gate');
    await expect(stopped.response).resolves.toEqual(['started', 'released']);
    expect(isRunning(main)).toBe(false);
  });

  it('fails a request on which two engines hang', async () => {
    timeoutMs = 3000;
    await startReady();
    await expect(send({ do: 'hang' })).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(send()).resolves.toHaveLength(1);
  });
});

describe('activation', () => {
  it('swaps without a gap: the old engine serves until the new one is ready, then finishes its requests', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    scripts.b = { loadGate: path('load') };
    const activation = supervisor.activate('b');
    await until(() => launches.length === 2);
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
    expect(launches).toEqual(['a', 'b']);
  });

  it('leaves everything as before if it fails', async () => {
    const old = await startReady();
    scripts.b = { load: 'fail' };
    await expect(supervisor.activate('b')).rejects.toMatchObject({ name: 'HearsayError', code: 'model_load_failed' });
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(await serve()).toEqual({ name: 'a', pid: old });
  });

  it('stores the choice before it serves, and changes nothing if that fails', async () => {
    const old = await startReady();
    const names: string[] = [];
    await supervisor.activate('b', async () => {
      names.push((await serve()).name);
    });
    expect(names).toEqual(['a']);
    await until(() => !isRunning(old));

    const { pid } = await serve();
    const refuse = () => supervisor.activate('c', () => Promise.reject(new Error('read-only')));
    await expect(refuse()).rejects.toThrow('read-only');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(await serve()).toEqual({ name: 'b', pid });
    await until(() => pids.filter(isRunning).length === 1);
    // Also if the model serves already.
    await expect(supervisor.activate('b', () => Promise.reject(new Error('read-only')))).rejects.toThrow('read-only');
  });

  it('restarts the loaded model only if its process has ended', async () => {
    const old = await startReady();
    await supervisor.activate('a');
    expect((await serve()).pid).toBe(old);
    expect(launches).toEqual(['a']);
    await supervisor.unload();
    await supervisor.activate('a');
    expect((await serve()).pid).not.toBe(old);
    expect(launches).toEqual(['a', 'a']);
  });

  it('runs one at a time, in call order', async () => {
    await startReady();
    scripts.c = { load: 'fail' };
    const order: string[] = [];
    await Promise.all([
      supervisor.activate('b').then(() => order.push('b')),
      supervisor.activate('c').catch(() => order.push('not c')),
      supervisor.activate('d').then(() => order.push('d')),
    ]);
    expect(order).toEqual(['b', 'not c', 'd']);
    expect(launches).toEqual(['a', 'b', 'c', 'd']);
    expect(supervisor.active).toBe('d');
  });

  it('loads a model before the first request', async () => {
    supervisor.start('a', { warm: false });
    await supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(launches).toEqual(['b']);
  });

  it('cancels a warm-up', async () => {
    scripts.a = { loadGate: path('load') };
    supervisor.start('a', { warm: true });
    await until(() => pids.length === 1);
    await supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    await until(() => !isRunning(pids[0]!));
    open('load');
    await tick();
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(engines).toHaveLength(1);
  });

  it('serves requests that wait for a lazy load of the old model', async () => {
    scripts.a = { loadGate: path('never') };
    supervisor.start('a', { warm: false });
    const waiting = serve();
    await until(() => launches.length === 1);
    await supervisor.activate('b');
    expect((await waiting).name).toBe('b');
  });

  it('keeps the warm-up running if it fails', async () => {
    scripts.a = { loadGate: path('load') };
    scripts.b = { load: 'fail' };
    supervisor.start('a', { warm: true });
    await expect(supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    expect(status()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    open('load');
    await until(() => supervisor.state === 'ready');
    expect(launches).toEqual(['a', 'b']);
  });

  it('waits for the warm-up of the same model', async () => {
    scripts.a = { loadGate: path('load') };
    supervisor.start('a', { warm: true });
    const activation = supervisor.activate('a');
    open('load');
    await activation;
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(launches).toEqual(['a']);
  });

  it('cancels onFailedForGood after a failed warm-up', async () => {
    scripts.a = { load: 'fail' };
    supervisor = create({ failureWindowMs: 2000 });
    supervisor.start('a', { warm: true });
    await until(() => supervisor.state === 'failed');
    await supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(supervisor.error).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(exits).toBe(0);
  });

  it('decides about onFailedForGood if it outlasts the failure window', async () => {
    for (const outcome of ['ok', 'fail'] as const) {
      scripts.a = { load: 'fail' };
      scripts.b = { load: outcome, loadGate: path(`load-${outcome}`) };
      supervisor.start('a', { warm: true });
      const activation = supervisor.activate('b');
      activation.catch(() => {});
      await until(() => supervisor.state === 'failed');
      await tick();
      await tick();
      expect(exits).toBe(0);
      open(`load-${outcome}`);
      if (outcome === 'ok') {
        await activation;
        await tick();
        expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
        expect(exits).toBe(0);
        await supervisor.close();
        supervisor = create();
      } else {
        await expect(activation).rejects.toMatchObject({ code: 'model_load_failed' });
        expect(status()).toEqual({ state: 'failed', active: 'a', loaded: '' });
        await until(() => exits === 1);
      }
    }
  });
});

describe('activation on a device with room for one model', () => {
  const ends = (pid: number) => until(() => !isRunning(pid));

  beforeEach(() => {
    supervisor = create({ oneModelAtATime: () => true });
  });

  it('ends the old engine after its requests, then loads; other requests wait and are served by the new one', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    scripts.b = { loadGate: path('load') };
    const activation = supervisor.activate('b');
    await until(() => launches.length === 2);
    const waiting = serve();
    await tick();
    expect(pids).toEqual([old]);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    await until(() => pids.length === 2);
    expect(isRunning(old)).toBe(false);
    expect(supervisor.state).toBe('ready');
    open('load');
    await activation;
    expect((await waiting).name).toBe('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(launches).toEqual(['a', 'b']);
  });

  it.each([
    ['the load fails', { load: 'fail' } as const, async () => {}],
    ['the choice cannot be stored', {}, () => Promise.reject(new Error('read-only'))],
  ])('loads the old model again if %s, and loses no request', async (_, script, beforeSwitch) => {
    const old = await startReady();
    scripts.b = { ...script, loadGate: path('load') };
    const activation = supervisor.activate('b', beforeSwitch);
    const failed = expect(activation).rejects.toThrow();
    await until(() => pids.length === 2);
    const waiting = serve();
    open('load');
    await failed;
    expect((await waiting).name).toBe('a');
    expect(isRunning(old)).toBe(false);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    await until(() => pids.filter(isRunning).length === 1);
    expect(launches).toEqual(['a', 'b', 'a']);
  });

  it('loads the old model again after a cancellation, without a request for it', async () => {
    await startReady();
    scripts.b = { loadGate: path('never') };
    const activation = supervisor.activate('b').catch((error) => error);
    await until(() => pids.length === 2);
    await supervisor.cancel('b');
    expect(await activation).toMatchObject({ code: 'activation_cancelled' });
    await until(() => supervisor.resident);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
  });

  it('keeps the old engine if it is cancelled while that has requests', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    const activation = supervisor.activate('b').catch((error) => error);
    await until(() => launches.length === 2);
    const waiting = serve();
    await supervisor.cancel('b');
    expect(await activation).toMatchObject({ code: 'activation_cancelled' });
    expect(await waiting).toEqual({ name: 'a', pid: old });
    open('gate');
    await inside.response;
    expect(pids).toEqual([old]);
  });

  it('ends a warm-up, and starts it again if it fails', async () => {
    scripts.a = { loadGate: path('load') };
    scripts.b = [{ load: 'fail' }, {}];
    supervisor.start('a', { warm: true });
    await until(() => pids.length === 1);
    await expect(supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    await ends(pids[0]!);
    await until(() => pids.length === 3);
    expect(status()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    await supervisor.activate('b');
    await ends(pids[2]!);
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(launches).toEqual(['a', 'b', 'a', 'b']);
    expect(exits).toBe(0);
  });

  it('fails for good if the old model cannot be loaded again', async () => {
    scripts.a = [{}, { load: 'fail', error: { code: 'model_load_failed', message: 'The weights are gone.' } }];
    scripts.b = { load: 'fail' };
    await startReady();
    await expect(supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    await until(() => exits === 1);
    expect(supervisor.error).toBe('The weights are gone.');
  });

  it('leaves an unloaded model unloaded if it fails', async () => {
    const old = await startReady();
    await supervisor.unload();
    scripts.b = { load: 'fail' };
    await expect(supervisor.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    await tick();
    expect(supervisor.resident).toBe(false);
    expect(launches).toEqual(['a', 'b']);
    expect((await serve()).pid).not.toBe(old);
  });

  it('serves requests that wait for a lazy load of the old model', async () => {
    scripts.a = { loadGate: path('never') };
    supervisor.start('a', { warm: false });
    const waiting = serve();
    await until(() => pids.length === 1);
    await supervisor.activate('b');
    expect((await waiting).name).toBe('b');
    await ends(pids[0]!);
  });

  it('replaces an engine that dies while its requests are waited for', async () => {
    const old = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    const activation = supervisor.activate('b');
    await until(() => launches.length === 2);
    process.kill(old, 'SIGKILL');
    await until(() => inside.entered.length === 2);
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    await activation;
    expect((await serve()).name).toBe('b');
    await until(() => pids.filter(isRunning).length === 1);
  });

  it('ends with the service at any moment', async () => {
    for (const moment of ['requests', 'load']) {
      supervisor = create({ oneModelAtATime: () => true });
      scripts.b = { loadGate: path('never') };
      await startReady();
      const before = pids.length;
      const inside = moment === 'requests' ? hold('never') : undefined;
      if (inside) await until(() => inside.entered.length === 1);
      const activation = supervisor.activate('b');
      const refused = expect(activation).rejects.toMatchObject({ code: 'draining' });
      if (moment === 'load') await until(() => pids.length > before);
      else await tick();
      await supervisor.close();
      await refused;
      expect(pids.filter(isRunning)).toEqual([]);
      await inside?.response.catch(() => {});
    }
  });
});

describe('cancel', () => {
  const cancelled = { name: 'HearsayError', code: 'activation_cancelled' };
  /** Nothing is left but the engine of the first model. */
  const expectOnly = async (pid: number) => {
    expect(pids.filter(isRunning)).toEqual([pid]);
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(await serve()).toEqual({ name: 'a', pid });
  };

  it('ends a load with its process, and the model can be activated again', async () => {
    const old = await startReady();
    scripts.b = [{ loadGate: path('never') }, {}];
    const activation = supervisor.activate('b').catch((error) => error);
    await until(() => pids.length === 2);
    expect(await supervisor.cancel('b')).toBe(true);
    expect(pids.filter(isRunning)).toEqual([old]);
    expect(await activation).toMatchObject(cancelled);
    await expectOnly(old);
    expect(log.join()).toContain('The activation of b was cancelled.');
    await supervisor.activate('b');
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
  });

  it('ends every activation of the model, and leaves the others in their order', async () => {
    await startReady();
    scripts.b = { loadGate: path('never') };
    const order: string[] = [];
    const activations = ['b', 'c', 'b', 'd'].map((name) =>
      supervisor.activate(name).then(
        () => order.push(name),
        ({ code }) => order.push(`${name}: ${code}`),
      ),
    );
    await until(() => pids.length === 2);
    expect(await supervisor.cancel('b')).toBe(true);
    await Promise.all(activations);
    expect(order.toSorted()).toEqual(['b: activation_cancelled', 'b: activation_cancelled', 'c', 'd']);
    expect(launches).toEqual(['a', 'b', 'c', 'd']);
    expect(supervisor.active).toBe('d');
  });

  it('answers a waiting activation at once, without overtaking another', async () => {
    await startReady();
    scripts.b = { loadGate: path('b') };
    const first = supervisor.activate('b');
    const waiting = supervisor.activate('c').catch((error) => error);
    const last = supervisor.activate('d');
    await until(() => pids.length === 2);
    expect(await supervisor.cancel('c')).toBe(true);
    expect(await waiting).toMatchObject(cancelled);
    await tick();
    expect(launches).toEqual(['a', 'b']);
    open('b');
    await Promise.all([first, last]);
    expect(launches).toEqual(['a', 'b', 'd']);
  });

  it('finds nothing if none is activated', async () => {
    const old = await startReady();
    expect(await supervisor.cancel('a')).toBe(false);
    expect(await supervisor.cancel('b')).toBe(false);
    await supervisor.activate('a');
    expect(await supervisor.cancel('a')).toBe(false);
    await expectOnly(old);
  });

  it('comes too late once the choice is being stored', async () => {
    await startReady();
    let isCancelled: boolean | undefined;
    await supervisor.activate('b', async () => {
      isCancelled = await supervisor.cancel('b');
    });
    expect(isCancelled).toBe(false);
    expect(status()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
  });

  it('ends the wait for the warm-up of the same model, not the warm-up', async () => {
    scripts.a = { loadGate: path('load') };
    supervisor.start('a', { warm: true });
    const activation = supervisor.activate('a').catch((error) => error);
    await until(() => pids.length === 1);
    expect(await supervisor.cancel('a')).toBe(true);
    expect(await activation).toMatchObject(cancelled);
    open('load');
    await until(() => supervisor.state === 'ready');
    expect(launches).toEqual(['a']);
  });

  it('at any moment of a load leaves either model serving, and one process', async () => {
    await startReady();
    const start = performance.now();
    await supervisor.activate('b');
    const loadMs = performance.now() - start;
    for (let step = 0; step < 16; step++) {
      const before = supervisor.active;
      const next = before === 'a' ? 'b' : 'a';
      const activation = supervisor.activate(next).catch((error) => error);
      await new Promise((resolve) => setTimeout(resolve, (loadMs * step) / 12));
      const isCancelled = await supervisor.cancel(next);
      const outcome = await activation;
      if (isCancelled) expect(outcome).toMatchObject(cancelled);
      else expect(outcome).toBeUndefined();
      expect(supervisor.active).toBe(isCancelled ? before : next);
      expect((await serve()).name).toBe(supervisor.active);
      await until(() => pids.filter(isRunning).length === 1);
    }
  });

  it('of the last hope ends a failed service', async () => {
    scripts.a = { load: 'fail' };
    scripts.b = { loadGate: path('never') };
    supervisor.start('a', { warm: true });
    const activation = supervisor.activate('b').catch((error) => error);
    await until(() => supervisor.state === 'failed' && launches.length === 2);
    await tick();
    expect(exits).toBe(0);
    await supervisor.cancel('b');
    expect(await activation).toMatchObject(cancelled);
    await until(() => exits === 1);
  });
});

describe('remove', () => {
  it('runs between activations, and not for the selected model', async () => {
    await startReady();
    scripts.b = { loadGate: path('load') };
    const order: string[] = [];
    const activation = supervisor.activate('b', async () => void order.push('b'));
    const removed = supervisor.remove('a', async () => order.push('removed'));
    const refused = expect(supervisor.remove('b', async () => {})).rejects.toMatchObject({
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
    await expect(supervisor.remove('b', () => Promise.reject(new Error('read-only')))).rejects.toThrow('read-only');
    await supervisor.activate('b');
    expect(supervisor.active).toBe('b');
  });
});

describe('unload', () => {
  it('ends the process; the next request loads the model again', async () => {
    const first = await startReady();
    await supervisor.unload();
    expect(isRunning(first)).toBe(false);
    await tick();
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(launches).toEqual(['a']);
    expect((await serve()).pid).not.toBe(first);
  });

  it('of a model that can no longer be loaded ends the service after the next request', async () => {
    scripts.a = [{}, { load: 'fail' }];
    await startReady();
    await supervisor.unload();
    expect(status()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    await expect(send()).rejects.toMatchObject({ code: 'model_warming' });
    expect(status()).toEqual({ state: 'restarting', active: 'a', loaded: '' });
    expect(supervisor.error).toBe('Loading the model again failed: The model could not be loaded.');
    await until(() => exits === 1);
    expect(supervisor.state).toBe('failed');
  });

  it('waits for requests in flight', async () => {
    const first = await startReady();
    const inside = hold('gate');
    await until(() => inside.entered.length === 1);
    const unloaded = supervisor.unload();
    await tick();
    expect(isRunning(first)).toBe(true);
    open('gate');
    await expect(inside.response).resolves.toEqual(['started', 'released']);
    await unloaded;
    expect(isRunning(first)).toBe(false);
  });

  it('does nothing while warming', async () => {
    scripts.a = { loadGate: path('load') };
    supervisor.start('a', { warm: true });
    await supervisor.unload();
    open('load');
    await until(() => supervisor.state === 'ready');
    expect(launches).toEqual(['a']);
  });
});

describe('close', () => {
  it('refuses new requests and activations', async () => {
    await startReady();
    const closed = supervisor.close();
    await expect(send()).rejects.toMatchObject({ code: 'draining' });
    await expect(supervisor.activate('b')).rejects.toMatchObject({ code: 'draining' });
    await closed;
    expect(launches).toEqual(['a']);
  });

  it('kills an engine with a request in flight without a retry', async () => {
    const pid = await startReady();
    const inside = hold('never');
    await until(() => inside.entered.length === 1);
    await supervisor.close();
    expect(isRunning(pid)).toBe(false);
    await expect(inside.response).rejects.toMatchObject({ code: 'draining' });
    expect(launches).toEqual(['a']);
  });

  it('cancels a warm-up and an activation', async () => {
    scripts.a = { loadGate: path('never') };
    scripts.b = { loadGate: path('never') };
    supervisor.start('a', { warm: true });
    const activation = supervisor.activate('b');
    await until(() => pids.length === 2);
    await Promise.all([supervisor.close(), expect(activation).rejects.toMatchObject({ code: 'draining' })]);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(launches).toEqual(['a', 'b']);
    expect(exits).toBe(0);
  });

  it('cancels onFailedForGood', async () => {
    scripts.a = { load: 'fail' };
    supervisor.start('a', { warm: true });
    await until(() => supervisor.state === 'failed');
    await supervisor.close();
    await tick();
    expect(exits).toBe(0);
  });

  it.each([1, 2, 3])('leaves no process behind after random operations: seed %i', async (seed) => {
    let random = seed;
    const draw = (below: number) => {
      random = (random * 48271) % 2147483647;
      return random % below;
    };
    scripts.b = [{}, { load: 'fail' }, {}];
    scripts.c = [{ load: 'die' }, {}];
    supervisor.start('a', { warm: seed !== 2 });
    const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
    const settle = (result: Promise<unknown>) => results.push(Promise.allSettled([result]));
    for (let step = 0; step < 30; step++) {
      const choice = draw(6);
      if (choice === 0) settle(supervisor.activate('abc'[draw(3)]!));
      else if (choice === 1) settle(supervisor.unload());
      else if (choice === 2) settle(send({ do: 'die', once: path(`died-${step}`) }));
      else if (choice === 3 && engines.length > 0) engines.at(-1)!.kill();
      else settle(send({ do: 'count', events: 10 }));
      await new Promise((resolve) => setTimeout(resolve, draw(80)));
    }
    const closed = supervisor.close();
    for (const result of (await Promise.all(results)).flat()) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'HearsayError' });
    }
    await closed;
    expect(engines.filter((engine) => isRunning(engine.pid))).toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
    // Nothing restarts either.
    const before = launches.length;
    await tick();
    expect(launches).toHaveLength(before);
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
  expect(launches).toEqual(['a']);
});
