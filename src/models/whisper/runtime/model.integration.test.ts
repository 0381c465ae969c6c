import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { devices } from '../../../../test/fixtures/devices.ts';
import { modelsDir } from '../../../../test/fixtures/models-dir.ts';
import {
  formulaMel,
  type Golden,
  randomCheckpoint,
  readGolden,
  type Variant,
  variants,
} from '../../../../test/fixtures/random-whisper.ts';
import { type ComputeType, cpu, type Device } from '../../../ort/device.ts';
import { bool, type Feeds, float32, int64s, Session } from '../../../ort/session.ts';
import { logSumExp } from '../../common/logits.ts';
import { type CompiledWhisper, compileWhisper } from '../graph/compile.ts';
import { audioLengths } from '../graph/encoder.ts';
import type { EncodedAudio } from './batch.ts';
import type { DecoderState } from './decoder-state.ts';
import { WhisperModel } from './model.ts';

function largestDifference(values: ArrayLike<number>, reference: ArrayLike<number>): number {
  expect(values.length).toBe(reference.length);
  let largest = 0;
  for (let index = 0; index < reference.length; index++) {
    largest = Math.max(largest, Math.abs(values[index]! - reference[index]!));
  }
  return largest;
}

function relativeError(values: ArrayLike<number>, reference: ArrayLike<number>): number {
  expect(values.length).toBe(reference.length);
  let error = 0;
  let size = 0;
  for (let index = 0; index < reference.length; index++) {
    error += (values[index]! - reference[index]!) ** 2;
    size += reference[index]! ** 2;
  }
  return Math.sqrt(error / size);
}

const best = (logits: Float32Array) => logits.reduce((best, value, index) => (value > logits[best]! ? index : best), 0);

/** A vocabulary of 200: a block of 128, and the rest. */
const END_OF_TEXT = 150;

const compile = (checkpoint: string, computeType: ComputeType, device = cpu()) =>
  compileWhisper({ checkpoint, modelsDir, device, computeType, endOfText: END_OF_TEXT });

async function load(
  checkpoint: string,
  computeType: ComputeType,
  never: number[] = [],
  device = cpu(),
): Promise<WhisperModel> {
  return WhisperModel.load(await compile(checkpoint, computeType, device), { never });
}

const encodeFormula = (model: WhisperModel, positions = model.configuration.audioPositions) =>
  model.encode(formulaMel(model.configuration.mels, positions));

/** Keys and values of the last layer as in the reference: `[frames, width]`, for some frames. */
function crossRows({ configuration }: WhisperModel, { cross, positions }: EncodedAudio, every: number) {
  const { width, decoderHeads, decoderLayers } = configuration;
  const headSize = width / decoderHeads;
  const rowsOf = (kind: 'key' | 'value') => {
    const tensor = cross[`cross_${kind}.${decoderLayers - 1}`]!;
    const scale = cross[`cross_${kind}_scale.${decoderLayers - 1}`]?.data as Float32Array | undefined;
    const data = tensor.data as Float32Array | Uint8Array | Int8Array;
    const zeroPoint = tensor.type === 'uint8' ? 128 : 0;
    const framesFirst = tensor.dims[2] === positions;
    const rows: number[] = [];
    for (let frame = 0; frame < positions; frame += every) {
      for (let channel = 0; channel < width; channel++) {
        const [head, ofHead] = [Math.floor(channel / headSize), channel % headSize];
        const at = framesFirst ? (head * positions + frame) * headSize + ofHead : channel * positions + frame;
        rows.push(scale ? (data[at]! - zeroPoint) * scale[channel]! : data[at]!);
      }
    }
    return rows;
  };
  return { keys: rowsOf('key'), values: rowsOf('value') };
}

/** Feeds the tokens of a golden: the prompt in one step, the others one by one. */
async function teacherForced(decoder: DecoderState, golden: Golden) {
  const { prompt, tokens, logitsAt, attentionAt } = golden;
  const logits: number[] = [];
  const attention: number[] = [];
  for (let last = prompt - 1; last < tokens.length; last++) {
    const step = await decoder.step([last < prompt ? tokens.slice(0, prompt) : [tokens[last]!]]);
    if (logitsAt.includes(last)) logits.push(...step.logits[0]!.values);
    if (attentionAt.includes(last)) attention.push(...step.attention[0]!);
  }
  return { logits, attention };
}

