import { expect, it, vi } from 'vitest';
import type { AudioFormat } from '../../audio/formats.ts';
import type { SpeechJob } from '../../contracts/synthesis.ts';
import { JobEncoders } from './job-encoders.ts';

const encoders = vi.hoisted(() => ({ open: [] as string[] }));
vi.mock('../../audio/encode.ts', () => ({
  StreamEncoder: class {
    readonly #format: AudioFormat;
    constructor(format: AudioFormat) {
      if (format === 'flac') throw new Error('no memory');
      encoders.open.push(format);
      this.#format = format;
    }
    close() {
      encoders.open = encoders.open.filter((format) => format !== this.#format);
    }
  },
}));

it('closes the first encoder if the second one cannot be made', () => {
  const job = { kind: 'speech', format: 'mp3', downloadFormat: 'flac' } as SpeechJob;
  expect(() => new JobEncoders(job, 24_000)).toThrow('no memory');
  expect(encoders.open).toEqual([]);
});
