import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tensor } from 'onnxruntime-common';
import { beforeAll, describe, expect, it } from 'vitest';
import { devices } from '../../../../test/fixtures/devices.ts';
import { sharedModelsDir as modelsDir } from '../../../../test/fixtures/shared-models.ts';
import { hasSpeech, readSpeech, speechFile } from '../../../../test/fixtures/speech.ts';
import { type ComputeType, cpu, type Device } from '../../../ort/device.ts';
import { type Feeds, float32, int64, Session } from '../../../ort/session.ts';
import { decodeGreedily, MoonshineModel } from '../model.ts';
import { compileMoonshine } from './compile.ts';

const directory = join(
  dirname(fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))),
  'model/tiny/quantized',
);

/** The published export, run as intended: the reference for our graphs. */
class PublishedMoonshine {
  readonly #encoder: Session;
  readonly #decoder: Session;

  constructor(encoder: Session, decoder: Session) {
    this.#encoder = encoder;
    this.#decoder = decoder;
  }

  static async load(): Promise<PublishedMoonshine> {
    const load = (name: string) => Session.load(join(directory, name), cpu());
    return new PublishedMoonshine(await load('encoder_model.onnx'), await load('decoder_model_merged.onnx'));
  }

  async transcribe(samples: Float32Array): Promise<{ tokens: number[]; logprobs: number[] }> {
    const encoded = await this.#encoder.run({ input_values: float32(samples, [1, samples.length]) });
    const past: Feeds = {};
    for (let layer = 0; layer < 6; layer++) {
      for (const name of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
        past[`past_key_values.${layer}.${name}`] = float32(new Float32Array(0), [0, 8, 1, 36]);
      }
    }
    const tokens: number[] = [];
    const logprobs: number[] = [];
    for (let token = 1; ; ) {
      const outputs = await this.#decoder.run({
        ...past,
        input_ids: int64(token, [1, 1]),
        encoder_hidden_states: encoded.last_hidden_state!,
        use_cache_branch: new Tensor('bool', [tokens.length > 0], [1]),
      });
      const logits = outputs.logits!.data as Float32Array;
      token = logits.indexOf(logits.reduce((best, value) => Math.max(best, value)));
      if (token === 2) return { tokens, logprobs };
      logprobs.push(-Math.log(logits.reduce((sum, value) => sum + Math.exp(value - logits[token]!), 0)));
      for (const name of Object.keys(past)) {
        if (tokens.length === 0 || name.includes('.decoder.'))
          past[name] = outputs[name.replace('past_key_values', 'present')]!;
      }
      tokens.push(token);
    }
  }
}

describe.skipIf(!hasSpeech)('compiled Moonshine graphs', () => {
  let published: { tokens: number[]; logprobs: number[] }[];
  let clips: Float32Array[];

  beforeAll(async () => {
    const reading = await readSpeech(speechFile('two_cities.wav'));
    const seconds = (from: number, to: number) => reading.slice(from * 16_000, to * 16_000);
    clips = [await readSpeech(speechFile('jfk.flac')), seconds(1, 5), seconds(13, 24)];
    const reference = await PublishedMoonshine.load();
    published = [];
    for (const clip of clips) published.push(await reference.transcribe(clip));
  });

  const forms: [ComputeType, string, Device][] = [
    ...devices.map(([label, device]): [ComputeType, string, Device] => ['int8', label, device]),
    ['float32', '', cpu()],
  ];
  it.each(forms)('give the tokens of the published export in %s %s', async (computeType, _, device) => {
    const model = await MoonshineModel.load(await compileMoonshine({ modelsDir, device, computeType }));
    for (const [index, clip] of clips.entries()) {
      const ours = await decodeGreedily(await model.encode(clip), 200);
      const theirs = published[index]!;
      expect(ours.tokens).toEqual(theirs.tokens);
      // Both round activations to bytes, in a different order: some thousandths, rarely more.
      const differences = ours.logprobs.map((logprob, step) => Math.abs(logprob - theirs.logprobs[step]!));
      expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(0.05);
      expect(Math.max(...differences)).toBeLessThan(0.5);
      // Attention is a probability distribution over the encoder's frames.
      for (const row of ours.attention) expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 3);
    }
  });

  it('choose the same tokens for a correct guess, a wrong one and one that is too long', async () => {
    const model = await MoonshineModel.load(
      await compileMoonshine({ modelsDir, device: cpu(), computeType: 'float32' }),
    );
    const alone = await decodeGreedily(await model.encode(clips[1]!), 200);
    const { tokens } = alone;
    const wrong = tokens.with(5, tokens[5]! + 1);
    for (const expected of [tokens, tokens.slice(0, 4), wrong, [...tokens, ...tokens]]) {
      const guessed = await decodeGreedily(await model.encode(clips[1]!), 200, expected);
      expect(guessed.tokens).toEqual(tokens);
      for (const [index, logprob] of guessed.logprobs.entries()) expect(logprob).toBeCloseTo(alone.logprobs[index]!, 2);
      for (const [index, row] of guessed.attention.entries()) {
        expect(Math.max(...row.map((value, frame) => Math.abs(value - alone.attention[index]![frame]!)))).toBeLessThan(
          0.01,
        );
      }
    }
  });

  it('decode the same after a reset, and beyond the initial cache capacity', async () => {
    const model = await MoonshineModel.load(await compileMoonshine({ modelsDir, device: cpu(), computeType: 'int8' }));
    const state = await model.encode(clips[2]!);
    const first: number[] = [];
    const again: number[] = [];
    for (const tokens of [first, again]) {
      state.truncate(0);
      // The end is forbidden, so that the sequence grows past 64 tokens.
      for (let token = 1; tokens.length < 80; tokens.push(token)) {
        token = (await state.step(token, { forbidEnd: true })).token;
      }
    }
    expect(again).toEqual(first);
    expect(first).not.toContain(2);
  });
});