const references: [string, Variant, string, number | undefined][] = [
  ...variants.map((variant): [string, Variant, string, undefined] => [variant, variant, variant, undefined]),
  ['sharded-f32 over audio of 30 positions', 'sharded-f32', 'sharded-f32-short', 30],
];

describe.each(references)('WhisperModel of the checkpoint %s', (_, variant, name, positions) => {
  const golden = readGolden(name);
  let checkpoint: string;
  beforeAll(() => {
    checkpoint = randomCheckpoint(variant, name);
  });

  it('gives the numbers of the reference in float32', async () => {
    const model = await load(checkpoint, 'float32');
    const audio = await encodeFormula(model, positions);
    const { keys, values } = crossRows(model, audio, golden.everyFrame);
    expect(largestDifference(keys, golden.crossKey)).toBeLessThan(5e-5);
    expect(largestDifference(values, golden.crossValue)).toBeLessThan(5e-5);
    const { logits, attention } = await teacherForced(model.decode(audio), golden);
    expect(largestDifference(logits, golden.logits)).toBeLessThan(5e-5);
    expect(largestDifference(attention, golden.attention)).toBeLessThan(1e-5);
    const greedy: number[] = [];
    const decoder = model.decode(audio);
    for (let next = golden.tokens.slice(0, golden.prompt); greedy.length < golden.greedy.length; ) {
      next = [best((await decoder.step([next])).logits[0]!.values)];
      greedy.push(...next);
    }
    expect(greedy).toEqual(golden.greedy);
  });

  it.each(devices)('is close to the reference in int8 %s', async (_, device) => {
    const model = await load(checkpoint, 'int8', [], device);
    const audio = await encodeFormula(model, positions);
    const { keys, values } = crossRows(model, audio, golden.everyFrame);
    expect(relativeError(keys, golden.crossKey)).toBeLessThan(0.05);
    expect(relativeError(values, golden.crossValue)).toBeLessThan(0.05);
    const { logits } = await teacherForced(model.decode(audio), golden);
    expect(relativeError(logits, golden.logits)).toBeLessThan(0.06);
    const decoder = model.decode(audio);
    let agreed = 0;
    let fed = golden.tokens.slice(0, golden.prompt);
    for (const token of golden.greedy) {
      if (best((await decoder.step([fed])).logits[0]!.values) === token) agreed++;
      fed = [token];
    }
    expect(agreed / golden.greedy.length).toBeGreaterThan(0.85);
  });
});

const forms: [ComputeType, string, Device][] = [
  ['float32', '', cpu()],
  ...devices.map(([label, device]): [ComputeType, string, Device] => ['int8', label, device]),
];

