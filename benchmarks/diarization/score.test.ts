import { describe, expect, it } from 'vitest';
import { diarizationErrors, errorRate, type Turn, total } from './score.mjs';

const turn = (start: number, end: number, speaker: string | number): Turn => ({ start, end, speaker });
const truth = [turn(0, 4, 'ann'), turn(5, 10, 'bob'), turn(10, 12, 'ann')];

describe('diarizationErrors', () => {
  it('are none for the same turns under other names', () => {
    const found = [turn(0, 4, 1), turn(5, 10, 0), turn(10, 12, 1)];
    expect(diarizationErrors(truth, found, 0)).toEqual({ speech: 11, missed: 0, falseAlarm: 0, confusion: 0 });
  });

  it('are speech that is missed, claimed falsely, and given to another', () => {
    const found = [turn(0, 3, 1), turn(4.5, 9, 2), turn(9, 12, 1), turn(12, 12.5, 1)];
    expect(diarizationErrors(truth, found, 0)).toEqual({ speech: 11, missed: 1, falseAlarm: 1, confusion: 1 });
  });

  it('are those of the best assignment, not of the nearest names', () => {
    // Speaker 1 covers most of both; ann has to take speaker 2.
    const found = [turn(0, 2, 2), turn(2, 4, 1), turn(5, 10, 1), turn(10, 12, 2)];
    expect(diarizationErrors(truth, found, 0).confusion).toBe(2);
  });

  it('count a second speaker for one person as confusion, and two persons for one speaker', () => {
    expect(diarizationErrors([turn(0, 10, 'ann')], [turn(0, 7, 1), turn(7, 10, 2)], 0).confusion).toBe(3);
    expect(diarizationErrors(truth, [turn(0, 12, 1)], 0)).toEqual({
      speech: 11,
      missed: 0,
      falseAlarm: 1,
      confusion: 5,
    });
  });

  it('ignores errors within the collar of a true boundary', () => {
    const found = [turn(0.2, 4.2, 1), turn(5, 9.8, 0), turn(9.8, 12, 1)];
    expect(diarizationErrors(truth, found, 0.25)).toEqual({ speech: 9.5, missed: 0, falseAlarm: 0, confusion: 0 });
    expect(errorRate(diarizationErrors(truth, found, 0))).toBeCloseTo((0.2 + 0.2 + 0.2) / 11);
  });

  it('add up', () => {
    const one = diarizationErrors(truth, [], 0);
    expect(one.missed).toBe(11);
    expect(errorRate(total([one, diarizationErrors(truth, truth, 0)]))).toBe(0.5);
  });
});
