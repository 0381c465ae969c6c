import { afterEach, describe, expect, it, vi } from 'vitest';
import { progressLines } from './progress.ts';

afterEach(() => vi.useRealTimers());

const at = (receivedBytes: number) => ({ file: 'model.safetensors', receivedBytes, totalBytes: 200e6 });

describe('progressLines', () => {
  it('writes a line every five seconds and at the end', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const lines: string[] = [];
    const onProgress = progressLines('small', (line) => lines.push(line));
    onProgress(at(1e6));
    vi.advanceTimersByTime(5_000);
    onProgress(at(50e6));
    onProgress(at(51e6));
    onProgress(at(200e6));
    expect(lines).toEqual(['small: 50 of 200 MB (25 %) downloaded', 'small: 200 of 200 MB (100 %) downloaded']);
  });

  it('treats a model without bytes as complete', () => {
    const lines: string[] = [];
    progressLines('empty', (line) => lines.push(line))({ file: 'a', receivedBytes: 0, totalBytes: 0 });
    expect(lines).toEqual(['empty: 0 of 0 MB (100 %) downloaded']);
  });
});
