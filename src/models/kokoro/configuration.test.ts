import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallKokoro } from '../../../test/fixtures/kokoro.ts';
import { frameSamples, kokoroConfiguration, readKokoroConfiguration } from './configuration.ts';

const json = JSON.parse(readFileSync(join(smallKokoro, 'config.json'), 'utf8'));
const failure = (change: object) => () => kokoroConfiguration({ ...json, ...change });

describe('kokoroConfiguration', () => {
  it('reads the config.json of a checkpoint', () => {
    const configuration = kokoroConfiguration(json);
    expect(configuration).toMatchObject({ width: 24, vocabulary: 178, style: 128, albert: { width: 48, heads: 4 } });
    expect(configuration.generator.stages).toEqual([
      { rate: 10, kernel: 20 },
      { rate: 6, kernel: 12 },
    ]);
    expect(configuration.tokens.get('ɛ')).toBe(json.vocab.ɛ);
    // 40 frames a second at 24 kHz.
    expect(frameSamples(configuration)).toBe(600);
  });

  it.each([
    ['a missing width', { hidden_dim: undefined }, 'hidden_dim'],
    ['a token beyond the embedding table', { vocab: { a: 178 } }, 'vocab: the token of a'],
    ['a phoneme of two characters', { vocab: { ab: 1 } }, 'vocab: "ab"'],
    ['rates without kernels', { istftnet: { ...json.istftnet, upsample_kernel_sizes: [20] } }, 'upsample_kernel_sizes'],
    ['an even kernel', { istftnet: { ...json.istftnet, resblock_kernel_sizes: [3, 7, 10] } }, 'resblock_kernel_sizes'],
    ['an overlap other than 4', { istftnet: { ...json.istftnet, gen_istft_hop_size: 4 } }, 'gen_istft_n_fft'],
    [
      'heads that do not divide the width',
      { plbert: { ...json.plbert, num_attention_heads: 5 } },
      'plbert.hidden_size',
    ],
  ])('names the field for %s', (_, change, message) => {
    expect(failure(change)).toThrow(expect.objectContaining({ code: 'model_load_failed' }));
    expect(failure(change)).toThrow(message);
  });

  it('fails with model_load_failed if the file cannot be read', async () => {
    const reading = readKokoroConfiguration(join(smallKokoro, 'nothing.json'));
    await expect(reading).rejects.toMatchObject({ code: 'model_load_failed' });
  });
});
