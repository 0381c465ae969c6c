import { describe, expect, it } from 'vitest';
import { ApiError, apiError, unreachable } from './api.ts';
import { delay, isUnreachable, retryDelay, waitingText } from './retry.ts';

const refusal = (code: string, retryAfter: string | null = '10') =>
  apiError(503, JSON.stringify({ error: { message: 'No.' }, detail: { error: code } }), retryAfter);

describe('retryDelay', () => {
  it('is the delay that the service states, and shorter for a model that warms up', () => {
    expect(retryDelay(refusal('queue_full'))).toBe(10_000);
    expect(retryDelay(refusal('draining', '3'))).toBe(3000);
    expect(retryDelay(refusal('queue_full', '86400'))).toBe(60_000);
    expect(retryDelay(refusal('model_warming'))).toBe(1500);
  });

  it('is undefined for errors that would occur again', () => {
    const wrong = new ApiError(400, 'Wrong.', '', 10);
    for (const error of [refusal('model_failed', null), wrong, unreachable(), new Error('x')])
      expect(retryDelay(error)).toBeUndefined();
    expect(retryDelay(refusal('queue_full', 'Wed, 21 Oct 2015 07:28:00 GMT'))).toBeUndefined();
  });
});

it('isUnreachable recognizes proxies that cannot reach the service', () => {
  for (const error of [unreachable(), apiError(502, '<h1>Bad Gateway</h1>'), apiError(503, 'none')])
    expect([error.status, isUnreachable(error)]).toEqual([error.status, true]);
  for (const error of [refusal('model_failed', null), apiError(500, ''), new ApiError(0, 'Cut off.'), new Error('x')])
    expect(isUnreachable(error)).toBe(false);
});

it('waitingText names the reason for waiting', () => {
  expect(waitingText(refusal('queue_full'))).toBe('Waiting: the service is busy…');
  expect(waitingText(refusal('model_warming'))).toBe('Waiting for the model to warm up…');
  expect(waitingText(apiError(502, ''))).toBe('Waiting: the service does not respond…');
  expect(waitingText(refusal('model_unavailable'))).toBe('Waiting to try again: No.');
});

it('delay ends with its signal', async () => {
  const controller = new AbortController();
  const waiting = delay(1_000_000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toBe(controller.signal.reason);
});
