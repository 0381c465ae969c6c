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

type Model = EngineSupervisor<ScriptedJob, unknown, { name: string; pid: number }>;
type Options = SupervisorOptions<ScriptedJob, unknown, { name: string; pid: number }>;

let folder: string;
let model: Model;
/** How a model of that name loads; a list is for its first, second … launch, its last entry for all later ones. */
let scripts: Record<string, Script | Script[]>;
/** Names in the order of their launches. */
let launches: string[];
let engines: ScriptedEngine[];
/** Every process that has said its id, whether its launch succeeded or not. */
let pids: number[];
let exits: number;
let log: string[];
let timeoutMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resident-model-'));
  scripts = {};
  launches = [];
  engines = [];
  pids = [];
  exits = 0;
  log = [];
  timeoutMs = 30_000;
  model = create();
});

afterEach(async () => {
  await model.close();
  expect(engines.filter((engine) => isRunning(engine.pid))).toEqual([]);
  expect(pids.filter(isRunning)).toEqual([]);
  rmSync(folder, { recursive: true });
});

function create(options: Partial<Options> = {}): Model {
  const write = (first: object | string, second?: string) => log.push(second ?? String(first));
  return new EngineSupervisor({
    async launch(name, signal) {
      const script = scripts[name];
      const nth = launches.filter((other) => other === name).length;
      launches.push(name);
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

const path = (name: string) => join(folder, name);
const open = (gate: string) => writeFileSync(path(gate), '');
const tick = () => new Promise((resolve) => setTimeout(resolve, 100));

function ask(job: ScriptedJob = { do: 'pid' }, options: Parameters<Model['use']>[1] = {}): Promise<unknown[]> {
  return model.use((engine) => collect(engine.run(job, options.signal)), options);
}

/** The name of the model that serves a request, and the process it runs in. */
function served(): Promise<{ name: string; pid: number }> {
  return model.use(async (engine) => {
    await collect(engine.run({ do: 'pid' }));
    return engine.info;
  });
}

/** A request that is inside an engine until its gate opens; `entered` says in which one, each time it gets in. */
function request(gate: string): { entered: number[]; answer: Promise<unknown[]> } {
  const entered: number[] = [];
  const answer = model.use(async (engine) => {
    const events: unknown[] = [];
    for await (const event of engine.run({ do: 'gate', path: path(gate) })) {
      events.push(event);
      if (event === 'started') entered.push(engine.pid);
    }
    return events;
  });
  answer.catch(() => {});
  return { entered, answer };
}

async function startReady(name = 'a'): Promise<number> {
  model.start(name, { warm: true });
  await until(() => model.state === 'ready');
  return model.info!.pid;
}

const facts = () => ({ state: model.state, active: model.active, loaded: model.loaded });

describe('lazy loading', () => {
  it('loads at the first request, once for all who come together', async () => {
    model.start('a', { warm: false });
    expect(facts()).toEqual({ state: 'uninitialized', active: 'a', loaded: '' });
    expect(model.info).toBeUndefined();
    const all = await Promise.all([served(), served(), served()]);
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1);
    expect(launches).toEqual(['a']);
    expect(facts()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(model.info).toEqual(all[0]);
  });

  it('fails the requests of a failed load, and the next one tries again', async () => {
    scripts.a = [{ load: 'fail' }, { load: 'die' }, {}];
    model.start('a', { warm: false });
    for (const result of await Promise.allSettled([ask(), ask()])) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'HearsayError', code: 'model_failed' } });
    }
    expect(launches).toEqual(['a']);
    await expect(ask()).rejects.toMatchObject({ code: 'model_failed' });
    expect(facts()).toEqual({ state: 'uninitialized', active: 'a', loaded: '' });
    expect((await served()).name).toBe('a');
    expect(model.state).toBe('ready');
    expect(exits).toBe(0);
  });

  it('lets a waiting request go when its signal aborts', async () => {
    scripts.a = { loadGate: path('load') };
    model.start('a', { warm: false });
    const controller = new AbortController();
    const [leaving, staying] = [ask({ do: 'pid' }, { signal: controller.signal }), ask()];
    controller.abort(new Error('client left'));
    await expect(leaving).rejects.toThrow('client left');
    open('load');
    await expect(staying).resolves.toHaveLength(1);
  });
});

