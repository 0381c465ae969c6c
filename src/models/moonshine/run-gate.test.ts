import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RunGate } from './run-gate.ts';

const { signal } = new AbortController();

describe('RunGate', () => {
  it('pauses patient tasks while there is another', async () => {
    const gate = new RunGate();
    const order: string[] = [];
    const task = (name: string, isPatient: boolean, runs = 3) =>
      gate.run({ isPatient, signal }, async (beforeRun) => {
        for (let run = 1; run <= runs; run++) {
          await beforeRun();
          order.push(`${name}${run}`);
          await nextTurn();
        }
        return name;
      });
    const guess = task('guess', true);
    await nextTurn();
    expect(await Promise.all([task('clip', false), task('final', false, 4), guess])).toEqual([
      'clip',
      'final',
      'guess',
    ]);
    expect(order).toEqual([
      ...['guess1', 'clip1', 'final1', 'clip2', 'final2', 'clip3', 'final3', 'final4'],
      ...['guess2', 'guess3'],
    ]);
  });

  it('lets a patient task go on beside others without end', async () => {
    const gate = new RunGate();
    const stop = new AbortController();
    const endless = gate.run({ isPatient: false, signal: stop.signal }, async (beforeRun) => {
      for (;;) {
        await beforeRun();
        await nextTurn();
      }
    });
    await gate.run({ isPatient: true, signal }, async (beforeRun) => beforeRun());
    stop.abort(new Error('client gone'));
    await expect(endless).rejects.toThrow('client gone');
  });

  it('goes on after a task that failed', async () => {
    const gate = new RunGate();
    const failed = gate.run({ isPatient: false, signal }, async () => {
      await nextTurn();
      throw new Error('bad window');
    });
    const guess = gate.run({ isPatient: true, signal }, async (beforeRun) => beforeRun());
    await expect(failed).rejects.toThrow('bad window');
    await guess;
  });

  it('ends an aborted task at its next run', async () => {
    const gate = new RunGate();
    const controller = new AbortController();
    const guess = gate.run({ isPatient: true, signal: controller.signal }, async (beforeRun) => {
      for (;;) {
        await beforeRun();
        await nextTurn();
      }
    });
    controller.abort(new Error('turn over'));
    await expect(guess).rejects.toThrow('turn over');
  });
});
