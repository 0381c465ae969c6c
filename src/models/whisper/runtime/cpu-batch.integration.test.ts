import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { microModel } from '../../../../test/fixtures/micro-model.ts';
import { readMicro } from '../../../../test/fixtures/micro-speech.ts';
import { type MixedWindow, mixedWindows } from '../../../../test/fixtures/mixed-windows.ts';
import type { ComputeType } from '../../../ort/device.ts';
import { type Feeds, Session } from '../../../ort/session.ts';
import type { EncodedAudio } from './batch.ts';
import type { DecoderState } from './decoder-state.ts';
import { MelSpectrogram } from './mel.ts';
import { WindowModel } from './model.ts';
import type { WhisperTokenizer } from './tokenizer.ts';
import { transcribeWindow } from './transcribe.ts';

const WINDOWS = 8;

let tokenizer: WhisperTokenizer;
let speech: Float32Array[];
beforeAll(async () => {
  ({ tokenizer, speech } = await readMicro());
});
afterEach(() => vi.restoreAllMocks());

const load = (computeType: ComputeType, windows: number) => microModel(computeType, { windows });

/** Records the number of streams of each step with one token per stream, and of the encoder positions. */
function watchSteps(): { streams: number; positions: number }[] {
  const steps: { streams: number; positions: number }[] = [];
  const { run } = Session.prototype;
  vi.spyOn(Session.prototype, 'run').mockImplementation(function (this: Session, feeds) {
    const key = feeds['cross_key.0'];
    if (feeds.x?.dims[1] === 1) steps.push({ streams: feeds.x.dims[0]!, positions: Math.max(...key!.dims.slice(2)) });
    return run.call(this, feeds);
  });
  return steps;
}

