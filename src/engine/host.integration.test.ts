import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collect, isRunning, until } from '../../test/fixtures/scripted-engine.ts';
import { EngineProcess, type LaunchOptions } from './process.ts';
import { EVENT_WINDOW } from './protocol.ts';

type Job = { do: string; message?: string; code?: string; param?: string; thenWaits?: boolean };
type Hosted = EngineProcess<Job, unknown, { pid: number }>;

const repository = new URL('../../', import.meta.url);
let directory: string;
/** URL of the directory with the compiled sources: Node 20 cannot fork TypeScript. */
let compiled: string;
const engines: Hosted[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'engine-host-'));
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', repository));
  const sources = ['host.ts', 'process.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
  const options = '--ignoreConfig --noCheck --module nodenext --target es2023 --rewriteRelativeImportExtensions';
  const paths = ['--rootDir', fileURLToPath(new URL('src', repository)), '--outDir', directory];
  execFileSync(process.execPath, [tsc, ...options.split(' '), ...paths, ...sources], { stdio: 'inherit' });
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  compiled = `${pathToFileURL(directory).href}/`;
});

afterAll(() => rmSync(directory, { recursive: true }));

afterEach(async () => {
  const ended = engines.splice(0);
  for (const engine of ended) engine.kill();
  await Promise.all(ended.map((engine) => engine.exited));
});

async function launch(load = 'ok', options: Partial<LaunchOptions> = {}): Promise<Hosted> {
  const entry = new URL('test/fixtures/hosted-engine.mjs', repository);
  const engine: Hosted = await EngineProcess.launch({ entry, args: [compiled, load], timeoutMs: 30_000, ...options });
  engines.push(engine);
  return engine;
}

