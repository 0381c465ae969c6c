import { afterEach, describe, expect, it, vi } from 'vitest';
import { progressBar, progressLines } from './progress.ts';

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
});

describe('progressBar', () => {
  it('redraws its line only when it changes, and ends it', () => {
    let text = '';
    const onProgress = progressBar('small', { write: (part) => (text += part) });
    onProgress(at(100e6));
    onProgress(at(100e6 + 1));
    onProgress(at(200e6));
    expect(text.split('\r\x1b[K')).toEqual([
      '',
      'small [###############...............] 100 of 200 MB (50 %)',
      'small [##############################] 200 of 200 MB (100 %)\n',
    ]);
  });

  it('treats a model without bytes as complete', () => {
    let text = '';
    progressBar('empty', { write: (part) => (text += part) })({ file: 'a', receivedBytes: 0, totalBytes: 0 });
    expect(text).toContain('100 %');
  });
});
