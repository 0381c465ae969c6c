import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SMALL_EMBEDDING, smallCampplus, smallCampplusFile, type Tensors } from '../../../../test/fixtures/campplus.ts';
import { modelsDir } from '../../../../test/fixtures/models-dir.ts';
import { cpu } from '../../../ort/device.ts';
import { float32, Session } from '../../../ort/session.ts';
import { compileCampplus, graphPath } from './compile.ts';

/** Made by scripts/campplus-goldens.py. */
const golden: { embeddings: { frames: number; values: number[] }[] } = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/campplus.golden.json', import.meta.url), 'utf8'),
);
const checkpoint = join(modelsDir, 'small.pt');
const source = { checkpoint, modelsDir, device: cpu() };

beforeAll(() => {
  writeFileSync(checkpoint, smallCampplusFile());
  if (process.env.WRITE_CAMPPLUS) writeFileSync(process.env.WRITE_CAMPPLUS, smallCampplusFile());
});

/** The same formula as in scripts/campplus-goldens.py. */
const wave = (count: number) =>
  Float32Array.from({ length: count }, (_, index) => Math.sin(0.37 * index) * Math.cos(0.011 * index));

/** A checkpoint with some tensors changed, in its own file. */
function changed(name: string, change: (tensors: Tensors) => void): typeof source {
  const tensors = smallCampplus();
  change(tensors);
  const path = join(modelsDir, `${name}.pt`);
  writeFileSync(path, smallCampplusFile(tensors));
  return { ...source, checkpoint: path };
}

const failing = (message: string) => ({ code: 'model_load_failed', message: expect.stringContaining(message) });

describe('the graph of CAM++', () => {
  it.each(golden.embeddings)('embeds pieces of $frames frames as 3D-Speaker does', async ({ frames, values }) => {
    const session = await Session.load(graphPath(await compileCampplus(source)), cpu());
    const { embedding } = await session.run({ features: float32(wave(2 * 80 * frames), [2, 1, 80, frames]) });
    expect(embedding!.dims).toEqual([2, SMALL_EMBEDDING]);
    for (const [index, value] of values.entries()) expect(embedding!.data[index]).toBeCloseTo(value, 3);
  });

  it('is compiled once', async () => {
    const first = graphPath(await compileCampplus(source));
    const { ino } = await stat(first);
    expect(graphPath(await compileCampplus(source))).toBe(first);
    expect((await stat(first)).ino).toBe(ino);
    expect((await readdir(join(modelsDir, 'compiled'))).length).toBe(1);
  });
});

describe('a file that is no checkpoint of CAM++', () => {
  it('is refused by the tensor that is missing', async () => {
    const lacking = changed('lacking', (tensors) => delete tensors['xvector.block2.tdnnd1.linear1.weight']);
    await expect(compileCampplus(lacking)).rejects.toMatchObject(
      failing('lacking.pt cannot be used: it has no tensor xvector.block2.tdnnd1.linear1.weight'),
    );
    const other = changed('other', (tensors) => {
      for (const name of Object.keys(tensors)) if (!name.startsWith('xvector.block1')) delete tensors[name];
    });
    await expect(compileCampplus(other)).rejects.toMatchObject(failing('no tensor head.conv1.weight'));
  });

  it('is refused by a tensor of another shape, or values that are not finite', async () => {
    const wide = changed('wide', (tensors) => {
      tensors['head.bn2.weight'] = { shape: [3], data: new Float32Array(3) };
    });
    await expect(compileCampplus(wide)).rejects.toMatchObject(failing('head.bn2.weight has shape [3]'));
    const infinite = changed('infinite', (tensors) => {
      tensors['xvector.transit1.linear.weight']!.data[0] = Number.NaN;
    });
    await expect(compileCampplus(infinite)).rejects.toMatchObject(failing('values that are not finite'));
    const negative = changed('negative', (tensors) => {
      tensors['head.bn1.running_var']!.data[0] = -1;
    });
    await expect(compileCampplus(negative)).rejects.toMatchObject(failing('head.bn1.running_var has negative values'));
  });

  it('is refused if it is missing, or no PyTorch file', async () => {
    await expect(compileCampplus({ ...source, checkpoint: join(modelsDir, 'none.pt') })).rejects.toMatchObject(
      failing('none.pt cannot be used: it is missing'),
    );
    writeFileSync(join(modelsDir, 'text.pt'), 'hello');
    await expect(compileCampplus({ ...source, checkpoint: join(modelsDir, 'text.pt') })).rejects.toMatchObject(
      failing('text.pt'),
    );
  });
});