describe('warming up', () => {
  it('is warming, then ready', async () => {
    scripts.a = { loadGate: path('load') };
    model.start('a', { warm: true });
    expect(facts()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    await expect(ask()).rejects.toMatchObject({ name: 'HearsayError', code: 'model_warming' });
    open('load');
    await until(() => model.state === 'ready');
    expect(model.loaded).toBe('a');
    expect((await served()).name).toBe('a');
  });

  it('is failed when the load fails, says why, and reports it once the window is over', async () => {
    scripts.a = { load: 'fail', error: { code: 'storage_full', message: 'The disk is full.' } };
    model.start('a', { warm: true });
    await until(() => model.state === 'failed');
    expect(exits).toBe(0);
    expect(facts()).toEqual({ state: 'failed', active: 'a', loaded: '' });
    expect(model.error).toBe('The disk is full.');
    await expect(ask()).rejects.toMatchObject({ code: 'model_failed', message: 'The disk is full.' });
    await until(() => exits === 1);
    expect(launches).toEqual(['a']);
  });

  it('loads the fallback where there is one', async () => {
    scripts.a = { load: 'fail' };
    model.start('a', { warm: true, fallback: 'b' });
    await until(() => model.state === 'ready');
    expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(log.join()).toContain('a could not be loaded: loading b instead');
  });
});

describe('a death', () => {
  it('of an idle engine starts it again, and requests meanwhile wait', async () => {
    scripts.a = [{}, { loadGate: path('second') }];
    const first = await startReady();
    process.kill(first, 'SIGKILL');
    await until(() => launches.length === 2);
    const waiting = served();
    await tick();
    expect(facts()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    open('second');
    expect((await waiting).pid).not.toBe(first);
    expect(model.info!.pid).toBe((await waiting).pid);
  });

  it('again and again is survived', async () => {
    let pid = await startReady();
    for (let i = 0; i < 4; i++) {
      process.kill(pid, 'SIGKILL');
      await until(() => !engines.at(-1)!.alive);
      const next = (await served()).pid;
      expect(next).not.toBe(pid);
      pid = next;
    }
  });

  it('after which the engine cannot load fails the waiting requests, and the next one tries again', async () => {
    scripts.a = [{}, { load: 'fail', loadGate: path('second') }, {}];
    process.kill(await startReady(), 'SIGKILL');
    await until(() => launches.length === 2);
    const waiting = ask();
    open('second');
    await expect(waiting).rejects.toMatchObject({ code: 'model_failed' });
    expect(model.state).toBe('ready');
    expect(launches).toEqual(['a', 'a']);
    await expect(ask()).resolves.toHaveLength(1);
    expect(exits).toBe(0);
  });

  it('is retried once, alone, for all who were inside', async () => {
    const main = await startReady();
    const neighbour = request('gate');
    await until(() => neighbour.entered.length === 1);
    const killer = ask({ do: 'die', once: path('died') });
    await until(() => neighbour.entered.length === 2);
    open('gate');
    await expect(killer).resolves.toEqual(['started']);
    await expect(neighbour.answer).resolves.toEqual(['started', 'released']);
    expect(neighbour.entered[0]).toBe(main);
    const after = await served();
    // One engine at first, one started again for everybody, and one for each of the two.
    expect(launches).toHaveLength(4);
    expect(neighbour.entered).toHaveLength(2);
    expect(neighbour.entered[1]).not.toBe(after.pid);
    await until(() => pids.filter(isRunning).length === 1);
  });

  it('twice on the same request is its own error and takes no neighbour with it', async () => {
    await startReady();
    const killer = ask({ do: 'die' });
    await expect(killer).rejects.toMatchObject({
      name: 'HearsayError',
      code: 'engine_failed',
      message: 'The engine died twice on this request.',
    });
    const { pid } = await served();
    const neighbour = request('gate');
    await until(() => neighbour.entered.length === 1);
    open('gate');
    await neighbour.answer;
    expect(neighbour.entered).toEqual([pid]);
    expect(model.state).toBe('ready');
  });

  it('is retried by one request at a time', async () => {
    await startReady();
    let alone = 0;
    let most = 0;
    let entered = 0;
    const requests = Array.from({ length: 4 }, (_, i) => {
      let tries = 0;
      return model.use(async (engine) => {
        tries += 1;
        if (tries === 2) most = Math.max(most, ++alone);
        const events = engine.run(tries === 1 ? { do: 'gate', path: path('never') } : { do: 'count', events: 20 });
        await events.next();
        if (tries === 1 && ++entered === 4) process.kill(engine.pid, 'SIGKILL');
        const rest = await collect(events);
        alone -= 1;
        return [i, rest.length];
      });
    });
    expect(await Promise.all(requests)).toEqual([0, 1, 2, 3].map((i) => [i, 19]));
    expect(most).toBe(1);
  });

  it('is not retried when the request says so', async () => {
    await startReady();
    await expect(ask({ do: 'die' }, { mayRetry: () => false })).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(ask()).resolves.toHaveLength(1);
    expect(launches).toHaveLength(2);
  });

  it('is not retried for a client that has left', async () => {
    await startReady();
    const controller = new AbortController();
    const answer = model.use(
      async (engine) => {
        const died = await collect(engine.run({ do: 'die' })).catch((error: EngineDied) => error);
        controller.abort(new Error('client left'));
        throw died;
      },
      { signal: controller.signal },
    );
    await expect(answer).rejects.toThrow('client left');
    await served();
    expect(launches).toHaveLength(2);
  });

  it('by SIGSTOP counts as one', async () => {
    timeoutMs = 3000;
    const main = await startReady();
    const stopped = request('gate');
    await until(() => stopped.entered.length === 1);
    process.kill(main, 'SIGSTOP');
    await until(() => stopped.entered.length === 2);
    open('gate');
    await expect(stopped.answer).resolves.toEqual(['started', 'released']);
    expect(isRunning(main)).toBe(false);
  });

  it('by hanging, twice, is the error of the request that hangs', async () => {
    timeoutMs = 3000;
    await startReady();
    await expect(ask({ do: 'hang' })).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(ask()).resolves.toHaveLength(1);
  });
});

describe('activation', () => {
  it('swaps without a gap: the old engine serves until the new one can, and finishes what it has', async () => {
    const old = await startReady();
    const inside = request('gate');
    await until(() => inside.entered.length === 1);
    scripts.b = { loadGate: path('load') };
    const activation = model.activate('b');
    await until(() => launches.length === 2);
    expect(await served()).toEqual({ name: 'a', pid: old });
    expect(facts()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    open('load');
    await activation;
    expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect((await served()).name).toBe('b');
    expect(isRunning(old)).toBe(true);
    open('gate');
    await expect(inside.answer).resolves.toEqual(['started', 'released']);
    expect(inside.entered).toEqual([old]);
    await until(() => !isRunning(old));
    expect(launches).toEqual(['a', 'b']);
  });

  it('that fails leaves everything as it was', async () => {
    const old = await startReady();
    scripts.b = { load: 'fail' };
    await expect(model.activate('b')).rejects.toMatchObject({ name: 'HearsayError', code: 'model_load_failed' });
    expect(facts()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(await served()).toEqual({ name: 'a', pid: old });
  });

  it('of what is loaded restarts nothing, unless its process is gone', async () => {
    const old = await startReady();
    await model.activate('a');
    expect((await served()).pid).toBe(old);
    expect(launches).toEqual(['a']);
    await model.unload();
    await model.activate('a');
    expect((await served()).pid).not.toBe(old);
    expect(launches).toEqual(['a', 'a']);
  });

  it('runs one at a time, in order', async () => {
    await startReady();
    scripts.c = { load: 'fail' };
    const order: string[] = [];
    await Promise.all([
      model.activate('b').then(() => order.push('b')),
      model.activate('c').catch(() => order.push('not c')),
      model.activate('d').then(() => order.push('d')),
    ]);
    expect(order).toEqual(['b', 'not c', 'd']);
    expect(launches).toEqual(['a', 'b', 'c', 'd']);
    expect(model.active).toBe('d');
  });

  it('while uninitialized makes it ready', async () => {
    model.start('a', { warm: false });
    await model.activate('b');
    expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(launches).toEqual(['b']);
  });

  it('while warming abandons the warm-up', async () => {
    scripts.a = { loadGate: path('load') };
    model.start('a', { warm: true });
    await until(() => pids.length === 1);
    await model.activate('b');
    expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    await until(() => !isRunning(pids[0]!));
    open('load');
    await tick();
    expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(engines).toHaveLength(1);
  });

  it('takes over the requests that wait for a lazy load', async () => {
    scripts.a = { loadGate: path('never') };
    model.start('a', { warm: false });
    const waiting = served();
    await until(() => launches.length === 1);
    await model.activate('b');
    expect((await waiting).name).toBe('b');
  });

  it('that fails while warming lets the warm-up go on', async () => {
    scripts.a = { loadGate: path('load') };
    scripts.b = { load: 'fail' };
    model.start('a', { warm: true });
    await expect(model.activate('b')).rejects.toMatchObject({ code: 'model_load_failed' });
    expect(facts()).toEqual({ state: 'warming', active: 'a', loaded: '' });
    open('load');
    await until(() => model.state === 'ready');
    expect(launches).toEqual(['a', 'b']);
  });

  it('of the very model that is warming waits for it', async () => {
    scripts.a = { loadGate: path('load') };
    model.start('a', { warm: true });
    const activation = model.activate('a');
    open('load');
    await activation;
    expect(facts()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(launches).toEqual(['a']);
  });

  it('while failed cancels the coming exit', async () => {
    scripts.a = { load: 'fail' };
    model = create({ failureWindowMs: 2000 });
    model.start('a', { warm: true });
    await until(() => model.state === 'failed');
    await model.activate('b');
    expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
    expect(model.error).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(exits).toBe(0);
  });

  it('that outlasts the failure window decides about the exit', async () => {
    for (const outcome of ['ok', 'fail'] as const) {
      scripts.a = { load: 'fail' };
      scripts.b = { load: outcome, loadGate: path(`load-${outcome}`) };
      model.start('a', { warm: true });
      const activation = model.activate('b');
      activation.catch(() => {});
      await until(() => model.state === 'failed');
      await tick();
      await tick();
      expect(exits).toBe(0);
      open(`load-${outcome}`);
      if (outcome === 'ok') {
        await activation;
        await tick();
        expect(facts()).toEqual({ state: 'ready', active: 'b', loaded: 'b' });
        expect(exits).toBe(0);
        await model.close();
        model = create();
      } else {
        await expect(activation).rejects.toMatchObject({ code: 'model_load_failed' });
        expect(facts()).toEqual({ state: 'failed', active: 'a', loaded: '' });
        await until(() => exits === 1);
      }
    }
  });
});

describe('unload', () => {
  it('ends the process, and the next request loads it again', async () => {
    const first = await startReady();
    await model.unload();
    expect(isRunning(first)).toBe(false);
    await tick();
    expect(facts()).toEqual({ state: 'ready', active: 'a', loaded: 'a' });
    expect(launches).toEqual(['a']);
    expect((await served()).pid).not.toBe(first);
  });

  it('waits for the requests inside', async () => {
    const first = await startReady();
    const inside = request('gate');
    await until(() => inside.entered.length === 1);
    const unloaded = model.unload();
    await tick();
    expect(isRunning(first)).toBe(true);
    open('gate');
    await expect(inside.answer).resolves.toEqual(['started', 'released']);
    await unloaded;
    expect(isRunning(first)).toBe(false);
  });

  it('does nothing while warming', async () => {
    scripts.a = { loadGate: path('load') };
    model.start('a', { warm: true });
    await model.unload();
    open('load');
    await until(() => model.state === 'ready');
    expect(launches).toEqual(['a']);
  });
});

describe('close', () => {
  it('refuses new requests and activations', async () => {
    await startReady();
    const closed = model.close();
    await expect(ask()).rejects.toMatchObject({ code: 'draining' });
    await expect(model.activate('b')).rejects.toMatchObject({ code: 'draining' });
    await closed;
    expect(launches).toEqual(['a']);
  });

  it('kills an engine with a request inside and does not retry the request', async () => {
    const pid = await startReady();
    const inside = request('never');
    await until(() => inside.entered.length === 1);
    await model.close();
    expect(isRunning(pid)).toBe(false);
    await expect(inside.answer).rejects.toMatchObject({ code: 'draining' });
    expect(launches).toEqual(['a']);
  });

  it('ends a warm-up, and an activation', async () => {
    scripts.a = { loadGate: path('never') };
    scripts.b = { loadGate: path('never') };
    model.start('a', { warm: true });
    const activation = model.activate('b');
    await until(() => pids.length === 2);
    await Promise.all([model.close(), expect(activation).rejects.toMatchObject({ code: 'draining' })]);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(launches).toEqual(['a', 'b']);
    expect(exits).toBe(0);
  });

  it('cancels the coming exit', async () => {
    scripts.a = { load: 'fail' };
    model.start('a', { warm: true });
    await until(() => model.state === 'failed');
    await model.close();
    await tick();
    expect(exits).toBe(0);
  });

  it.each([1, 2, 3])('leaves no process behind, whatever went on: course %i', async (seed) => {
    let random = seed;
    const draw = (below: number) => {
      random = (random * 48271) % 2147483647;
      return random % below;
    };
    scripts.b = [{}, { load: 'fail' }, {}];
    scripts.c = [{ load: 'die' }, {}];
    model.start('a', { warm: seed !== 2 });
    const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
    const going = { push: (result: Promise<unknown>) => results.push(Promise.allSettled([result])) };
    for (let step = 0; step < 30; step++) {
      const choice = draw(6);
      if (choice === 0) going.push(model.activate('abc'[draw(3)]!));
      else if (choice === 1) going.push(model.unload());
      else if (choice === 2) going.push(ask({ do: 'die', once: path(`died-${step}`) }));
      else if (choice === 3 && engines.length > 0) engines.at(-1)!.kill();
      else going.push(ask({ do: 'count', events: 10 }));
      await new Promise((resolve) => setTimeout(resolve, draw(80)));
    }
    const closed = model.close();
    for (const result of (await Promise.all(results)).flat()) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'HearsayError' });
    }
    await closed;
    expect(engines.filter((engine) => isRunning(engine.pid))).toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
    // Nothing starts anew either.
    const before = launches.length;
    await tick();
    expect(launches).toHaveLength(before);
  });
});

it('leaves no listener behind on a signal of many requests', async () => {
  await startReady();
  const { signal } = new AbortController();
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  try {
    for (let i = 0; i < 200; i++) await ask({ do: 'pid' }, { signal });
    await tick();
  } finally {
    process.off('warning', warn);
  }
  expect(warnings).toEqual([]);
  expect(launches).toEqual(['a']);
});
