import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withDownloadProgress } from './download-progress.ts';

const at = (receivedBytes: number) => ({ file: 'model.safetensors', receivedBytes, totalBytes: 200e6 });
const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');

let written: string[];

beforeEach(() => {
  written = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
});

afterEach(() => {
  vi.restoreAllMocks();
  if (isTTY) Object.defineProperty(process.stderr, 'isTTY', isTTY);
  else Reflect.deleteProperty(process.stderr, 'isTTY');
});

describe('withDownloadProgress', () => {
  it('shows a bar on a terminal until all has arrived', async () => {
    const result = await withDownloadProgress('small', async (onProgress) => {
      for (const bytes of [0, 100e6, 200e6]) onProgress(at(bytes));
      expect(written.at(-1)).toBe('\r\x1b[K');
      return 'path';
    });
    expect(result).toBe('path');
    expect(written[1]).toBe(`\r\x1b[Ksmall [${'#'.repeat(15)}${'.'.repeat(15)}]  50 % 100 of 200 MB`);
    expect(written).toHaveLength(3);
  });

  it('clears the bar of a download that fails', async () => {
    const failing = withDownloadProgress('small', async (onProgress) => {
      onProgress(at(100e6));
      throw new Error('connection reset');
    });
    await expect(failing).rejects.toThrow('connection reset');
    expect(written.at(-1)).toBe('\r\x1b[K');
  });
});
