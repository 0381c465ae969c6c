import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SMALL_EMBEDDING, smallCampplusFile } from '../../../../test/fixtures/campplus.ts';
import { modelsDir } from '../../../../test/fixtures/models-dir.ts';
import { seededNoise } from '../../../../test/fixtures/speech.ts';
import { cpu } from '../../../ort/device.ts';
import { compileCampplus } from '../graph/compile.ts';
import { CampplusModel } from './model.ts';

const START = 48_000;
let model: CampplusModel;
beforeAll(async () => {
  const checkpoint = join(modelsDir, 'small.bin');
  writeFileSync(checkpoint, smallCampplusFile());
  model = await CampplusModel.load(await compileCampplus({ checkpoint: modelsDir, modelsDir, device: cpu() }));
});

/** Noise of two colours, one after the other. */
function windowOf(seconds: number) {
  const noise = seededNoise(3);
  let last = 0;
  const samples = Float32Array.from({ length: seconds * 16_000 }, (_, index) => {
    last = index < seconds * 8000 ? noise() : 0.95 * last + 0.1 * noise();
    return 0.3 * last;
  });
  const speech = [
    { start: START + 1600, end: START + 64_000 },
    { start: START + 70_000, end: START + samples.length },
  ];
  return { start: START, samples, speech };
}
const never = new AbortController().signal;

describe('CampplusModel', () => {
  it('embeds all speech of a window piece by piece, in order, and changes nothing', async () => {
    const window = windowOf(30);
    const before = structuredClone(window);
    const voices = await model.embed(window, never);
    expect(window).toEqual(before);
    // 3.9 s and 25.6 s, with 0.05 s on both sides as far as there is something.
    expect(voices.length).toBe(5 + 34);
    expect(voices[0]!.start).toBe(START + 800);
    expect(voices[4]!.end).toBe(START + 64_800);
    expect(voices[5]!.start).toBe(START + 69_200);
    expect(voices.at(-1)!.end).toBe(START + window.samples.length);
    for (const { embedding } of voices) {
      expect(embedding.length).toBe(SMALL_EMBEDDING);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
    }
  });

  it('embeds a piece the same, whatever is in the batch with it', async () => {
    const window = windowOf(30);
    const [, second] = window.speech;
    const all = await model.embed(window, never);
    const alone = await model.embed({ ...window, speech: [second!] }, never);
    expect(alone.length).toBe(34);
    for (const [index, { embedding }] of alone.entries()) {
      for (const [at, value] of embedding.entries()) expect(all[5 + index]!.embedding[at]).toBeCloseTo(value, 5);
    }
  });

  it('gives digital silence a valid embedding, and a window without speech none', async () => {
    const window = { start: 0, samples: new Float32Array(16_000), speech: [{ start: 0, end: 16_000 }] };
    const [voice] = await model.embed(window, never);
    expect(Math.hypot(...voice!.embedding)).toBeCloseTo(1, 5);
    expect(await model.embed({ ...window, speech: [] }, never)).toEqual([]);
  });

  it('stops on request', async () => {
    await expect(model.embed(windowOf(30), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});

describe('a directory', () => {
  it('is refused if it has two checkpoints, or none', async () => {
    writeFileSync(join(modelsDir, 'other.pt'), smallCampplusFile());
    const two = compileCampplus({ checkpoint: modelsDir, modelsDir, device: cpu() });
    await expect(two).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('more than one checkpoint: other.pt, small.bin'),
    });
    const none = compileCampplus({ checkpoint: join(modelsDir, 'compiled'), modelsDir, device: cpu() });
    await expect(none).rejects.toMatchObject({ message: expect.stringContaining('has no checkpoint') });
    // The one that is named after the model counts.
    writeFileSync(join(modelsDir, 'campplus_small.pt'), smallCampplusFile());
    await expect(compileCampplus({ checkpoint: modelsDir, modelsDir, device: cpu() })).resolves.toBeDefined();
  });
});
