import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { microModel } from '../../../../test/fixtures/micro-model.ts';
import { readMicro } from '../../../../test/fixtures/micro-speech.ts';
import { type MixedWindow, mixedWindows } from '../../../../test/fixtures/mixed-windows.ts';
import { Session } from '../../../ort/session.ts';
import { MelSpectrogram } from './mel.ts';
import { WindowModel } from './model.ts';
import type { WhisperTokenizer } from './tokenizer.ts';
import { transcribeWindow } from './transcribe.ts';

// The graphs for a GPU, on the CPU: what is tested here is which rows a run reads and writes.

const ROWS = 8;

let tokenizer: WhisperTokenizer;
let speech: Float32Array[];
beforeAll(async () => {
  ({ tokenizer, speech } = await readMicro());
});
afterEach(() => vi.restoreAllMocks());

/** Counts the streams of each step of one token. */
function watchStreams(): number[] {
  const streams: number[] = [];
  const { run } = Session.prototype;
  vi.spyOn(Session.prototype, 'run').mockImplementation(function (this: Session, feeds, ...rest) {
    if (feeds.x?.dims[1] === 1) streams.push(feeds.x.dims[0]!);
    return run.call(this, feeds, ...rest);
  });
  return streams;
}

/**
 * From Node 24 on, which has Float16Array, onnxruntime-node takes no float16 tensors from the CPU. On a GPU they stay in
 * its memory.
 */
const types = 'Float16Array' in globalThis ? (['float32'] as const) : (['float32', 'float16'] as const);

describe.each(types)('windows decoded together in the form for a GPU in %s', (computeType) => {
  it('give the texts that they give alone', { timeout: 120_000 }, async () => {
    const model = await microModel(computeType, { windows: ROWS }, 'gpu');
    const reference = await microModel('float32');
    const mel = new MelSpectrogram(model.configuration.mels);
    const transcribe = async (which: typeof model, { window, options }: MixedWindow, owner: number) => {
      const windowModel = new WindowModel(which, { owner });
      try {
        const { segments } = await transcribeWindow(windowModel, tokenizer, mel, window, options);
        return segments.map(({ text }) => text).join('');
      } finally {
        windowModel.end();
      }
    };
    const windows = mixedWindows(speech, 40);
    const alone: string[] = [];
    for (const [index, window] of windows.entries()) alone.push(await transcribe(reference, window, index));

    const streams = watchStreams();
    const together: string[] = [];
    const left = [...windows.entries()];
    const client = async () => {
      for (let next = left.shift(); next; next = left.shift())
        together[next[0]] = await transcribe(model, next[1], next[0]);
    };
    // More clients than rows.
    await Promise.all(Array.from({ length: ROWS + 3 }, client));
    expect(together).toEqual(alone);
    expect(Math.max(...streams)).toBeGreaterThan(3);
    // Two windows with three beams each.
    expect(streams).toContain(6);
    expect(model.reservedPositions).toBe(0);
  });
});
