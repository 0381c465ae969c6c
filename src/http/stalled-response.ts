import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Milliseconds over which the rate of a client is measured: long enough for several writes, which count when complete.
 */
const WINDOW_MS = 20_000;
/** Playing Opus in real time needs 4,000. */
const MIN_BYTES_PER_SECOND = 1000;

export interface StalledResponseOptions {
  windowMs?: number;
  minBytesPerSecond?: number;
}

/**
 * Cuts the connection of a response whose client hardly reads it, but only while other requests wait for its slot: a
 * paused player may stall for hours.
 *
 * @param isNeeded whether others wait
 */
export function cutStalledResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  isNeeded: () => boolean,
  { windowMs = WINDOW_MS, minBytesPerSecond = MIN_BYTES_PER_SECOND }: StalledResponseOptions = {},
): void {
  const { raw } = reply;
  const { socket } = request.raw;
  const minBytes = (minBytesPerSecond * windowMs) / 1000;
  let before = { sent: 0, isPending: false };
  const timer = setInterval(() => {
    const sent = socket.bytesWritten - socket.writableLength;
    const isPending = raw.writableLength > 0;
    // An empty buffer means that the engine is slower than the client.
    const isStalled = isPending && before.isPending && sent - before.sent < minBytes;
    before = { sent, isPending };
    if (!isStalled || !isNeeded()) return;
    request.log.warn('A response was cut: its client stopped reading while others waited');
    raw.statusCode = 503;
    raw.destroy();
  }, windowMs);
  raw.once('close', () => clearInterval(timer));
}
