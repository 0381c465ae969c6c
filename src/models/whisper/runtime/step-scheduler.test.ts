import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Asker, Turns } from './step-scheduler.ts';

/** Turns over a computer that notes what it does; `alone` steps are not run with others. */
function turns(most = 8) {
  const log: string[] = [];
  const work = new Turns<string, string>({
    most,
    batches: (request) => !request.startsWith('alone'),
    run: async (requests) => {
      log.push(requests.join(' '));
      const broken = requests.find((request) => request.includes('broken'));
      if (broken) throw new Error(broken);
      return requests.map((request) => `did ${request}`);
    },
  });
  const encode = (asker: Asker, name: string) =>
    work.encode(asker, async () => {
      log.push(`encode ${name}`);
      return name;
    });
  /** Encodes, and takes some steps. */
  const window = async (owner: string, name: string, steps: number) => {
    const asker = { owner };
    await encode(asker, name);
    for (let step = 1; step <= steps; step++) await work.step(asker, name);
    log.push(`end ${name}`);
  };
  return { work, log, encode, window };
}

describe('Turns', () => {
  it('encodes first, and runs the steps of all together', async () => {
    const { log, window } = turns();
    await Promise.all([window('a', 'a', 2), window('b', 'b', 2), window('c', 'c', 1)]);
    expect(log).toEqual(['encode a', 'encode b', 'encode c', 'a b c', 'end c', 'a b', 'end a', 'end b']);
  });

  it('encodes all windows of a request that is alone first, too', async () => {
    const { log, window } = turns();
    await Promise.all([window('a', 'x', 1), window('a', 'y', 1), window('a', 'z', 1)]);
    expect(log.slice(0, 4)).toEqual(['encode x', 'encode y', 'encode z', 'x y z']);
  });

  it('gives each its own result, and runs by itself what does not go with others', async () => {
    const { work, log } = turns(2);
    const ask = (name: string) => work.step({ owner: name }, name);
    const results = await Promise.all(['x', 'alone 1', 'y', 'z', 'alone 2'].map(ask));
    expect(results).toEqual(['did x', 'did alone 1', 'did y', 'did z', 'did alone 2']);
    expect(log).toEqual(['x y', 'alone 1', 'z', 'alone 2']);
  });

  it('lets each request hold up a window once, however many windows it has', async () => {
    const { log, window } = turns();
    const long = Promise.all(Array.from({ length: 6 }, (_, index) => window('long', `long-${index}`, 3)));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([long, window('short', 'short', 4)]);
    const of = (name: string) =>
      log.slice(log.indexOf('encode short'), log.indexOf('end short')).filter((line) => line.startsWith(name));
    expect(log.indexOf('encode short')).toBeLessThan(3);
    expect(of('encode long').length).toBeLessThan(2);
  });

  it('encodes a newcomer first, but not twice in a row', async () => {
    const { work, log, encode } = turns();
    const newcomer = (name: string) => work.encode({ owner: name, isNew: true }, async () => void log.push(name));
    const all = [encode({ owner: 'a' }, 'a'), encode({ owner: 'b' }, 'b'), newcomer('new 1'), newcomer('new 2')];
    await Promise.all(all);
    expect(log).toEqual(['new 1', 'encode a', 'new 2', 'encode b']);
  });

  it("decodes a newcomer's window before it encodes others', but lets an encoding stand back only once", async () => {
    const { work, log, window } = turns();
    const newcomer = async (name: string, steps: number) => {
      const asker = { owner: name, isNew: true };
      await work.encode(asker, async () => void log.push(`encode ${name}`));
      for (let step = 1; step <= steps; step++) await work.step(asker, name);
      log.push(`end ${name}`);
    };
    const clip = newcomer('clip', 3);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (!log.includes('clip')) await turn();
    const others = [window('a', 'a', 1), window('b', 'b', 1)];
    await turn();
    const next = newcomer('next', 6);
    await Promise.all([clip, next, ...others]);
    const at = (line: string) => log.indexOf(line);
    // The next newcomer is encoded meanwhile; what stood back for the first does not for the second.
    expect([at('encode next'), at('end clip')].sort()).toEqual([at('encode next'), at('end clip')]);
    for (const name of ['a', 'b']) {
      expect(at(`encode ${name}`)).toBeGreaterThan(at('end clip'));
      expect(at(`encode ${name}`)).toBeLessThan(at('end next'));
    }
  });

  it('gives each request one step in a run while there are several', async () => {
    const { work, log } = turns();
    const window = async (owner: string, name: string, steps: number) => {
      for (let step = 1; step <= steps; step++) await work.step({ owner }, name);
    };
    await Promise.all([window('a', 'a1', 2), window('a', 'a2', 2), window('b', 'b', 2)]);
    expect(log).toEqual(['a1 b', 'a2 b', 'a1 a2']);
  });

  it('takes turns with requests whose steps go alone', async () => {
    const { work, log } = turns();
    const window = async (owner: string, name: string, steps: number) => {
      for (let step = 1; step <= steps; step++) await work.step({ owner }, name);
    };
    await Promise.all([window('a', 'alone a1', 2), window('a', 'alone a2', 2), window('b', 'b', 2)]);
    // In an order that depends on how long each took, but neither waits until the other is done.
    expect([...log].sort()).toEqual(['alone a1', 'alone a1', 'alone a2', 'alone a2', 'b', 'b']);
    expect(log.slice(0, 2)).toContain('b');
  });

  it('lets others go on when one of them fails or is no longer wanted', async () => {
    const { work, log, encode } = turns();
    await expect(work.step({ owner: 1 }, 'broken')).rejects.toThrow('broken');
    const controller = new AbortController();
    const gone = { owner: 1, signal: controller.signal };
    const results = [work.step(gone, 'gone'), encode(gone, 'gone'), work.step({ owner: 2 }, 'other')];
    controller.abort(new Error('hung up'));
    await expect(results[0]).rejects.toThrow('hung up');
    await expect(results[1]).rejects.toThrow('hung up');
    expect(await results[2]).toBe('did other');
    await expect(work.step(gone, 'late')).rejects.toThrow('hung up');
    expect(log).toEqual(['broken', 'other']);
    const waiting = new AbortController();
    await work.step({ owner: 3, signal: waiting.signal }, 'last');
    expect(getEventListeners(waiting.signal, 'abort')).toEqual([]);
  });

  it('answers at once who leaves during a run', async () => {
    const { work } = turns();
    const controller = new AbortController();
    let end = () => {};
    const running = work.encode(
      { owner: 1, signal: controller.signal },
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort(new Error('hung up'));
    await expect(running).rejects.toThrow('hung up');
    const next = work.step({ owner: 2 }, 'next');
    end();
    expect(await next).toBe('did next');
  });
});