describe.each(forms)('a decoder in %s %s', (computeType, _, device) => {
  // Attention of one row and of several round differently, by 1e-7; in int8 that moves some bytes by one.
  const bound = computeType === 'float32' ? 1e-5 : 0.05;
  const variant: Variant = 'sharded-f32';
  let model: WhisperModel;
  let audio: EncodedAudio;
  beforeAll(async () => {
    model = await load(randomCheckpoint(variant, `${variant}-${computeType}`), computeType, [], device);
    audio = await encodeFormula(model);
  });

  const tokens = (seed: number, count: number) =>
    Array.from({ length: count }, (_, index) => (seed * 31 + index * 17) % 200);

  async function alone(sequence: readonly number[]) {
    const decoder = model.decode(audio);
    await decoder.step([sequence.slice(0, -1)]);
    const { logits, attention } = await decoder.step([sequence.slice(-1)]);
    return { logits: logits[0]!.values, attention: attention[0]! };
  }

  it.each([10, 64, 100])('feeds a prompt of %d tokens in one step or token by token', async (count) => {
    const prompt = tokens(1, count);
    const once = model.decode(audio);
    const together = await once.step([prompt]);
    const singly = model.decode(audio);
    let last = await singly.step([[prompt[0]!]]);
    for (const token of prompt.slice(1)) last = await singly.step([[token]]);
    expect(once.length).toBe(count);
    expect(singly.length).toBe(count);
    expect(relativeError(together.logits[0]!.values, last.logits[0]!.values)).toBeLessThan(bound);
    expect(relativeError(together.attention[0]!, last.attention[0]!)).toBeLessThan(2 * bound);
    const [next, other] = [await once.step([[7]]), await singly.step([[7]])];
    expect(relativeError(next.logits[0]!.values, other.logits[0]!.values)).toBeLessThan(bound);
  });

  it('returns the logits of an earlier prompt token besides the last one', async () => {
    const prompt = tokens(1, 12);
    const { logits, earlier } = await model.decode(audio).start(prompt, 4);
    const [untilThen, untilTheEnd] = [await alone(prompt.slice(0, 5)), await alone(prompt)];
    const { first } = earlier;
    expect(relativeError(earlier.values, untilThen.logits.subarray(first))).toBeLessThan(bound);
    expect(relativeError(logits[0]!.values, untilTheEnd.logits.subarray(first))).toBeLessThan(bound);
    expect(relativeError(logits[0]!.values, earlier.values)).toBeGreaterThan(0.1);
    expect(Math.abs(earlier.logSumExp() - logSumExp(untilThen.logits))).toBeLessThan(bound);
    const decoder = model.decode(audio);
    for (const wrong of [-1, 12, 0.5]) await expect(decoder.start(prompt, wrong)).rejects.toThrow(RangeError);
  });

  it('answers each of several tokens, and truncates some of them', async () => {
    const prompt = tokens(1, 12);
    const decoder = model.decode(audio);
    await decoder.step([prompt.slice(0, 8)]);
    const { logits, attention } = await decoder.feed(prompt.slice(8));
    expect(logits).toHaveLength(4);
    for (const [index, each] of logits.entries()) {
      const reference = await alone(prompt.slice(0, 9 + index));
      expect(relativeError(each.values, reference.logits.subarray(each.first))).toBeLessThan(bound);
      expect(relativeError(attention[index]!, reference.attention)).toBeLessThan(2 * bound);
    }
    decoder.truncate(10);
    expect(decoder.length).toBe(10);
    const other = [...prompt.slice(0, 10), ...tokens(5, 2)];
    await decoder.step([other.slice(10, 11)]);
    const step = await decoder.step([other.slice(11)]);
    expect(relativeError(step.logits[0]!.values, (await alone(other)).logits)).toBeLessThan(bound);
  });

  it('summarizes text without suppressed tokens, except at the start of a transcript', async () => {
    const never = [3, 40, 41, 127, 128, 160];
    const strict = await load(randomCheckpoint(variant, `${variant}-${computeType}-never`), computeType, never, device);
    const prompt = tokens(2, 9);
    const [each, summed] = [model.decode(audio), strict.decode(audio)];
    const [{ logits }, started] = [await each.step([prompt]), await summed.start(prompt, 8)];
    expect(started.logits[0]!.first).toBe(128);
    expect(Math.abs(started.logits[0]!.logSumExp() - logSumExp(logits[0]!.values))).toBeLessThan(bound);
    for (const decoder of [each, summed]) decoder.keep([0, 0, 0]);
    const blocks = new Set<number>();
    for (let step = 1; step <= 30; step++) {
      const fed = [1, 2, 3].map((stream) => [(step * 53 + stream * 31) % 200]);
      const [whole, parts] = [await each.step(fed), await summed.step(fed, { summed: true })];
      for (const [stream, part] of parts.logits.entries()) {
        const reference = whole.logits[stream]!;
        expect([...part.values]).toEqual([...reference.values.subarray(128)]);
        reference.forbidEach(never);
        part.forbidEach(never);
        expect(part.mostProbable().token).toBe(reference.mostProbable().token);
        expect(part.mostProbable().logprob).toBeCloseTo(reference.mostProbable().logprob, 5);
        expect(part.maximum(0, 150)).toBe(reference.maximum(0, 150));
        blocks.add(Math.floor(part.mostProbable().token / 128));
      }
    }
    expect(blocks.size).toBe(2);
  });

  it('reads an empty summary as no text', async () => {
    const everything = Array.from({ length: 200 }, (_, token) => token);
    const strict = await load(
      randomCheckpoint(variant, `${variant}-${computeType}-mute`),
      computeType,
      everything,
      device,
    );
    const decoder = strict.decode(audio);
    await decoder.start([1, 2], 0);
    const [logits] = (await decoder.step([[3]], { summed: true })).logits;
    expect(logits!.maximum(0, 128)).toBe(Number.NEGATIVE_INFINITY);
    expect(logits!.logSumExp()).toBeCloseTo(logSumExp(logits!.values), 6);
    expect(logits!.mostProbable().token).toBeGreaterThanOrEqual(128);
  });

  it('returns attention only on request', async () => {
    const decoder = model.decode(audio, { attention: false });
    expect((await decoder.step([tokens(1, 5)])).attention).toEqual([new Float32Array(0)]);
    expect((await decoder.step([[1]])).attention).toEqual([new Float32Array(0)]);
  });

  it('keeps streams separate', async () => {
    const decoder = model.decode(audio);
    const prompt = tokens(1, 5);
    await decoder.step([prompt]);
    decoder.keep([0, 0, 0]);
    expect(decoder.streams).toBe(3);
    const ends = [tokens(2, 4), tokens(3, 4), tokens(4, 4)];
    await decoder.step(ends.map((end) => end.slice(0, 3)));
    const step = await decoder.step(ends.map((end) => end.slice(3)));
    expect(step.logits).toHaveLength(3);
    for (const [stream, end] of ends.entries()) {
      const reference = await alone([...prompt, ...end]);
      expect(relativeError(step.logits[stream]!.values, reference.logits)).toBeLessThan(bound);
      expect(relativeError(step.attention[stream]!, reference.attention)).toBeLessThan(2 * bound);
    }
    expect(relativeError(step.logits[0]!.values, step.logits[1]!.values)).toBeGreaterThan(0.1);
  });

  it('continues the kept streams in order when the cache grows', async () => {
    const decoder = model.decode(audio);
    await decoder.step([tokens(1, 60)]);
    decoder.keep([0, 0]);
    await decoder.step([tokens(2, 3), tokens(3, 3)]);
    decoder.keep([1, 0, 1]);
    await decoder.step([tokens(4, 70), tokens(5, 70), tokens(6, 70)]);
    decoder.keep([2, 1]);
    const step = await decoder.step([[9], [10]]);
    expect(decoder.length).toBe(134);
    const sequences = [
      [...tokens(1, 60), ...tokens(3, 3), ...tokens(6, 70), 9],
      [...tokens(1, 60), ...tokens(2, 3), ...tokens(5, 70), 10],
    ];
    for (const [stream, sequence] of sequences.entries()) {
      expect(relativeError(step.logits[stream]!.values, (await alone(sequence)).logits)).toBeLessThan(bound);
    }
  });

  it('encodes the lengths of audio that the graphs take, and no others', async () => {
    const { mels, audioPositions } = model.configuration;
    const lengths = audioLengths(model.configuration);
    for (const positions of lengths) {
      const short = await encodeFormula(model, positions);
      expect(short.positions).toBe(positions);
      const { attention } = await model.decode(short).step([[1, 2]]);
      expect(attention[0]!.length).toBe(model.configuration.alignmentHeads.length * positions);
    }
    const [shortest] = lengths as [number];
    for (const wrong of [0, shortest - 1, shortest + 1, audioPositions + shortest]) {
      await expect(encodeFormula(model, wrong)).rejects.toThrow(RangeError);
    }
    await expect(model.encode(new Float32Array(mels * 2 * shortest + 1))).rejects.toThrow(RangeError);
  });

  it('limits a sequence to the positions of the checkpoint', async () => {
    const decoder = model.decode(audio);
    const { textPositions } = model.configuration;
    await expect(decoder.step([tokens(1, textPositions + 1)])).rejects.toThrow(RangeError);
    await decoder.step([tokens(1, textPositions - 1)]);
    await expect(decoder.step([[1, 2]])).rejects.toThrow(RangeError);
    const { logits } = await decoder.step([[1]]);
    expect(logits[0]!.values.every(Number.isFinite)).toBe(true);
    expect(decoder.length).toBe(textPositions);
    await expect(decoder.step([[1]])).rejects.toThrow(RangeError);
  });

  it('rejects invalid arguments', async () => {
    const decoder = model.decode(audio);
    for (const wrong of [[], [[]], [[1], [2]], [[200]], [[-1]], [[0.5]]]) {
      await expect(decoder.step(wrong)).rejects.toThrow(RangeError);
    }
    for (const wrong of [[], [1], [-1], [0.5]]) expect(() => decoder.keep(wrong)).toThrow(RangeError);
    expect(decoder.length).toBe(0);
  });
});

