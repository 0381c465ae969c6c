import { describe, expect, it } from 'vitest';
import { collect, isRunning, type ScriptedJob, until } from '../../test/fixtures/scripted-engine.ts';
import { supervisedEngines } from '../../test/fixtures/supervised-engines.ts';
import type { EngineDied } from './process.ts';

const rig = supervisedEngines();
const { hold, open, path, send, serve, startReady, tick } = rig;

describe('an engine death', () => {
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
    expect(rig.launches).toHaveLength(3);
    expect(neighbour.entered).toHaveLength(2);
    expect(neighbour.entered[1]).not.toBe(after.pid);
    await until(() => rig.pids.filter(isRunning).length === 1);
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
    expect(rig.supervisor.state).toBe('ready');
  });

  it('runs a suspect request in an isolated engine at once, and fails it when that dies', async () => {
    const main = await startReady();
    const [pid] = await send({ do: 'pid' }, { isSuspect: true });
    expect(pid).not.toBe(main);
    const killer = send({ do: 'die' }, { isSuspect: true });
    await expect(killer).rejects.toMatchObject({ code: 'engine_failed' });
    expect((await serve()).pid).toBe(main);
    expect(rig.launches).toHaveLength(3);
  });

  it('retries one request at a time', async () => {
    await startReady();
    let alone = 0;
    let maxAlone = 0;
    let entered = 0;
    const requests = Array.from({ length: 4 }, (_, i) => {
      let tries = 0;
      return rig.supervisor.use(async (engine) => {
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
        return rig.supervisor.use(async (engine) => {
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
    expect(rig.launches).toHaveLength(3);
    await serve();
    await until(() => rig.pids.filter(isRunning).length === 1);
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
    expect(rig.launches).toHaveLength(5);
  });

  it('of a retry that was aborted cannot reach the next one', async () => {
    await startReady();
    const controller = new AbortController();
    const results = dieTogether(
      [{ do: 'gate', path: path('never') }, { do: 'pid' }, { do: 'pid' }],
      [controller.signal],
    );
    // The first engine, the restarted one, and the isolated one.
    await until(() => rig.engines.length === 3);
    await tick();
    controller.abort(new Error('client left'));
    const [left, ...others] = await results;
    expect(left).toMatchObject({ status: 'rejected', reason: { message: 'client left' } });
    // The aborted job may still run in the old one.
    expect(others[0]).toMatchObject({ status: 'fulfilled' });
    expect(others[1]).toEqual(others[0]);
    expect(rig.launches).toHaveLength(4);
  });

  it('does not retry if mayRetry returns false', async () => {
    await startReady();
    await expect(send({ do: 'die' }, { mayRetry: () => false })).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(send()).resolves.toHaveLength(1);
    expect(rig.launches).toHaveLength(2);
  });

  it('does not retry after the signal aborted', async () => {
    await startReady();
    const controller = new AbortController();
    const response = rig.supervisor.use(
      async (engine) => {
        const died = await collect(engine.run({ do: 'die' })).catch((error: EngineDied) => error);
        controller.abort(new Error('client left'));
        throw died;
      },
      { signal: controller.signal },
    );
    await expect(response).rejects.toThrow('client left');
    await serve();
    expect(rig.launches).toHaveLength(2);
  });

  it('kills a stopped engine and retries its request', async () => {
    rig.timeoutMs = 3000;
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
    rig.timeoutMs = 3000;
    await startReady();
    await expect(send({ do: 'hang' })).rejects.toMatchObject({ code: 'engine_failed' });
    await expect(send()).resolves.toHaveLength(1);
  });
});