describe('serveEngine', () => {
  it('reports the info of the loaded model', async () => {
    const engine = await launch();
    expect(engine.info).toEqual({ pid: engine.pid });
  });

  // Under `nice -n 19` both would run at the lowest priority.
  it.skipIf(getPriority() + 5 > constants.priority.PRIORITY_LOW)(
    'runs at a lower priority than its parent',
    async () => {
      const engine = await launch();
      expect(getPriority(engine.pid)).toBe(getPriority() + 5);
    },
  );

  it('allows many listeners on the signal of a job without a warning', async () => {
    const lines: string[] = [];
    const engine = await launch('ok', { onLog: (line) => lines.push(line) });
    await collect(engine.run({ do: 'listen' }));
    await until(() => lines.length > 0);
    expect(lines).toEqual(['listening']);
  });

  it('reports and logs why the model cannot be loaded, and exits', async () => {
    await expect(launch('hearsay-error')).rejects.toMatchObject({
      code: 'model_load_failed',
      message: 'The disk is full.',
    });
    const lines: string[] = [];
    await expect(launch('error', { onLog: (line) => lines.push(line) })).rejects.toMatchObject({
      code: 'model_load_failed',
      message: 'The model could not be loaded.',
    });
    await until(() => lines.some((line) => line.includes('/secret/path is unreadable')));
  });

  it('logged stacks of errors whose message the parent shows', async () => {
    const lines: string[] = [];
    const onLog = (line: string) => lines.push(line);
    await expect(launch('hearsay-error', { onLog })).rejects.toThrow('The disk is full.');
    await expect(launch('system-error', { onLog })).rejects.toThrow('The disk is full.');
    await until(() => lines.length > 0);
    expect(lines).toEqual(["The disk is full. (ENOENT: no such file or directory, stat '/missing/file')"]);
  });

  it('preserves code, param and message of a HearsayError and the stack of other errors', async () => {
    const engine = await launch();
    const known = { do: 'throw', code: 'unsupported_language', message: 'No Klingon.', param: 'language' };
    await expect(collect(engine.run(known))).rejects.toMatchObject({
      name: 'HearsayError',
      code: 'unsupported_language',
      message: 'No Klingon.',
      param: 'language',
    });
    const unknown = await collect(engine.run({ do: 'throw', message: 'oops' })).catch((error) => error);
    expect(unknown).not.toHaveProperty('code');
    expect(unknown.message).toBe('oops');
    expect(unknown.stack).toContain('hosted-engine.mjs');
    await expect(collect(engine.run({ do: 'unsendable' }))).rejects.toThrow(/could not be cloned/);
    await expect(collect(engine.run({ do: 'unsendable', thenWaits: true }))).rejects.toThrow(/could not be cloned/);
  });

  it('pauses a job until its events are read', async () => {
    const engine = await launch();
    const events = engine.run({ do: 'endless' });
    expect((await events.next()).value).toEqual(new Float32Array([0, 0.5]));
    let produced = -1;
    let before = -2;
    while (produced !== before) {
      before = produced;
      await sleep(100);
      [produced] = (await collect(engine.run({ do: 'produced' }))) as [number];
    }
    expect(produced).toBeGreaterThan(0);
    expect(produced).toBeLessThanOrEqual(EVENT_WINDOW);
    for (let i = 1; i < 5 * EVENT_WINDOW; i++) expect((await events.next()).value).toEqual(new Float32Array([i, 0.5]));
    await events.return();
    await until(() => engine.inFlight === 0);
  });

  it('aborts the signal of a cancelled job, running or paused', async () => {
    const engine = await launch();
    const waiting = engine.run({ do: 'wait' });
    await waiting.next();
    await waiting.return();
    const paused = engine.run({ do: 'endless' });
    await paused.next();
    await paused.return();
    await until(() => engine.inFlight === 0);
    const [, cancelled] = await collect(engine.run({ do: 'produced' }));
    expect(cancelled).toBe(2);
  });

  it('aborts the signal of a failed job, which may have left work behind', async () => {
    const engine = await launch();
    await expect(collect(engine.run({ do: 'throw', message: 'on purpose' }))).rejects.toThrow('on purpose');
    const [, cancelled] = await collect(engine.run({ do: 'produced' }));
    expect(cancelled).toBe(1);
  });

  it('sends heartbeats, so that a long job outlives the timeout', async () => {
    const engine = await launch('ok', { timeoutMs: 4000 });
    const controller = new AbortController();
    const job = collect(engine.run({ do: 'wait' }, controller.signal));
    job.catch(() => {});
    await sleep(6000);
    expect(engine.isAlive).toBe(true);
    expect(engine.inFlight).toBe(1);
    controller.abort(new Error('enough'));
    await expect(job).rejects.toThrow('enough');
  });

  it('ignores SIGINT and SIGTERM', async () => {
    const engine = await launch();
    process.kill(engine.pid, 'SIGINT');
    process.kill(engine.pid, 'SIGTERM');
    expect(await collect(engine.run({ do: 'produced' }))).toHaveLength(2);
  });

  it('logs an uncaught error and dies', async () => {
    const lines: string[] = [];
    const engine = await launch('ok', { onLog: (line) => lines.push(line) });
    await expect(collect(engine.run({ do: 'reject' }))).rejects.toMatchObject({ name: 'EngineDied' });
    await until(() => lines.some((line) => line.includes('uncaught on purpose')));
  });

  it.each(['wait', 'hang'])('exits when its parent is killed, during a job that can %s', async (job) => {
    const script = fileURLToPath(new URL('test/fixtures/engine-parent.mjs', repository));
    const parent = spawn(process.execPath, [script, compiled, job], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve, reject) => {
      parent.stdout.once('data', (line) => resolve(Number(line)));
      parent.once('exit', () => reject(new Error('The parent ended too early.')));
    });
    try {
      expect(isRunning(pid)).toBe(true);
      parent.kill('SIGKILL');
      await until(() => !isRunning(pid));
    } finally {
      parent.kill('SIGKILL');
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('throws outside a forked child', () => {
    const code = `import(${JSON.stringify(`${compiled}engine/host.js`)}).then((m) => m.serveEngine(() => {}))`;
    expect(() => execFileSync(process.execPath, ['-e', code], { stdio: 'pipe' })).toThrow('as a forked child');
  });
});
