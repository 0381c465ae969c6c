import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, unreachable } from '../shared/api.ts';
import { LiveSession } from './live-session.ts';
import { openRealtime } from './realtime-socket.ts';

vi.mock('./realtime-socket.ts', () => ({ openRealtime: vi.fn() }));

/** A connection to a service that hears nothing in the audio. */
class Socket extends EventTarget {
  readonly readyState = 1;
  sent: string[] = [];

  send(data: string): void {
    const { type } = JSON.parse(data) as { type: string };
    this.sent.push(type);
    if (type === 'session.update') queueMicrotask(() => this.#receive({ type: 'session.updated' }));
  }

  close(): void {}

  /** The service closes it. */
  end(reason: string): void {
    this.dispatchEvent(Object.assign(new Event('close'), { reason }));
  }

  #receive(event: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(event) }));
  }
}

/** A connection to a service that does not answer. */
class Silent extends Socket {
  override send(): void {}
}

describe('LiveSession', () => {
  const audio = new Int16Array(2400);
  let sockets: Socket[];
  beforeEach(() => {
    vi.stubGlobal('WebSocket', { OPEN: 1 });
    sockets = [];
    vi.mocked(openRealtime).mockReset();
    vi.mocked(openRealtime).mockImplementation(async () => {
      const socket = new Socket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    });
    return () => vi.unstubAllGlobals();
  });

  /** A session that the service ended in a long pause. */
  async function endedInPause(): Promise<LiveSession> {
    const session = new LiveSession({ language: '', names: '' }, () => {});
    await vi.waitFor(() => expect(session.state).toBe('listening'));
    session.push(audio);
    session.pause();
    sockets[0]!.end('The session was idle.');
    expect(session.state).toBe('retrying');
    return session;
  }

  it('asks again for the text before a long pause if the recording ends in it', async () => {
    const session = await endedInPause();
    await session.finish();
    expect(session.isComplete).toBe(true);
    expect(sockets[1]?.sent).toEqual(['session.update', 'input_audio_buffer.append', 'session.update']);
  });

  it('waited for text of a session that was closed', async () => {
    const session = new LiveSession({ language: '', names: '' }, () => {});
    await vi.waitFor(() => expect(session.state).toBe('listening'));
    session.push(audio);
    session.close();
    await session.finish();
  });

  it('claimed to be complete when the end of the text was not awaited', async () => {
    for (const openSocket of [async () => new Silent(), () => new Promise<never>(() => {})]) {
      vi.mocked(openRealtime).mockImplementation(openSocket as () => Promise<never>);
      const session = new LiveSession({ language: '', names: '' }, () => {});
      await new Promise(setImmediate);
      session.push(audio);
      const finished = session.finish();
      session.close();
      await finished;
      expect(session.isComplete).toBe(false);
    }
  });

  it('says that text may be missing if the service is gone then', async () => {
    const session = await endedInPause();
    vi.mocked(openRealtime).mockRejectedValue(unreachable());
    await session.finish();
    expect([session.isComplete, session.reason]).toEqual([false, 'The service cannot be reached.']);
  });

  it('gave up when no key was given, and sent nothing when one was later', async () => {
    vi.mocked(openRealtime).mockRejectedValueOnce(new ApiError(401, 'Key needed.'));
    const session = new LiveSession({ language: '', names: '' }, () => {});
    await vi.waitFor(() => expect([session.state, session.reason]).toEqual(['locked', 'Key needed.']));
    session.push(audio);
    session.reconnect();
    await vi.waitFor(() => expect(session.state).toBe('listening'));
    expect(sockets[0]?.sent).toEqual(['session.update', 'input_audio_buffer.append']);
    await session.finish();
    expect(session.isComplete).toBe(true);
  });
});
