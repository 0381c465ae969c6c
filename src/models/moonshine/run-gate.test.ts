import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RunGate } from './run-gate.ts';

const { signal } = new AbortController();

describe('RunGate', () => {
  it('pauses tasks while there is one of a lower rank', async () => {
    const gate = new RunGate();
    const order: string[] = [];
    const task = (name: string, rank: number, runs = 3) =>
      gate.run({ rank, signal }, async (beforeRun) => {
        for (let run = 1; run <= runs; run++) {
          await beforeRun();
          order.push(`${name}${run}`);
          await nextTurn();
        }
        return name;
      });
    const guess = task('guess', 2);
    await nextTurn();
    const clips = [task('clip', 1), task('file', 1, 4)];
    await nextTurn();
    expect(await Promise.all([task('first words', 0, 2), ...clips, guess])).toEqual([
      ...['first words', 'clip', 'file', 'guess'],
    ]);
    expect(order).toEqual([
      ...['guess1', 'clip1', 'file1', 'first words1', 'first words2'],
      ...['clip2', 'file2', 'clip3', 'file3', 'file4', 'guess2', 'guess3'],
    ]);
  });

  it('lets a task continue alongside an endless one of a lower rank', async () => {
    const gate = new RunGate();
    const stop = new AbortController();
    const endless = gate.run({ rank: 0, signal: stop.signal }, async (beforeRun) => {
      for (;;) {
        await beforeRun();
        await nextTurn();
      }
    });
    await gate.run({ rank: 1, signal }, async (beforeRun) => beforeRun());
    stop.abort(new Error('client gone'));
    await expect(endless).rejects.toThrow('client gone');
  });

  it('continues after a failed task', async () => {
    const gate = new RunGate();
    const failed = gate.run({ rank: 0, signal }, async () => {
      await nextTurn();
      throw new Error('bad window');
    });
    const guess = gate.run({ rank: 1, signal }, async (beforeRun) => beforeRun());
    await expect(failed).rejects.toThrow('bad window');
    await guess;
  });

  it('ends an aborted task at its next run', async () => {
    const gate = new RunGate();
    const controller = new AbortController();
    const guess = gate.run({ rank: 1, signal: controller.signal }, async (beforeRun) => {
      for (;;) {
        await beforeRun();
        await nextTurn();
      }
    });
    controller.abort(new Error('turn over'));
    await expect(guess).rejects.toThrow('turn over');
  });
});
