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
  until,
} from '../../test/fixtures/scripted-engine.ts';
import { HearsayError } from '../errors.ts';
import { EngineDied, type LaunchOptions } from './process.ts';

let directory: string;
let engines: ScriptedEngine[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engine-process-'));
  engines = [];
});

afterEach(async () => {
  for (const engine of engines) engine.kill();
  await Promise.all(engines.map((engine) => engine.exited));
  rmSync(directory, { recursive: true });
});

async function launch(script: Script = {}, options: Partial<LaunchOptions> = {}): Promise<ScriptedEngine> {
  const engine = await launchScripted(script, options);
  engines.push(engine);
  return engine;
}

describe('launch', () => {
  it('resolves with the info of the engine', async () => {
    const engine = await launch({ name: 'tiny' });
    expect(engine.info).toEqual({ name: 'tiny', pid: engine.pid });
    expect(engine.isAlive).toBe(true);
    expect(engine.exitReason).toBeUndefined();
  });

  it('shows the message of a HearsayError and hides any other', async () => {
    const shown = { load: 'fail', error: { code: 'storage_full', message: 'The disk is full.' } } as const;
    await expect(launch(shown)).rejects.toMatchObject({ code: 'model_load_failed', message: 'The disk is full.' });
    const error = await launch({ load: 'fail' }).catch((e) => e);
    expect(error).toBeInstanceOf(HearsayError);
    expect(error).toMatchObject({ code: 'model_load_failed', message: 'The model could not be loaded.' });
    expect(error.cause.message).toBe('/secret/path is unreadable');
  });

  it('rejects when the engine dies while loading', async () => {
    await expect(launch({ load: 'die' })).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('exited with code 3'),
    });
  });

  it('kills an engine that hangs while loading', async () => {
    await expect(launch({ load: 'hang' }, { timeoutMs: 3000 })).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('no sign of life'),
    });
  });

  it('rejects when aborted, after the engine has exited', async () => {
    const controller = new AbortController();
    let pid = 0;
    const launched = launch(
      { loadGate: join(directory, 'never') },
      { signal: controller.signal, entry: new URL('../../test/fixtures/say-pid.mjs', import.meta.url), onLog: note },
    );
    function note(line: string) {
      pid = Number(line);
      controller.abort(new Error('changed my mind'));
    }
    await expect(launched).rejects.toThrow('changed my mind');
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });

  it('rejects an aborted signal without a launch', async () => {
    await expect(launch({}, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });

  it.each([
    ['glibc.malloc.hugetlb=0', 'glibc.malloc.hugetlb=0'],
    ['glibc.malloc.arena_max=2', 'glibc.malloc.arena_max=2:glibc.malloc.hugetlb=1'],
  ])('keeps GLIBC_TUNABLES of the user: %s', async (own, expected) => {
    const env = { MALLOC_TRIM_THRESHOLD_: '1048576', GLIBC_TUNABLES: own };
    const [environment] = await collect((await launch({}, { env })).run({ do: 'environment' }));
    expect(environment).toMatchObject({ MALLOC_TRIM_THRESHOLD_: '1048576', GLIBC_TUNABLES: expected });
  });

  it('hides API keys from the engine and sets glibc tunables', async () => {
    process.env.API_KEY = 'key';
    process.env.HF_TOKEN = 'token';
    try {
      const [environment] = await collect((await launch()).run({ do: 'environment' }));
      expect(environment).toMatchObject({
        MALLOC_TRIM_THRESHOLD_: '131072',
        GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
        PATH: process.env.PATH,
      });
      expect(environment).not.toHaveProperty('API_KEY');
      expect(environment).not.toHaveProperty('HF_TOKEN');
    } finally {
      delete process.env.API_KEY;
      delete process.env.HF_TOKEN;
    }
  });

  it('reports standard output and error line by line', async () => {
    const lines: string[] = [];
    const engine = await launch({}, { onLog: (line) => lines.push(line) });
    await collect(engine.run({ do: 'print', text: 'hello' }));
    await until(() => lines.length === 2);
    expect(lines.sort()).toEqual(['hello', 'hello on stderr']);
  });
});

