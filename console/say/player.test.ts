import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Player } from './player.ts';
import { Speech } from './speech.ts';

/** The audio device: it takes pieces, and its time is the test's. */
class Device {
  currentTime = 100;
  state = 'running';
  destination = {};
  createBuffer(_channels: number, length: number) {
    const data = new Float32Array(length);
    return { length, data, copyToChannel: (samples: Float32Array) => data.set(samples) };
  }
}

interface Started {
  /** By the clock of the device. */
  time: number;
  data: Float32Array;
  stopped: boolean;
}

let device: Device;
let started: Started[];

beforeEach(() => {
  vi.useFakeTimers();
  started = [];
  vi.stubGlobal(
    'AudioContext',
    class extends Device {
      constructor() {
        super();
        device = this;
      }
    },
  );
  vi.stubGlobal(
    'AudioBufferSourceNode',
    class {
      entry: Started;
      constructor(_context: unknown, { buffer }: { buffer: { data: Float32Array } }) {
        this.entry = { time: Number.NaN, data: buffer.data, stopped: false };
      }
      connect() {}
      addEventListener() {}
      start(time: number) {
        this.entry.time = time;
        started.push(this.entry);
      }
      stop() {
        this.entry.stopped = true;
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const request = { input: 'text', voice: 'af_heart', speed: 1, volume: 1, format: 'mp3', stream: true };

/** Samples that count from `from`, modulo 1000. */
const counting = (from: number, length: number) => Int16Array.from({ length }, (_, i) => (from + i) % 1000);

function pass(seconds: number): void {
  for (let i = 0; i < seconds * 10; i++) {
    device.currentTime += 0.1;
    vi.advanceTimersByTime(100);
  }
}

/** The samples that were played one after the other, as their numbers. */
const played = (pieces: Started[]) =>
  pieces.flatMap(({ data }) => [...data].map((value) => Math.round(value * 32_768)));

function expectNoGaps(pieces: Started[]): void {
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (before) expect(piece.time).toBeCloseTo(before.time + before.data.length / 24_000, 9);
  }
}

describe('Player', () => {
  it.each([1, 239, 24_000, 48_000, 50_001, 333_333])('plays %i samples without a gap, then stops', (length) => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    speech.append(counting(0, length), []);
    speech.complete = true;
    player.load(speech);
    player.play();
    expect(player.state).toBe('playing');
    pass(length / 24_000 + 1);
    expect(player.state).toBe('paused');
    expect(player.position).toBe(speech.duration);
    expect(played(started)).toEqual([...counting(0, length)]);
    expectNoGaps(started);
  });

  it('plays speech as it comes, and waits for it where it has to', () => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    player.load(speech);
    player.play();
    expect(player.state).toBe('waiting');
    let from = 0;
    for (const length of [777, 30_001, 3, 100_000, 12_345]) {
      speech.append(counting(from, length), []);
      from += length;
      player.grown();
      expect(player.state).toBe('playing');
      pass(0.3);
    }
    pass(10);
    expect(player.state).toBe('waiting');
    expect(player.position).toBe(speech.duration);
    speech.append(counting(from, 5000), []);
    speech.complete = true;
    player.grown();
    pass(1);
    expect(player.state).toBe('paused');
    expect(played(started)).toEqual([...counting(0, from + 5000)]);
  });

  it('follows the clock, pauses, goes on and begins anew after the end', () => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    speech.append(counting(0, 240_000), []);
    speech.complete = true;
    player.load(speech);
    player.play();
    pass(2);
    expect(player.position).toBeCloseTo(1.95, 1);
    player.pause();
    const { position } = player;
    pass(3);
    expect(player.position).toBe(position);
    expect(started.every(({ stopped }) => stopped)).toBe(true);
    player.play();
    pass(1);
    expect(player.position).toBeCloseTo(position + 0.95, 1);
    pass(20);
    expect([player.state, player.position]).toEqual(['paused', 10]);
    player.play();
    pass(1);
    expect(player.position).toBeLessThan(1);
  });

  it('seeks to any place, also between samples and beyond the ends', () => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    speech.append(counting(0, 100_001), []);
    speech.complete = true;
    player.load(speech);
    player.play();
    for (const seconds of [1 / 3, speech.duration - 1e-7, speech.duration - 2e-5, 0.1 + 0.2, -5, 3.3333333]) {
      started = [];
      player.seek(seconds);
      const wanted = Math.round(Math.max(0, seconds) * 24_000);
      if (started[0]) expect(Math.round(started[0].data[0]! * 32_768)).toBe(wanted % 1000);
      expectNoGaps(started);
      if (player.state === 'paused') player.play();
    }
    player.seek(99);
    pass(1);
    expect([player.state, player.position]).toEqual(['paused', speech.duration]);
  });

  it('hands over only some seconds at a time', () => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    speech.append(new Int16Array(24_000 * 600), []);
    speech.complete = true;
    player.load(speech);
    player.play();
    const seconds = () => started.reduce((sum, { data }) => sum + data.length, 0) / 24_000;
    expect(seconds()).toBeLessThan(11);
    pass(100);
    expect(seconds()).toBeLessThan(111);
    expect(seconds()).toBeGreaterThan(100);
  });
});
