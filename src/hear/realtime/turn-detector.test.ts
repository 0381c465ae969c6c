import { describe, expect, it } from 'vitest';
import { type DetectedTurn, type TurnDetection, TurnDetector } from './turn-detector.ts';

// Frames have 32 ms.
const settings: TurnDetection = { threshold: 0.5, prefixPaddingMs: 64, silenceDurationMs: 160 };
const [quiet, loud] = [0.1, 0.9];
const frames = (...parts: [probability: number, count: number][]) =>
  parts.flatMap(([probability, count]) => new Array<number>(count).fill(probability));

function turns(probabilities: readonly number[], detection = settings, detector = new TurnDetector()): DetectedTurn[] {
  return probabilities.flatMap((probability) => detector.push(probability, detection) ?? []);
}

describe('TurnDetector', () => {
  it('starts a turn before its speech and ends it after the silence', () => {
    expect(turns(frames([quiet, 10], [loud, 20], [quiet, 10]))).toEqual([
      { type: 'started', at: 8 },
      { type: 'stopped', at: 35 },
    ]);
  });

  it('honours its three numbers', () => {
    const all = frames([quiet, 10], [0.7, 20], [quiet, 40]);
    const starts = (numbers: Partial<TurnDetection>) => turns(all, { ...settings, ...numbers }).map(({ at }) => at);
    expect(starts({ prefixPaddingMs: 0 })).toEqual([10, 35]);
    expect(starts({ prefixPaddingMs: 10_000 })).toEqual([0, 35]);
    expect(starts({ silenceDurationMs: 1000 })).toEqual([8, 62]);
    expect(starts({ silenceDurationMs: 0 })).toEqual([8, 31]);
    expect(starts({ threshold: 0.8 })).toEqual([]);
  });

  it('ignores clicks and short pauses', () => {
    expect(turns(frames([quiet, 5], [loud, 2], [quiet, 20]))).toEqual([]);
    expect(turns(frames([loud, 10], [quiet, 4], [loud, 10], [quiet, 5]))).toEqual([
      { type: 'started', at: 0 },
      { type: 'stopped', at: 29 },
    ]);
  });

  it('continues speech at a lower probability than it starts it', () => {
    expect(turns(frames([0.45, 20]))).toEqual([]);
    expect(turns(frames([loud, 5], [0.45, 20], [quiet, 5])).map(({ at }) => at)).toEqual([0, 30]);
  });

  it('never begins a turn inside the previous one', () => {
    const detection = { ...settings, prefixPaddingMs: 10_000 };
    const found = turns(frames([loud, 5], [quiet, 5], [loud, 5], [quiet, 5]), detection);
    expect(found.map(({ at }) => at)).toEqual([0, 10, 10, 20]);
  });

  it('reports silence that lasts for idle_timeout_ms, again and again', () => {
    const detection = { ...settings, idleTimeoutMs: 320 };
    expect(turns(frames([quiet, 25]), detection)).toEqual([
      { type: 'idle', from: 0, at: 10 },
      { type: 'idle', from: 10, at: 20 },
    ]);
    expect(turns(frames([loud, 30], [quiet, 5], [quiet, 10]), detection).map(({ type }) => type)).toEqual([
      'started',
      'stopped',
      'idle',
    ]);
  });

  it('forgets a turn that the client has committed', () => {
    const detector = new TurnDetector();
    expect(turns(frames([loud, 10]), settings, detector)).toHaveLength(1);
    detector.reset();
    expect(turns(frames([quiet, 20]), settings, detector)).toEqual([]);
    expect(turns(frames([loud, 3]), settings, detector)).toEqual([{ type: 'started', at: 28 }]);
  });

  it('ends a turn that was begun otherwise', () => {
    const detector = new TurnDetector();
    detector.resume();
    expect(turns(frames([loud, 3], [quiet, 5]), settings, detector)).toEqual([{ type: 'stopped', at: 8 }]);
  });
});
