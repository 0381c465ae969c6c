import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiError, unreachable } from '../shared/api.ts';
import type { Job, Jobs } from './jobs.ts';
import { progressText, Queue } from './queue.ts';
import type { Transcript } from './transcript.ts';
import { transcribe, type Upload } from './upload.ts';

vi.mock('./upload.ts', () => ({ transcribe: vi.fn() }));

const idle = { state: 'ready', waiting: 0 };

describe('progressText', () => {
  it('reports the upload progress', () => {
    const uploading = { phase: 'uploading' as const, done: 250_000, total: 1_000_000 };
    expect(progressText(uploading, idle)).toEqual({ text: 'Uploading: 25 % of 1.0 MB', share: 0.25 });
  });

  it('shows the state from the service until there is progress: the only job does not wait for others', () => {
    const waiting = { phase: 'waiting' as const, done: 0 };
    expect(progressText(waiting, idle).text).toBe('Transcribing…');
    expect(progressText(waiting, { state: 'ready', waiting: 1 }).text).toBe('Waiting in the queue…');
    expect(progressText(waiting, { state: 'warming', waiting: 0 }).text).toContain('the model is being reloaded');
    expect(progressText(waiting, { state: 'unreachable', waiting: 0 }).text).toContain('does not respond');
  });
});

describe('Queue', () => {
  const transcript = { text: 'Hello.' } as Transcript;
  const full = () => apiError(503, '{"error":{"message":"Full."},"detail":{"error":"queue_full"}}', '10');
  /** How far each job was, and how it ended. */
  let told: string[];
  let queue: Queue;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    vi.mocked(transcribe).mockReset();
    told = [];
    const jobs = {
      update: (job: Job, changes: Partial<Job>) => Object.assign(job, changes),
      file: async () => new File([], 'a.wav'),
      setTranscript: async () => {},
    } as unknown as Jobs;
    queue = new Queue(jobs, {
      onStart() {},
      onProgress: (job) => told.push(`${job.name}: ${progressText(queue.progressOf(job)!, idle).text}`),
      onDelta() {},
      onEnd: (job, _transcript, error) => told.push(`${job.name} ended${error ? `: ${error}` : ''}`),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const add = (name: string): Job => {
    const job = { id: name, name, state: 'new' } as Job;
    queue.add(job, { task: 'transcriptions', language: '', names: '' });
    return job;
  };
  const failing = (...errors: unknown[]) => {
    const left = [...errors];
    vi.mocked(transcribe).mockImplementation(async () => {
      if (left.length > 0) throw left.shift();
      return transcript;
    });
  };

  it('waits while the service is full, then continues', async () => {
    failing(full(), full());
    add('a');
    add('b');
    await vi.advanceTimersByTimeAsync(9999);
    expect(told).toEqual(['a: Sending…', 'a: Waiting: the service is busy…']);
    await vi.advanceTimersByTimeAsync(10_001);
    await vi.waitFor(() => expect(told).toContain('b ended'));
    expect(told.filter((each) => each.includes('ended'))).toEqual(['a ended', 'b ended']);
  });

  it('waits until the service answers again, however long', async () => {
    failing(...Array.from({ length: 50 }, unreachable), apiError(502, 'Bad gateway'));
    add('a');
    await vi.advanceTimersByTimeAsync(110_000);
    await vi.waitFor(() => expect(told).toContain('a ended'));
    expect(told).toContain('a: Waiting: the service does not respond…');
  });

  it('sends a recording only once more after the connection broke', async () => {
    vi.mocked(transcribe).mockImplementation(async ({ onAccepted }: Upload) => {
      onAccepted();
      throw unreachable();
    });
    add('a');
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(told.at(-1)).toBe('a ended: ApiError: The service cannot be reached.'));
    expect(transcribe).toHaveBeenCalledTimes(2);
  });

  it('can be stopped while it waits', async () => {
    vi.mocked(transcribe).mockRejectedValue(full());
    const job = add('a');
    const next = add('b');
    await vi.advanceTimersByTimeAsync(100);
    queue.stop(next);
    queue.stop(job);
    await vi.waitFor(() => expect(told.at(-1)).toMatch(/^a ended: AbortError/));
    expect(next.state).toBe('new');
  });

  it('asked again for the key that was not given, for each recording', async () => {
    failing(apiError(401, '{"error":{"message":"Key needed."}}'));
    add('a');
    const [b, c] = [add('b'), add('c')];
    await vi.waitFor(() => expect(told.at(-1)).toBe('a ended: ApiError: Key needed.'));
    await vi.waitFor(() => expect([b.state, c.state]).toEqual(['new', 'new']));
    expect(transcribe).toHaveBeenCalledTimes(1);
  });
});
