import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HearsayError } from '../../errors.ts';
import { readWhisperConfiguration } from './configuration.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-configuration-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Fields of the official files, read and unread. */
const tiny = {
  _name_or_path: 'openai/whisper-tiny',
  model_type: 'whisper',
  activation_function: 'gelu',
  d_model: 384,
  encoder_layers: 4,
  encoder_attention_heads: 6,
  encoder_ffn_dim: 1536,
  decoder_layers: 4,
  decoder_attention_heads: 6,
  decoder_ffn_dim: 1536,
  num_mel_bins: 80,
  max_source_positions: 1500,
  max_target_positions: 448,
  vocab_size: 51_865,
  scale_embedding: false,
  begin_suppress_tokens: [220, 50_257],
  suppress_tokens: [1, 2, 7],
};
const generation = {
  alignment_heads: [
    [2, 2],
    [3, 0],
  ],
  suppress_tokens: [1, 2],
  is_multilingual: true,
};
const preprocessor = { feature_size: 80, sampling_rate: 16_000, hop_length: 160, n_fft: 400, chunk_length: 30 };

function checkpoint(files: Record<string, unknown>): string {
  const directory = mkdtempSync(join(root, 'checkpoint-'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return directory;
}

const read = (files: Record<string, unknown>) => readWhisperConfiguration(checkpoint(files));

/** Of the official checkpoint. */
const tinyHeads = [
  [2, 2],
  [3, 0],
  [3, 2],
  [3, 3],
  [3, 4],
  [3, 5],
];
/** All heads of some layers. */
const heads = (layers: number[], count: number) =>
  layers.flatMap((layer) => Array.from({ length: count }, (_, head) => [layer, head]));

describe('readWhisperConfiguration', () => {
  it('reads the official files', async () => {
    const files = { config: tiny, generation_config: generation, preprocessor_config: preprocessor };
    expect(await read(files)).toEqual({
      width: 384,
      encoderLayers: 4,
      encoderHeads: 6,
      encoderFeedForward: 1536,
      decoderLayers: 4,
      decoderHeads: 6,
      decoderFeedForward: 1536,
      mels: 80,
      audioPositions: 1500,
      textPositions: 448,
      vocabulary: 51_865,
      alignmentHeads: [
        [2, 2],
        [3, 0],
      ],
      suppressTokens: [1, 2],
      beginSuppressTokens: [220, 50_257],
      multilingual: true,
    });
  });

  it('reads a checkpoint with config.json alone', async () => {
    expect(await read({ config: tiny })).toMatchObject({
      alignmentHeads: tinyHeads,
      suppressTokens: [1, 2, 7],
      multilingual: true,
    });
    const english = { ...tiny, vocab_size: 51_864, decoder_layers: 5, suppress_tokens: null };
    expect(await read({ config: english })).toMatchObject({
      alignmentHeads: heads([2, 3, 4], 6),
      suppressTokens: [],
      multilingual: false,
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['empty', []],
    ["its teacher's", [[7, 0], [10, 17]]], // biome-ignore format: one case a line
    ['out of range', [[2, 0], [3, 6]]], // biome-ignore format: one case a line
  ])('uses the official heads, or those of the upper layers, if the list of them is %s', async (_, alignment_heads) => {
    const known = await read({ config: tiny, generation_config: { alignment_heads } });
    expect(known.alignmentHeads).toEqual(tinyHeads);
    const own = { ...tiny, vocab_size: 60_000 };
    const { alignmentHeads } = await read({ config: own, generation_config: { alignment_heads } });
    expect(alignmentHeads).toEqual(heads([2, 3], 6));
  });

  it('reads a file with a byte order mark', async () => {
    expect(await read({ config: `\uFEFF${JSON.stringify(tiny)}` })).toMatchObject({ width: 384 });
  });

  it('reads is_multilingual, and ignores the vocabulary size then', async () => {
    const files = { config: { ...tiny, vocab_size: 500 }, generation_config: { is_multilingual: true } };
    expect(await read(files)).toMatchObject({ vocabulary: 500, multilingual: true });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a missing config.json', {}, 'no config.json'],
    ['invalid JSON', { config: '{' }, 'config.json cannot be used: it is not JSON'],
    ['an array', { config: [] }, 'config.json cannot be used: it'],
    ['another model', { config: { ...tiny, model_type: 'moonshine' } }, 'config.json cannot be used: model_type'],
    ['a missing field', { config: { ...tiny, d_model: undefined } }, 'd_model'],
    ['a size of 0', { config: { ...tiny, decoder_layers: 0 } }, 'decoder_layers'],
    ['a size that is a string', { config: { ...tiny, vocab_size: '51865' } }, 'vocab_size'],
    ['another activation', { config: { ...tiny, activation_function: 'relu' } }, 'activation_function'],
    ['scaled embeddings', { config: { ...tiny, scale_embedding: true } }, 'scale_embedding'],
    ['an untied output layer', { config: { ...tiny, tie_word_embeddings: false } }, 'tie_word_embeddings'],
    [
      'heads that do not divide the width',
      { config: { ...tiny, decoder_attention_heads: 7 } },
      'decoder_attention_heads: 7 heads',
    ],
    ['more mel bins than frequencies', { config: { ...tiny, num_mel_bins: 300 } }, 'num_mel_bins'],
    ['tokens that are strings', { config: { ...tiny, suppress_tokens: ['a'] } }, 'suppress_tokens.0'],
    ['malformed heads', { config: tiny, generation_config: { alignment_heads: [3] } }, 'generation_config.json'],
    ['a negative head', { config: tiny, generation_config: { alignment_heads: [[0, -1]] } }, 'alignment_heads.0.1'],
    [
      'a different number of mel bins',
      { config: tiny, preprocessor_config: { ...preprocessor, feature_size: 128 } },
      'feature_size: 128',
    ],
    [
      'another sampling rate',
      { config: tiny, preprocessor_config: { ...preprocessor, sampling_rate: 8000 } },
      'sampling_rate',
    ],
    ['another hop length', { config: tiny, preprocessor_config: { ...preprocessor, hop_length: 320 } }, 'hop_length'],
    ['another FFT size', { config: tiny, preprocessor_config: { ...preprocessor, n_fft: 512 } }, 'n_fft'],
    [
      'another window length',
      { config: tiny, preprocessor_config: { ...preprocessor, chunk_length: 15 } },
      'chunk_length: 15',
    ],
  ])('rejects %s, naming file and field', async (_, files, message) => {
    const error = await read(files).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(HearsayError);
    expect((error as HearsayError).code).toBe('model_load_failed');
    expect((error as HearsayError).message).toContain(message);
    expect((error as HearsayError).message).not.toContain(root);
  });
});