it.each([100, 40])('the graphs take several audios of %d positions, each with its own streams', async (positions) => {
  const compiled = await compile(randomCheckpoint('bf16-128-mels', `audios-${positions}`), 'float32');
  const { mels, width, decoderLayers, decoderHeads, vocabulary } = compiled.configuration;
  const encoder = await Session.load(join(compiled.folder, 'encoder.onnx'), cpu());
  const decoder = await Session.load(join(compiled.folder, 'decoder.onnx'), cpu());
  const wave = (length: number, step: number) => Float32Array.from({ length }, (_, index) => Math.sin(index * step));
  const tokens = 2;
  const past = 3;
  const run = async (mel: Float32Array, x: Float32Array, audios: number, streams: number) => {
    const cross = await encoder.run({ mel: float32(mel, [audios, mels, 2 * positions]) });
    const feeds: Feeds = { ...cross, x: float32(x, [audios * streams, tokens, width]) };
    const mask = Array.from({ length: audios * streams }, () => [0, 0, 0, 0, -1e9, 0, 0, 0, 0, 0]);
    feeds.mask = float32(Float32Array.from(mask.flat()), [audios * streams, 1, tokens, past + tokens]);
    for (let layer = 0; layer < decoderLayers; layer++) {
      for (const kind of ['key', 'value']) {
        const dims = [audios * streams, decoderHeads, past, width / decoderHeads];
        feeds[`past_${kind}.${layer}`] = float32(new Float32Array(audios * streams * past * width).fill(0.3), dims);
      }
    }
    const text_mask = float32(new Float32Array(128), [128]);
    return decoder.run({ ...feeds, text_mask, sum_up: bool(true), answered: int64s([tokens - 1]) });
  };
  const size = mels * 2 * positions;
  const mel = new Float32Array(2 * size);
  mel.set(wave(size, 0.37));
  mel.set(wave(size, 0.53), size);
  const streams = 3;
  const x = wave(2 * streams * tokens * width, 0.9);
  const both = await run(mel, x, 2, streams);
  for (const audio of [0, 1]) {
    const part = <T extends Float32Array>(data: T) =>
      data.subarray((audio * data.length) / 2, ((audio + 1) * data.length) / 2);
    const one = await run(part(mel), part(x), 1, streams);
    expect(one.text!.dims).toEqual([streams, 128]);
    expect(one.others!.dims).toEqual([streams, vocabulary - 128]);
    expect(one.summary!.dims).toEqual([streams, 1 + 1 + 128]);
    expect(one.attention!.dims).toEqual([streams, 2, positions]);
    for (const name of ['text', 'others', 'summary', 'attention', 'key.1', 'value.1']) {
      expect(largestDifference(part(both[name]!.data as Float32Array), one[name]!.data as Float32Array)).toBeLessThan(
        1e-5,
      );
    }
  }
  const [first, second] = [0, 1].map((audio) =>
    (both.attention!.data as Float32Array).subarray(audio * streams * 2 * positions).slice(0, positions),
  );
  expect(largestDifference(first!, second!)).toBeGreaterThan(1e-3);
});