describe.each(['float32', 'int8'] as const)('windows decoded together in %s', (computeType) => {
  it('give the same numbers as alone', async () => {
    const requests = mixedWindows(speech, 50);
    const model = await load(computeType, WINDOWS);
    const mel = new MelSpectrogram(model.configuration.mels);
    const transcribe = async ({ window, options }: MixedWindow, owner: number) => {
      const windowModel = new WindowModel(model, { owner });
      try {
        return await transcribeWindow({ model: windowModel, tokenizer, mel }, window, options);
      } finally {
        windowModel.end();
      }
    };
    const steps = watchSteps();
    const alone = [];
    for (const [index, request] of requests.entries()) alone.push(await transcribe(request, index));
    expect(alone.flatMap(({ segments }) => segments).length).toBeGreaterThan(50);
    // Five samples of a window whose text failed at temperature 0.
    expect(steps.splice(0).some(({ streams }) => streams === 5)).toBe(true);

    const together: unknown[] = [];
    const left = [...requests.entries()];
    const client = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [index, request] = next;
        together[index] = await transcribe(request, index);
      }
    };
    // More clients than slots.
    await Promise.all(Array.from({ length: WINDOWS + 3 }, client));
    expect(together).toEqual(alone);
    const batched = steps.filter(({ streams }) => streams > 1);
    expect(new Set(batched.map(({ positions }) => positions)).size).toBeGreaterThan(3);
  });

  it('of the same length share a step, and hold no more memory than whole windows', async () => {
    const model = await load(computeType, WINDOWS);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels);
    const encode = (positions: number) => model.encode(mel.compute(speech[0]!, 2 * positions), { owner: 1 });
    const feed = async (audio: EncodedAudio, tokens: readonly number[]) => {
      const decoder = model.decode(audio);
      const values: number[] = [];
      for (const token of tokens) values.push(...(await decoder.step([[token]])).logits[0]!.values);
      return values;
    };
    const lengths = [100, 250, 400, 450, audioPositions];
    const expected = new Map<number, number[]>();
    for (const positions of lengths) {
      const audio = await encode(positions);
      expected.set(positions, await feed(audio, [1, 2, 3, 4, 5]));
      model.release(audio);
    }

    const steps = watchSteps();
    const staying: EncodedAudio[] = [];
    for (const positions of lengths) {
      const leaving = await Promise.all(Array.from({ length: WINDOWS - staying.length }, () => encode(positions)));
      const audios = [...staying, ...leaving];
      const results = await Promise.all(audios.map((audio) => feed(audio, [1, 2, 3, 4, 5])));
      expect(results).toEqual(audios.map((audio) => expected.get(audio.positions)));
      expect(steps.some((step) => step.positions === positions && step.streams === leaving.length)).toBe(true);
      expect(model.reservedPositions).toBeGreaterThan(0);
      expect(model.reservedPositions).toBeLessThanOrEqual(WINDOWS * audioPositions);
      staying.push(leaving.pop()!);
      for (const audio of leaving) model.release(audio);
    }
    for (const audio of staying) model.release(audio);
    expect(model.reservedPositions).toBe(0);
  });

  it('do not compute the slots between theirs', async () => {
    const model = await load(computeType, WINDOWS);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels);
    const audios: EncodedAudio[] = [];
    for (let index = 0; index < WINDOWS; index++) {
      audios.push(
        await model.encode(mel.compute(speech[index % speech.length]!, 2 * audioPositions), { owner: index }),
      );
    }
    const step = async (audio: EncodedAudio) => (await model.decode(audio).step([[1]])).logits[0]!.values;
    const expected: Float32Array[] = [];
    for (const audio of audios) expected.push(await step(audio));

    const steps = watchSteps();
    const streamsOf = async (...slots: number[]) => {
      steps.length = 0;
      expect(await Promise.all(slots.map((slot) => step(audios[slot]!)))).toEqual(slots.map((slot) => expected[slot]));
      return steps.map(({ streams }) => streams);
    };
    expect(await streamsOf(0, 1, 2, 3, 4, 5, 6, 7)).toEqual([8]);
    expect(await streamsOf(1, 0)).toEqual([2]);
    // A single slot between two takes less time than another run.
    expect(await streamsOf(0, 2)).toEqual([3]);
    expect(await streamsOf(7, 0, 6, 1)).toEqual([2, 2]);
    expect(await streamsOf(0, 3, 4, 7)).toEqual([2, 1, 1]);
    for (const audio of audios) model.release(audio);
  });

  it('allow a release before their run, while another run of the same step is in progress', async () => {
    const model = await load(computeType, WINDOWS);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels).compute(speech[0]!, 2 * audioPositions);
    const controller = new AbortController();
    const audios: EncodedAudio[] = [];
    for (let owner = 0; owner < WINDOWS; owner++) {
      audios.push(await model.encode(mel, { owner, ...(owner === 5 && { signal: controller.signal }) }));
    }
    const step = async (slot: number) => (await model.decode(audios[slot]!).step([[1]])).logits[0]!.values;
    const expected = await step(0);
    const { run } = Session.prototype;
    vi.spyOn(Session.prototype, 'run').mockImplementationOnce(function (this: Session, ...given) {
      const running = run.apply(this, given);
      controller.abort();
      model.release(audios[5]!);
      return running;
    });
    const [left, ...stayed] = await Promise.allSettled([5, 0, 1, 6, 7].map(step));
    expect(left).toMatchObject({ status: 'rejected' });
    expect(stayed).toEqual(stayed.map(() => ({ status: 'fulfilled', value: expected })));
  });

  it('free the outputs that they copy after each step', async () => {
    const model = await load(computeType, 2);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels).compute(speech[0]!, 2 * audioPositions);
    const audios = [await model.encode(mel, { owner: 1 }), await model.encode(mel, { owner: 2 })];
    const outputs: Feeds[] = [];
    const { run } = Session.prototype;
    vi.spyOn(Session.prototype, 'run').mockImplementation(async function (this: Session, ...given) {
      outputs.push(await run.apply(this, given));
      return outputs.at(-1)!;
    });
    const steps = await Promise.all(audios.map((audio) => model.decode(audio).step([[1]], { summed: true })));
    expect(steps.flatMap(({ attention }) => attention).map(({ length }) => length % audioPositions)).toEqual([0, 0]);
    expect(steps.flatMap(({ attention }) => attention).every((row) => row.some((weight) => weight > 0))).toBe(true);
    expect(outputs).toHaveLength(1);
    const sizes = Object.entries(outputs[0]!).map(([name, { data }]) => [name, (data as Float32Array).byteLength]);
    const { attention, ...others } = Object.fromEntries(sizes);
    expect(attention).toBe(0);
    expect(Object.keys(others).filter((name) => others[name] > 0)).toEqual(['others', 'summary']);
    expect(Object.keys(others).length).toBeGreaterThan(4);
  });

  it('free the memory of their audio at once', async () => {
    const model = await load(computeType, 2);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels).compute(speech[0]!, 2 * audioPositions);
    const encode = (owner: number) => model.encode(mel, { owner });
    const held = ({ cross }: EncodedAudio) => Object.values(cross).map(({ data }) => data as Float32Array);
    const bytes = (arrays: Float32Array[]) => arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);

    const single = await encode(1);
    const own = held(single);
    expect(bytes(own)).toBeGreaterThan(10_000);
    model.release(single);
    expect(bytes(own)).toBe(0);

    const audios = [await encode(1)];
    const encoded = held(audios[0]!);
    audios.push(await encode(2));
    // The audios are copied to slots now.
    expect(bytes(encoded)).toBe(0);
    const copied = audios.flatMap(held);
    await Promise.all(audios.map((audio) => model.decode(audio).step([[1]])));
    expect(bytes(copied)).toBeGreaterThan(0);
    model.release(audios[0]!);
    expect(bytes(copied)).toBeGreaterThan(0);
    model.release(audios[1]!);
    expect(bytes(copied)).toBe(0);
  });

  it('free that memory at once if their client leaves while they are encoded', async () => {
    const model = await load(computeType, 2);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels).compute(speech[0]!, 2 * audioPositions);
    const controller = new AbortController();
    const encoded: Feeds[] = [];
    const { run } = Session.prototype;
    vi.spyOn(Session.prototype, 'run').mockImplementation(async function (this: Session, ...given) {
      const running = run.apply(this, given);
      controller.abort();
      encoded.push(await running);
      return encoded[0]!;
    });
    const window = new WindowModel(model, { owner: 1, signal: controller.signal });
    await expect(window.encode(mel)).rejects.toThrow('abort');
    window.end();
    await vi.waitFor(() => expect(encoded).toHaveLength(1));
    await vi.waitFor(() => {
      const sizes = Object.values(encoded[0]!).map(({ data }) => (data as Float32Array).byteLength);
      expect(new Set(sizes)).toEqual(new Set([0]));
    });
  });

  it('keep that memory while a run reads it, though one is released', async () => {
    const model = await load(computeType, 2);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels).compute(speech[0]!, 2 * audioPositions);
    const controller = new AbortController();
    const encode = (owner: number) => model.encode(mel, { owner, signal: controller.signal });
    const steps = async (audio: EncodedAudio) => {
      const decoder = model.decode(audio);
      const values: Float32Array[] = [];
      for (let token = 0; token < 9; token++) values.push((await decoder.step([[token]])).logits[0]!.values);
      return values;
    };
    const staying = await model.encode(mel, { owner: 1 });
    const expected = await steps(staying);

    let leave: ((streams: number) => void) | undefined;
    const { run } = Session.prototype;
    vi.spyOn(Session.prototype, 'run').mockImplementation(function (this: Session, ...given) {
      const running = run.apply(this, given);
      leave?.(given[0].x!.dims[0]!);
      return running;
    });
    const alone = await encode(2);
    leave = () => model.release(alone);
    expect((await model.decode(alone).step([[0]])).logits[0]!.values).toEqual(expected[0]);
    expect(alone.cross).toEqual({});

    leave = undefined;
    const leaving = await encode(3);
    const [stayed, left] = [steps(staying), steps(leaving)];
    leave = (streams) => {
      if (streams < 2 || controller.signal.aborted) return;
      controller.abort();
      model.release(leaving);
    };
    await expect(left).rejects.toThrow('abort');
    expect(await stayed).toEqual(expected);
  });

  it('allow several decoders over one audio, and releases at any time', async () => {
    const model = await load(computeType, 3);
    const { mels, audioPositions } = model.configuration;
    const mel = new MelSpectrogram(mels);
    const encode = (index: number, signal?: AbortSignal) =>
      model.encode(mel.compute(speech[index]!, 2 * audioPositions), { owner: index, ...(signal && { signal }) });
    const sequence = (seed: number, length = 100) =>
      Array.from({ length }, (_, index) => (seed * 31 + index * 17) % model.configuration.vocabulary);
    const feed = async (decoder: DecoderState, tokens: readonly number[]) => {
      const best: number[] = [];
      for (const token of tokens) {
        const { logits } = await decoder.step([[token]]);
        const { values } = logits[0]!;
        best.push(values.indexOf(Math.max(...values)), values[token]!);
      }
      return best;
    };
    const reference: number[][] = [];
    const audios: EncodedAudio[] = [];
    for (const index of [0, 1, 2, 3]) {
      audios.push(await encode(index));
      reference.push(await feed(model.decode(audios[index]!), sequence(index)));
    }

    const steps = watchSteps();
    const controller = new AbortController();
    const leaving = await encode(4, controller.signal);
    const over = (index: number) => feed(model.decode(audios[index]!), sequence(index));
    const short = feed(model.decode(audios[0]!), sequence(9, 20)).then(() => model.release(audios[0]!));
    const left = feed(model.decode(leaving), sequence(4)).catch((error: Error) => {
      model.release(leaving);
      return error.message;
    });
    const others = Promise.all([over(1), over(2), over(1), over(3)]);
    await short;
    controller.abort(new Error('hung up'));
    expect(await left).toBe('hung up');
    const [first, second, again, third] = await others;
    expect(first).toEqual(reference[1]);
    expect(second).toEqual(reference[2]);
    expect(again).toEqual(reference[1]);
    expect(third).toEqual(reference[3]);
    expect(new Set(steps.map(({ streams }) => streams))).toEqual(new Set([1, 2, 3]));

    // New audios after all others are released.
    for (const audio of audios.slice(1)) model.release(audio);
    const next = await Promise.all([encode(0), encode(1)]);
    const results = await Promise.all(
      next.map((audio, index) => feed(model.decode(audio), sequence(index).slice(0, 70))),
    );
    expect(results).toEqual([0, 1].map((index) => reference[index]!.slice(0, 140)));
  });
});
