import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { expectAsBefore, hearTarget, holdings, report, sayTarget, Tally, type Target } from './fixtures/faults.ts';
import { endAll, type Service, startHear, startSay, until } from './fixtures/service.ts';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
if (!hasPrlimit) console.log('Skipped: too few descriptors, because there is no prlimit.');

/** Descriptors left for connections and files. */
const spare = 40;

afterEach(endAll);

const targets: Record<string, () => Promise<Target>> = {
  async hear() {
    const hear = await startHear({ MODEL_SIZE: microCheckpoint, FAILURE_WINDOW_SECONDS: '120' });
    return hearTarget(hear, () => hear.post({ file: recordingFile('french') }));
  },
  async say() {
    return sayTarget(await startSay({ FAILURE_WINDOW_SECONDS: '120' }));
  },
};

/** Sets the number of descriptors that the HTTP process of a service may have. */
function limitDescriptors(service: Service, limit: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(service.pid), `--nofile=${limit}:4096`]);
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

describe.skipIf(!hasPrlimit).each(Object.keys(targets))('%s with too few descriptors', (name) => {
  it('answers or cuts every client, and serves again when there are enough', async () => {
    const target = await targets[name]!();
    const { service, good } = target;
    await service.ready();
    expect((await good()).status).toBe(200);
    const before = await holdings(service);
    const [open] = before.handles;
    limitDescriptors(service, open! + spare);
    const outcomes = new Tally();
    const idle = Array.from({ length: 20 }, () => connect(Number(new URL(service.url).port), '127.0.0.1'));
    for (const socket of idle) socket.on('error', () => {});
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        const outcome = await good().then(
          async (answer) => `${answer.status}${(await answer.arrayBuffer()).byteLength > 0 ? '' : ' without a body'}`,
          () => 'connection refused or cut',
        );
        outcomes.add(outcome);
      }),
    );
    // The next engine needs descriptors that are not there, also if idle connections have been closed by now.
    limitDescriptors(service, 3);
    process.kill(service.engines()[0]!, 'SIGKILL');
    await until(() => service.log.some((line) => line.includes('could not be loaded')), 'an engine cannot be started');
    for (const socket of idle) socket.destroy();
    limitDescriptors(service, 4096);
    await service.ready();
    report([
      `${name} with ${spare} file descriptors, 60 requests and 20 idle connections`,
      `${outcomes}; ready again afterwards`,
    ]);
    expect(`${outcomes}`).not.toContain('without a body');
    expect((await good()).status).toBe(200);
    await until(async () => (await target.inside()) === 0, 'no request is inside');
    expect(await service.tempFiles()).toEqual([]);
    await service.stop();
  }, 200_000);
});

interface MemoryGroup {
  /** File to which a process id is written to put the process, and those that it starts, into the group. */
  processes: string;
  limit: string;
  /** The same file of the group that this process belongs to. */
  home: string;
  remove: () => void;
}

/** A control group with a memory limit, of either version of the interface, or why there can be none. */
function memoryGroup(name: string): MemoryGroup | string {
  const root = '/sys/fs/cgroup';
  const isV1 = existsSync(join(root, 'memory', 'memory.limit_in_bytes'));
  const parent = isV1 ? join(root, 'memory') : root;
  const folder = join(parent, `hearsay-${name}-${process.pid}`);
  try {
    const own = (isV1 ? /^\d+:memory:(.*)$/m : /^0::(.*)$/m).exec(readFileSync('/proc/self/cgroup', 'utf8'))![1]!;
    mkdirSync(folder);
    const group = {
      processes: join(folder, 'cgroup.procs'),
      limit: join(folder, isV1 ? 'memory.limit_in_bytes' : 'memory.max'),
      home: join(parent, own, 'cgroup.procs'),
      remove: () => rmdirSync(folder),
    };
    if (existsSync(group.limit)) return group;
    group.remove();
    return `${group.limit} is missing`;
  } catch (error) {
    return (error as Error).message;
  }
}

function isEmptied({ processes }: MemoryGroup): boolean {
  return readFileSync(processes, 'utf8') === '';
}

const trial = memoryGroup('trial');
if (typeof trial === 'string')
  console.log(`Skipped: too little memory, because no control group can be made: ${trial}.`);
else trial.remove();

describe.skipIf(typeof trial === 'string')('hear with too little memory', () => {
  it('loses its engine, not its HTTP process, and serves again when there is enough', async () => {
    const group = memoryGroup('faults');
    if (typeof group === 'string') throw new Error(group);
    try {
      // What this process starts meanwhile is born in the group.
      writeFileSync(group.processes, String(process.pid));
      const hear = await startHear({ MODEL_SIZE: microCheckpoint, FAILURE_WINDOW_SECONDS: '120' }).finally(() =>
        writeFileSync(group.home, String(process.pid)),
      );
      await hear.ready();
      const good = () => hear.post({ file: recordingFile('french') });
      expect((await good()).status).toBe(200);
      const before = await holdings(hear);
      // Pages of files may count for another group.
      const http = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${hear.pid}/status`, 'utf8'))![1];
      const limit = Number(http) * 1024 + 60e6;
      await until(() => {
        for (const pid of hear.engines()) process.kill(pid, 'SIGKILL');
        try {
          writeFileSync(group.limit, String(limit));
          return true;
        } catch {
          // Busy: the memory of the engine is not free yet.
          return false;
        }
      }, 'memory is limited');
      await until(() => hear.log.some((line) => line.includes('could not be loaded')), 'a load was killed');
      expect(await (await hear.get('/health')).json()).toMatchObject({ status: 'warming', model_loaded: false });
      const refused = await good();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      writeFileSync(group.limit, String(2e9));
      await hear.ready();
      expect(await (await good()).json()).toMatchObject({ text: recordings.french!.text });
      await expectAsBefore(hearTarget(hear, good), before);
      const deaths = hear.log.filter((line) => line.includes('was killed while it loaded')).length;
      report([
        'hear in a cgroup with 60 MB left for an engine',
        `${deaths} loads killed and retried, 503 with Retry-After meanwhile, ready with 2 GB`,
      ]);
      await hear.stop();
    } finally {
      await endAll();
      // Decoders of a killed engine end a moment after it.
      await until(() => isEmptied(group), 'no process of the group is left');
      group.remove();
    }
  }, 200_000);
});