describe('compileWhisper', () => {
  const compiledFolders = async () => (await readdir(join(modelsDir, 'compiled'))).sort();

  it('compiles the same files once, and again for other weights or another compute type', async () => {
    const checkpoint = randomCheckpoint('deep-encoder-f16', 'identity');
    const first = await compile(checkpoint, 'int8');
    const before = await compiledFolders();
    expect((await compile(checkpoint, 'int8')).folder).toBe(first.folder);
    expect(await compiledFolders()).toEqual(before);
    expect((await compile(checkpoint, 'float32')).folder).not.toBe(first.folder);
    const weights = join(checkpoint, 'model.safetensors');
    const bytes = await readFile(weights);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(weights, bytes);
    expect((await compile(checkpoint, 'int8')).folder).not.toBe(first.folder);
    await utimes(weights, 0, 0);
    const touched = await compile(checkpoint, 'int8');
    // The same date and size, other bytes.
    bytes.fill(0x2a, Math.floor(bytes.length / 2));
    await writeFile(weights, bytes);
    await utimes(weights, 0, 0);
    expect((await compile(checkpoint, 'int8')).folder).not.toBe(touched.folder);
  });

  const faults: [string, (compiled: CompiledWhisper) => Promise<unknown>][] = [
    ['weights are cut off', ({ folder }) => truncate(join(folder, 'decoder.weights'), 50_000)],
    ['graph is damaged', ({ folder }) => writeFile(join(folder, 'encoder.onnx'), 'no model')],
    ['table of tokens is cut off', ({ folder }) => truncate(join(folder, 'embedding.f32'), 1000)],
    ['table of positions is missing', ({ folder }) => rm(join(folder, 'positions.f32'))],
  ];
  it.each(faults)('compiles again if the %s', async (_, damage) => {
    const checkpoint = randomCheckpoint('deep-encoder-f16', 'damaged');
    const compiled = await compile(checkpoint, 'float32');
    await damage(compiled);
    const model = await WhisperModel.load(compiled);
    const golden = readGolden('deep-encoder-f16');
    const { logits } = await teacherForced(model.decode(await encodeFormula(model)), golden);
    expect(largestDifference(logits, golden.logits)).toBeLessThan(5e-5);
  });

  it('fails if the checkpoint is gone when it must compile again', async () => {
    const checkpoint = randomCheckpoint('deep-encoder-f16', 'gone');
    const compiled = await compile(checkpoint, 'float32');
    await rm(compiled.folder, { recursive: true });
    await rm(join(checkpoint, 'model.safetensors'));
    await expect(WhisperModel.load(compiled)).rejects.toMatchObject({ code: 'model_load_failed' });
  });

  /** Changes the one file of weights; `offset` is the start of the tensor's data. */
  async function patch(name: string, tensor: string, change: (file: Buffer, offset: number) => void): Promise<string> {
    const checkpoint = randomCheckpoint('bf16-128-mels', name);
    const path = join(checkpoint, 'model.safetensors');
    const file = await readFile(path);
    const length = Number(file.readBigUInt64LE());
    const header = JSON.parse(file.toString('utf8', 8, 8 + length));
    change(file, 8 + length + header[tensor].data_offsets[0]);
    await writeFile(path, file);
    return checkpoint;
  }

  const wrongCheckpoints: [string, string, () => Promise<string>][] = [
    [
      'is missing',
      'model.decoder.layers.1.fc1.bias',
      () =>
        patch('missing', 'model.decoder.layers.1.fc1.bias', (file) => {
          file.write('decoder.layers.1.fc1.bios', file.indexOf('decoder.layers.1.fc1.bias'));
        }),
    ],
    [
      'is not a number somewhere',
      'model.decoder.embed_tokens.weight',
      () =>
        patch('nan', 'model.decoder.embed_tokens.weight', (file, offset) => {
          file.writeUInt16LE(0x7fc0, offset + 1000);
        }),
    ],
    [
      'is infinite somewhere',
      'model.encoder.layers.0.self_attn.k_proj.weight',
      () =>
        patch('infinite', 'model.encoder.layers.0.self_attn.k_proj.weight', (file, offset) => {
          file.writeUInt16LE(0xff80, offset);
        }),
    ],
    [
      'has another shape',
      'model.encoder.conv1.weight',
      async () => {
        const checkpoint = randomCheckpoint('bf16-128-mels', 'shape');
        const config = join(checkpoint, 'config.json');
        await writeFile(config, (await readFile(config, 'utf8')).replace('"num_mel_bins": 128', '"num_mel_bins": 80'));
        return checkpoint;
      },
    ],
  ];
  it.each(wrongCheckpoints)('names the tensor that %s: %s', async (_, tensor, make) => {
    const checkpoint = await make();
    const before = await compiledFolders();
    await expect(compile(checkpoint, 'int8')).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining(tensor),
    });
    expect(await compiledFolders()).toEqual(before);
  });

  it('names a file of weights that is a directory, as one mounted from a missing file is', async () => {
    const checkpoint = randomCheckpoint('bf16-128-mels', 'directory');
    const path = join(checkpoint, 'model.safetensors');
    await rm(path);
    await mkdir(path);
    await expect(compile(checkpoint, 'int8')).rejects.toThrow(
      "The checkpoint's model.safetensors cannot be used: it cannot be opened (EISDIR).",
    );
  });
});