describe('run', () => {
  it('streams the events of concurrent jobs in order', async () => {
    const engine = await launch();
    const [first, second] = await Promise.all([
      collect(engine.run({ do: 'count', events: 300 })),
      collect(engine.run({ do: 'count', events: 5 })),
    ]);
    expect(first).toEqual(Array.from({ length: 300 }, (_, i) => i));
    expect(second).toEqual([0, 1, 2, 3, 4]);
    expect(engine.inFlight).toBe(0);
  });

  it('rethrows errors of the engine', async () => {
    const engine = await launch();
    const known = collect(engine.run({ do: 'fail', code: 'invalid_audio', message: 'No audio.' }));
    await expect(known).rejects.toMatchObject({ name: 'HearsayError', code: 'invalid_audio', message: 'No audio.' });
    const unknown = await collect(engine.run({ do: 'fail', message: 'index out of bounds' })).catch((e) => e);
    expect(unknown.message).toBe('index out of bounds');
    expect(unknown).not.toBeInstanceOf(HearsayError);
    expect(engine.inFlight).toBe(0);
  });

  it('throws for a job that cannot be serialized and does not count it as in flight', async () => {
    const engine = await launch();
    const job = { do: 'print', text: (() => {}) as unknown as string } as const;
    await expect(collect(engine.run(job))).rejects.toThrow(/could not be cloned/);
    expect(engine.inFlight).toBe(0);
    await expect(collect(engine.run({ do: 'pid' }))).resolves.toEqual([engine.pid]);
  });

  it('cancels the job in the engine when its signal aborts', async () => {
    const engine = await launch();
    const controller = new AbortController();
    const events = engine.run({ do: 'gate', path: join(directory, 'never') }, controller.signal);
    expect(await events.next()).toEqual({ done: false, value: 'started' });
    expect(engine.inFlight).toBe(1);
    const next = events.next();
    controller.abort(new Error('client left'));
    await expect(next).rejects.toThrow('client left');
    await until(() => engine.inFlight === 0);
    expect(await collect(engine.run({ do: 'cancellations' }))).toEqual([1]);
  });

  it('cancels the job in the engine when the consumer leaves the loop', async () => {
    const engine = await launch();
    for await (const event of engine.run({ do: 'gate', path: join(directory, 'never') })) {
      expect(event).toBe('started');
      break;
    }
    await until(() => engine.inFlight === 0);
    expect(await collect(engine.run({ do: 'cancellations' }))).toEqual([1]);
  });

  it('sends nothing if the signal is already aborted', async () => {
    const engine = await launch();
    const events = engine.run({ do: 'die' }, AbortSignal.abort(new Error('too late')));
    await expect(collect(events)).rejects.toThrow('too late');
    expect(engine.inFlight).toBe(0);
  });

  it('removes its listeners from the signal of many jobs', async () => {
    const engine = await launch();
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    try {
      for (let i = 0; i < 200; i++) await collect(engine.run({ do: 'pid' }, signal));
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', warn);
    }
    expect(warnings).toEqual([]);
    expect(engine.inFlight).toBe(0);
  });
});

describe('an engine that exits', () => {
  it('fails every job in flight with EngineDied, after its last events', async () => {
    const engine = await launch();
    const waiting = engine.run({ do: 'gate', path: join(directory, 'never') });
    await waiting.next();
    const seen: unknown[] = [];
    const dying = (async () => {
      for await (const event of engine.run({ do: 'die' })) seen.push(event);
    })();
    await expect(dying).rejects.toBeInstanceOf(EngineDied);
    await expect(waiting.next()).rejects.toThrow('The engine was killed by SIGKILL.');
    expect(seen).toEqual(['started']);
    expect(engine).toMatchObject({ isAlive: false, inFlight: 0, exitReason: 'was killed by SIGKILL' });
    await expect(collect(engine.run({ do: 'pid' }))).rejects.toBeInstanceOf(EngineDied);
  });

  it('is detected when it hangs or is stopped during a job', async () => {
    for (const freeze of ['hang', 'stop'] as const) {
      const engine = await launch({}, { timeoutMs: 3000 });
      const events = engine.run(freeze === 'hang' ? { do: 'hang' } : { do: 'gate', path: join(directory, 'never') });
      await events.next();
      if (freeze === 'stop') process.kill(engine.pid, 'SIGSTOP');
      await expect(events.next()).rejects.toThrow('gave no sign of life for 3 s');
      await engine.exited;
      expect(isRunning(engine.pid)).toBe(false);
    }
  });

  it('is detected when it is stopped while idle', async () => {
    const engine = await launch({}, { timeoutMs: 3000 });
    process.kill(engine.pid, 'SIGSTOP');
    await engine.exited;
    expect(engine.exitReason).toBe('gave no sign of life for 3 s');
    expect(isRunning(engine.pid)).toBe(false);
  });

  it('waits for the jobs in flight when drained', async () => {
    const engine = await launch();
    const gate = join(directory, 'gate');
    const events = engine.run({ do: 'gate', path: gate });
    await events.next();
    let drained = false;
    const drain = engine.drain().then(() => {
      drained = true;
    });
    await collect(engine.run({ do: 'pid' }));
    expect(drained).toBe(false);
    writeFileSync(gate, '');
    expect(await collect(events)).toEqual(['released']);
    await drain;
    expect(isRunning(engine.pid)).toBe(false);
  });

  it('exits at once when drained while idle', async () => {
    const engine = await launch();
    await engine.drain();
    expect(isRunning(engine.pid)).toBe(false);
    await engine.drain();
  });
});
