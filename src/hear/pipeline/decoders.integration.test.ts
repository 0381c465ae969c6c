import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isRunning, until } from '../../../test/fixtures/service.ts';
import { EngineProcess } from '../../engine/process.ts';
import { type DecoderProcess, Decoders } from './decoders.ts';

const entry = fileURLToPath(new URL('../../../test/fixtures/hosted-decoder.mjs', import.meta.url));
const dist = new URL('../../../dist/', import.meta.url).href;

let directory: string;
let decoders: Decoders;
let launched: DecoderProcess[];
let launchError: Error | undefined;
const reports: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'decoders-'));
});
beforeEach(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => reports.push(String(line)) > 0);
  const ofThisTest: DecoderProcess[] = [];
  launched = ofThisTest;
  launchError = undefined;
  decoders = await Decoders.start(async () => {
    if (launchError) throw launchError;
    const decoder: DecoderProcess = await EngineProcess.launch({ entry, args: [dist], timeoutMs: 60_000 });
    ofThisTest.push(decoder);
    // A spare one may be ready only after its test.
    if (launched !== ofThisTest) decoder.kill();
    return decoder;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const decoder of launched) decoder.kill();
});
afterAll(() => rm(directory, { recursive: true }));

/** The first sample of each chunk. */
async function decode(path: string, signal?: AbortSignal): Promise<number[]> {
  const chunks: number[] = [];
  for await (const chunk of decoders.decode(path, { maxSeconds: 600, ...(signal && { signal }) })) {
    expect(chunk.length).toBe(8000);
    chunks.push(chunk[0]!);
  }
  return chunks;
}

describe('Decoders', () => {
  it('decodes file after file in the same process', async () => {
    expect(await decode('count:3')).toEqual([1, 2, 3]);
    expect(await decode('silence')).toEqual([0]);
    await expect(decode('refuse')).rejects.toMatchObject({ code: 'invalid_audio', message: 'Not audio.' });
    expect(await decode('count:200')).toHaveLength(200);
    expect(launched).toHaveLength(1);
  });

  it('decodes each of several files in its own process', async () => {
    const endless = Array.from({ length: 3 }, () => decoders.decode('endless', { maxSeconds: 600 }));
    for (const one of endless) await one.next();
    expect(await decode('count:2')).toEqual([1, 2]);
    expect(new Set(decoders.pids).size).toBe(launched.length);
    expect(launched.length).toBeGreaterThanOrEqual(4);
    for (const one of endless) await one.return(undefined);
  });

  it('does not start processes again for the next burst of files, and ends them half a minute later', async () => {
    const burst = async (files: number) => {
      const endless = Array.from({ length: files }, () => decoders.decode('endless', { maxSeconds: 600 }));
      await Promise.all(endless.map((one) => one.next()));
      await Promise.all(endless.map((one) => one.return(undefined)));
      await Promise.all(launched.map((decoder) => decoder.idle()));
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await burst(5);
    const started = launched.length;
    expect(started).toBeGreaterThanOrEqual(5);
    await burst(4);
    expect(launched).toHaveLength(started);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(decoders.pids).toHaveLength(started);
    await vi.advanceTimersByTimeAsync(1000);
    expect(decoders.pids).toHaveLength(2);
    vi.useRealTimers();
    await until(() => launched.filter(({ pid }) => isRunning(pid)).length === 2, 'their processes have ended');
  });

  it('keeps another process ready while a long file is decoded', async () => {
    const long = decoders.decode('endless', { maxSeconds: 600 });
    await long.next();
    await until(() => decoders.pids.length === 2, 'another decoder is ready');
    await long.return(undefined);
  });

  it('decodes again without repeating a chunk when the process dies', async () => {
    const marker = join(directory, 'died');
    expect(await decode(`die-once:${marker}`)).toEqual([1, 2]);
    expect(existsSync(marker)).toBe(true);
    expect(launched.length).toBeGreaterThanOrEqual(2);
    expect(await decode('count:1')).toEqual([1]);
  });

  it('decodes again when every process dies at once', async () => {
    const spare = decoders.decode('endless', { maxSeconds: 600 });
    await spare.next();
    const marker = join(directory, 'all-died');
    const first = decoders.decode(`wait-once:${marker}`, { maxSeconds: 600 });
    expect((await first.next()).value?.[0]).toBe(1);
    await spare.return(undefined);
    for (const { pid } of launched.filter(({ isAlive }) => isAlive)) process.kill(pid, 'SIGKILL');
    expect((await first.next()).value?.[0]).toBe(2);
    await first.return(undefined);
  });

  it('rejects a file on which two processes die with 400, and decodes the next', async () => {
    const neighbour = decoders.decode('endless', { maxSeconds: 600 });
    await neighbour.next();
    await expect(decode('die')).rejects.toMatchObject({ code: 'invalid_audio', param: 'file' });
    expect((await neighbour.next()).done).toBe(false);
    await neighbour.return(undefined);
    expect(await decode('count:1')).toEqual([1]);
  });

  it('replaces a process that was killed while idle', async () => {
    process.kill(launched[0]!.pid, 'SIGKILL');
    await launched[0]!.exited;
    expect(await decode('count:1')).toEqual([1]);
  });

  it('ends a process whose cancelled work does not settle', async () => {
    const hangUp = new AbortController();
    const marker = join(directory, 'ignores');
    const chunks = decoders.decode(`ignore:${marker}`, { maxSeconds: 600, signal: hangUp.signal });
    await chunks.next();
    const [decoder] = launched;
    const next = chunks.next();
    // A job cancelled between two chunks ends at once.
    await until(() => existsSync(marker), 'the decoder works');
    hangUp.abort(new Error('gone'));
    await expect(next).rejects.toThrow('gone');
    await decoder!.exited;
    expect(await decode('count:1')).toEqual([1]);
  });

  it('rejects a file that gives no audio for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failed = decode('stall').catch((error: unknown) => error);
    await until(() => vi.getTimerCount() > 0, 'the decoder works').catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failed).toMatchObject({ code: 'invalid_audio', message: 'The file takes too long to decode.' });
  });

  it('forgets a request that leaves the queue', async () => {
    const hangUp = new AbortController();
    const long = decoders.decode('endless', { maxSeconds: 600 });
    await long.next();
    const waiting = decode('count:1', hangUp.signal);
    hangUp.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(await decode('count:1')).toEqual([1]);
    await long.return(undefined);
  });

  it('rejects a request for which no process can be started, and serves the next', async () => {
    const long = decoders.decode('endless', { maxSeconds: 600 });
    launchError = new Error('no memory');
    await long.next();
    await expect(decode('count:1')).rejects.toMatchObject({ code: 'engine_failed' });
    expect(reports.join('')).toContain('could not be started');
    await long.return(undefined);
    launchError = undefined;
    expect(await decode('count:1')).toEqual([1]);
  });

  it.skipIf(process.platform !== 'linux')('ends a process that grows, and rejects its file', async () => {
    const neighbour = decoders.decode('endless', { maxSeconds: 600 });
    await neighbour.next();
    await expect(decode('grow')).rejects.toMatchObject({ code: 'invalid_audio', message: /too much memory/ });
    expect((await neighbour.next()).done).toBe(false);
    await neighbour.return(undefined);
    expect(await decode('count:1')).toEqual([1]);
  });
});
