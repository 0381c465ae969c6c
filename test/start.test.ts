import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { isRunning, until } from './fixtures/scripted-engine.ts';

const entry = fileURLToPath(new URL('../dist/bin/hearsay.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hearsay-start-'));

let started: ChildProcess | undefined;
let output = '';

function start(env: NodeJS.ProcessEnv = {}): ChildProcess {
  output = '';
  started = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      HEAR_PORT: '0',
      SAY_PORT: '0',
      PORT: '1',
      DATA_DIR: folder,
      TEMP_DIR: folder,
      ...env,
    },
  });
  for (const stream of [started.stdout!, started.stderr!]) stream.on('data', (data) => (output += data));
  return started;
}
const exitOf = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));
/** Ready engines by service. */
const engines = () =>
  new Map([...output.matchAll(/^(\w+) \| .*is ready \(process (\d+)\)/gm)].map(([, name, pid]) => [name, Number(pid)]));
const allReady = () => engines().has('hear') && engines().has('say');
const allGone = (pids: number[]) => !pids.some(isRunning);

afterEach(() => {
  started?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  it('runs both services with one prefixed log, and ends them on SIGTERM', async () => {
    const child = start();
    await until(allReady);
    expect(output.split('\n').filter((line) => !/^(hear|say) \| |^$|^[┌│├└]/.test(line))).toEqual([]);
    await until(() => output.includes('└'));
    const box = output.split('\n').filter((line) => line.startsWith('│'));
    expect(box.filter((line) => / Hearsay \d/.test(line)).length).toBe(2);
    for (const part of [/Endpoint +http:\/\/127/, /API key +none /, /Model +moonshine-tiny/, /Model +flite/]) {
      expect(box.join('\n')).toMatch(part);
    }
    const pids = [...engines().values()];
    const exited = exitOf(child);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    await until(() => allGone(pids));
  });

  it.each([
    ['Ctrl-C under npm', 'SIGINT'],
    ['the end of a terminal', 'SIGHUP'],
  ] as const)('%s arrived twice, and cut the requests that still ran', async (_, signal) => {
    const child = start();
    await until(allReady);
    const exited = exitOf(child);
    child.kill(signal);
    await until(() => output.includes('waiting up to'));
    child.kill(signal);
    expect(await exited).toBe(0);
  });

  it('ends both services when it is killed', async () => {
    const child = start();
    await until(allReady);
    const pids = [...engines().values()];
    child.kill('SIGKILL');
    await until(() => allGone(pids));
  });

  it('exits with an error if a service cannot run', async () => {
    expect(await exitOf(start({ MAX_UPLOAD_BYTES: 'lots' }))).toBe(1);
    expect(output).toMatch(/^hear \| MAX_UPLOAD_BYTES.*lots/m);
    expect(await exitOf(start({ MAX_INPUT_CHARACTERS: 'all' }))).toBe(1);
    expect(output).toMatch(/^say \| MAX_INPUT_CHARACTERS.*all/m);
    expect(await exitOf(start({ HEAR_PORT: 'abc' }))).toBe(1);
    expect(output).toMatch(/^HEAR_PORT must be.*abc"\n$/);
    expect(await exitOf(start({ HOST: '192.0.2.1' }))).toBe(1);
    expect(output).toMatch(/Cannot listen on HOST \(192\.0\.2\.1\), (HEAR|SAY)_PORT \(0\): .*EADDRNOTAVAIL/);
  });

  it.each(['bin/hearsay', 'hear/main', 'say/main'])(
    'says in one line that the working directory was removed: %s',
    async (name) => {
      const gone = mkdtempSync(join(tmpdir(), 'hearsay-gone-'));
      const entry = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
      const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3"';
      const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', gone, process.execPath, entry]);
      const line = 'The working directory cannot be found (ENOENT): it was removed. Start in another directory.\n';
      expect([status, `${stdout}`, `${stderr}`]).toEqual([1, '', line]);
    },
  );

  const children = ({ pid }: ChildProcess) =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

  it('ends both services when it is killed before they have started', async () => {
    const child = start();
    await until(() => children(child).length === 2);
    const pids = children(child);
    child.kill('SIGKILL');
    await until(() => allGone(pids));
  });

  it('ends well while its services cannot handle signals yet', async () => {
    const child = start();
    await until(() => children(child).length === 2);
    const exited = exitOf(child);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
