import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from './event-stream.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A reply that records what is written to it. @param hasRoom false: the client reads nothing */
function fakeReply(hasRoom = true) {
  const written: string[] = [];
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    statusCode: 200,
    writeHead: () => raw,
    write(chunk: string, done?: () => void) {
      written.push(chunk);
      done?.();
      return hasRoom;
    },
    end: () => raw.emit('close'),
    destroy() {
      raw.destroyed = true;
      raw.emit('close');
    },
  });
  const reply = { raw, sent: false, getHeaders: () => ({}), hijack: () => Object.assign(reply, { sent: true }) };
  return { reply: reply as unknown as FastifyReply, raw, written };
}

describe('EventStream', () => {
  it('sends a heartbeat comment after 15 s of silence', () => {
    const { reply, written } = fakeReply();
    const events = new EventStream(reply);
    vi.advanceTimersByTime(14_000);
    expect(events.started).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect([events.started, events.delivered]).toEqual([true, false]);
    vi.advanceTimersByTime(10_000);
    events.send({ n: 1 });
    vi.advanceTimersByTime(14_000);
    expect(written).toEqual([': still at work\n\n', 'data: {"n":1}\n\n']);
    vi.advanceTimersByTime(1_000);
    expect(written).toHaveLength(3);
    events.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('buffers events for a slow reader without a listener for each', () => {
    const { reply, raw, written } = fakeReply(false);
    const events = new EventStream(reply);
    const before = raw.listenerCount('close');
    for (let n = 0; n < 20; n++) events.send({ n });
    expect(written).toHaveLength(20);
    expect([raw.listenerCount('drain'), raw.listenerCount('close')]).toEqual([0, before]);
    events.end();
  });

  it('stops after a failure and after a disconnect', () => {
    const failing = fakeReply();
    new EventStream(failing.reply).fail(Object.assign(new Error('x'), { code: 'internal_error' }) as never);
    expect(failing.written).toEqual([expect.stringMatching(/^event: error\ndata: \{"type":"error",.*\}\n\n$/)]);
    expect(failing.raw.destroyed).toBe(true);
    const gone = fakeReply();
    new EventStream(gone.reply);
    gone.raw.destroy();
    expect(vi.getTimerCount()).toBe(0);
  });
});
