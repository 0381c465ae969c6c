import { describe, expect, it } from 'vitest';
import { progressText } from './queue.ts';

const idle = { state: 'ready', waiting: 0 };

describe('progressText', () => {
  it('says how much of an upload is sent', () => {
    const uploading = { phase: 'uploading' as const, done: 250_000, total: 1_000_000 };
    expect(progressText(uploading, idle)).toEqual({ text: 'Uploading: 25 % of 1.0 MB', share: 0.25 });
  });

  it('says what the service says, while nothing has come back: the only job does not wait for others', () => {
    const waiting = { phase: 'waiting' as const, done: 0 };
    expect(progressText(waiting, idle).text).toBe('Transcribing…');
    expect(progressText(waiting, { state: 'ready', waiting: 1 }).text).toBe('Waiting in the queue…');
    expect(progressText(waiting, { state: 'warming', waiting: 0 }).text).toContain('the model is being loaded again');
    expect(progressText(waiting, { state: 'unreachable', waiting: 0 }).text).toContain('does not respond');
  });
});
