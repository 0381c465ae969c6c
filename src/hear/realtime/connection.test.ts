import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { type ErrorCode, HearsayError } from '../../errors.ts';
import { RealtimeConnection } from './connection.ts';
import type { RealtimeSession } from './session.ts';

/** The code that a connection is closed with after an event fails. */
async function closeCodeAfter(code: ErrorCode): Promise<number | undefined> {
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    isPaused: false,
    send: vi.fn(),
    resume: vi.fn(),
    close: vi.fn(),
  });
  const session = {
    open() {},
    close() {},
    handle: () => Promise.reject(new HearsayError(code, 'It failed.')),
  };
  new RealtimeConnection(socket as unknown as WebSocket, {
    maxSessionMs: 60_000,
    draining: new AbortController().signal,
    createSession: () => session as unknown as RealtimeSession,
    toClientError: (error) => error as HearsayError,
    onClosed: () => {},
  });
  socket.emit('message', '{"type":"input_audio_buffer.clear"}');
  await vi.waitFor(() => expect(socket.send).toHaveBeenCalledOnce());
  socket.emit('close');
  return socket.close.mock.calls[0]?.[0];
}

it.each([
  ['draining', 1001],
  ['model_failed', 1011],
  ['invalid_request', undefined],
] as const)('after an event failed with %s the connection is closed with %s', async (code, closed) => {
  expect(await closeCodeAfter(code)).toBe(closed);
});
