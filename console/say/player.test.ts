import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Player } from './player.ts';
import { Speech } from './speech.ts';

/** A fake audio device, whose clock the test controls. */
class Device extends EventTarget {
  currentTime = 100;
  state = 'running';
  /** What it becomes when the page resumes it. */
  resumed = 'running';
  destination = {};
  createBuffer(_channels: number, length: number) {
    const data = new Float32Array(length);
    return { length, data, copyToChannel: (samples: Float32Array) => data.set(samples) };
  }
  async resume() {
    this.enter(this.resumed);
  }
  enter(state: string) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

interface Started {
  /** On the device's clock. */
  time: number;
  data: Float32Array;
  isStopped: boolean;
}

let device: Device;
let started: Started[];

beforeEach(() => {
  vi.useFakeTimers();
  started = [];
  vi.stubGlobal('document', new EventTarget());
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
        this.entry = { time: Number.NaN, data: buffer.data, isStopped: false };
      }
      connect() {}
      addEventListener() {}
      start(time: number) {
        this.entry.time = time;
        started.push(this.entry);
      }
      stop() {
        this.entry.isStopped = true;
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const request = { input: 'text', voice: 'af_heart', speed: 1, volume: 1, format: 'mp3', stream: true };

/** Consecutive samples from `from`, modulo 1000. */
const counting = (from: number, length: number) => Int16Array.from({ length }, (_, i) => (from + i) % 1000);

/** A player of a complete speech of that many samples. */
function playing(samples: number): { player: Player; speech: Speech } {
  const player = new Player(() => {});
  const speech = new Speech(request);
  speech.append(counting(0, samples), []);
  speech.complete = true;
  player.load(speech);
  player.play();
  return { player, speech };
}

function advance(seconds: number): void {
  for (let i = 0; i < seconds * 10; i++) {
    if (device.state === 'running') device.currentTime += 0.1;
    vi.advanceTimersByTime(100);
  }
}

/** All played samples, as integers. */
const played = (buffers: Started[]) =>
  buffers.flatMap(({ data }) => [...data].map((value) => Math.round(value * 32_768)));

function expectNoGaps(buffers: Started[]): void {
  for (const [index, buffer] of buffers.entries()) {
    const before = buffers[index - 1];
    if (before) expect(buffer.time).toBeCloseTo(before.time + before.data.length / 24_000, 9);
  }
}

describe('Player', () => {
  it.each([1, 239, 24_000, 48_000, 50_001, 333_333])('plays %i samples without a gap, then stops', (length) => {
    const { player, speech } = playing(length);
    expect(player.state).toBe('playing');
    advance(length / 24_000 + 1);
    expect(player.state).toBe('paused');
    expect(player.position).toBe(speech.duration);
    expect(played(started)).toEqual([...counting(0, length)]);
    expectNoGaps(started);
  });

  it('plays growing speech, and waits when it runs out', () => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    player.load(speech);
    player.play();
    expect(player.state).toBe('waiting');
    let from = 0;
    for (const length of [777, 30_001, 3, 100_000, 12_345]) {
      speech.append(counting(from, length), []);
      from += length;
      player.update();
      expect(player.state).toBe('playing');
      advance(0.3);
    }
    advance(10);
    expect(player.state).toBe('waiting');
    expect(player.position).toBe(speech.duration);
    speech.append(counting(from, 5000), []);
    speech.complete = true;
    player.update();
    advance(1);
    expect(player.state).toBe('paused');
    expect(played(started)).toEqual([...counting(0, from + 5000)]);
  });

  it('follows the clock, pauses, resumes, and restarts after the end', () => {
    const { player } = playing(240_000);
    advance(2);
    expect(player.position).toBeCloseTo(1.95, 1);
    player.pause();
    const { position } = player;
    advance(3);
    expect(player.position).toBe(position);
    expect(started.every(({ isStopped }) => isStopped)).toBe(true);
    player.play();
    advance(1);
    expect(player.position).toBeCloseTo(position + 0.95, 1);
    advance(20);
    expect([player.state, player.position]).toEqual(['paused', 10]);
    player.play();
    advance(1);
    expect(player.position).toBeLessThan(1);
  });

  it('seeks to any position, between samples and beyond the ends too', () => {
    const { player, speech } = playing(100_001);
    for (const seconds of [1 / 3, speech.duration - 1e-7, speech.duration - 2e-5, 0.1 + 0.2, -5, 3.3333333]) {
      started = [];
      player.seek(seconds);
      const wanted = Math.round(Math.max(0, seconds) * 24_000);
      if (started[0]) expect(Math.round(started[0].data[0]! * 32_768)).toBe(wanted % 1000);
      expectNoGaps(started);
      if (player.state === 'paused') player.play();
    }
    player.seek(99);
    advance(1);
    expect([player.state, player.position]).toEqual(['paused', speech.duration]);
  });

  describe('on a phone that a call interrupts', () => {
    /** The player in the call, after two seconds of speech. */
    function inCall(): Player {
      const { player } = playing(240_000);
      advance(2);
      device.resumed = 'interrupted';
      device.enter('interrupted');
      advance(1);
      return player;
    }

    it('seemed to play during and after the call', () => {
      const player = inCall();
      expect(player.state).toBe('paused');
      expect(player.position).toBeCloseTo(1.95, 1);
      device.enter('suspended');
      advance(1);
      expect(player.state).toBe('paused');
      // A click may do what the page may not.
      device.resumed = 'running';
      player.play();
      advance(1);
      expect(player.position).toBeCloseTo(2.9, 1);
    });

    it.each(['by itself', 'when the page asks', 'when the page is shown again'])(
      'plays on if the sound comes back %s',
      (how) => {
        const player = inCall();
        device.resumed = 'running';
        if (how === 'by itself') device.enter('running');
        else if (how === 'when the page asks') device.enter('suspended');
        else document.dispatchEvent(new Event('visibilitychange'));
        expect(player.state).toBe('playing');
        advance(1);
        expect(player.position).toBeCloseTo(2.9, 1);
      },
    );

    it('stays paused after the call if the user has paused it, or chosen another speech', () => {
      const player = inCall();
      player.pause();
      device.enter('running');
      expect(player.state).toBe('paused');
      player.play();
      device.enter('interrupted');
      player.load(player.speech!);
      device.enter('running');
      expect(player.state).toBe('paused');
    });

    it('plays at a click in the call as soon as it can', () => {
      const player = inCall();
      player.play();
      device.enter('running');
      advance(1);
      expect(player.state).toBe('playing');
      expect(player.position).toBeCloseTo(2.9, 1);
    });
  });

  it('schedules only a few seconds ahead', () => {
    const player = new Player(() => {});
    const speech = new Speech(request);
    speech.append(new Int16Array(24_000 * 600), []);
    speech.complete = true;
    player.load(speech);
    player.play();
    const seconds = () => started.reduce((sum, { data }) => sum + data.length, 0) / 24_000;
    expect(seconds()).toBeLessThan(11);
    advance(100);
    expect(seconds()).toBeLessThan(111);
    expect(seconds()).toBeGreaterThan(100);
  });
});
