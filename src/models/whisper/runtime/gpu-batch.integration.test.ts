import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { microModel } from '../../../../test/fixtures/micro-model.ts';
import { readMicro } from '../../../../test/fixtures/micro-speech.ts';
import { type MixedWindow, mixedWindows } from '../../../../test/fixtures/mixed-windows.ts';
import { Session } from '../../../ort/session.ts';
import type { EncodedAudio } from './batch.ts';
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
        const { segments } = await transcribeWindow({ model: windowModel, tokenizer, mel }, window, options);
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

it('a window that leaves while another one joins the batch affects no other', async () => {
  const model = await microModel('float32', { windows: ROWS }, 'gpu');
  const { mels, audioPositions } = model.configuration;
  const mel = new MelSpectrogram(mels).compute(speech[0]!, 2 * audioPositions);
  const steps = async (audio: EncodedAudio) => {
    const decoder = model.decode(audio);
    const values: Float32Array[] = [];
    for (let token = 0; token < 5; token++) values.push((await decoder.step([[token]])).logits[0]!.values);
    return values;
  };
  const first = await model.encode(mel, { owner: 0 });
  const expected = await steps(first);
  model.release(first);

  for (const leaver of [0, 1, 2]) {
    const controller = new AbortController();
    const windows = Array.from({ length: 3 }, (_, owner) => ({
      owner,
      ...(owner === leaver && { signal: controller.signal }),
    }));
    const audios: EncodedAudio[] = [];
    for (const window of windows) audios.push(await model.encode(mel, window));
    const { run } = Session.prototype;
    const joins = vi.spyOn(Session.prototype, 'run').mockImplementation(function (this: Session, ...given) {
      const running = run.apply(this, given);
      if ('cross_rows' in given[0] && !controller.signal.aborted) {
        controller.abort();
        model.release(audios[leaver]!);
      }
      return running;
    });
    const results = await Promise.allSettled(audios.map(steps));
    joins.mockRestore();
    expect(controller.signal.aborted).toBe(true);
    for (const [owner, result] of results.entries()) {
      if (owner === leaver) expect(result.status).toBe('rejected');
      else expect(result).toEqual({ status: 'fulfilled', value: expected });
    }
    for (const [owner, audio] of audios.entries()) if (owner !== leaver) model.release(audio);
    expect(model.reservedPositions).toBe(0);
  }
});
