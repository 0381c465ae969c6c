import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openAiFile } from '../../../../test/fixtures/openai-checkpoint.ts';
import { smallTokenTable, writeTokenizer } from '../../../../test/fixtures/whisper-tokenizer.ts';
import { WhisperTokenizer } from './tokenizer.ts';
import { checkTokenizer, findTokenizer } from './tokenizer-files.ts';

const root = mkdtempSync(join(tmpdir(), 'hearsay-tokenizer-files-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Tokens of the tokenizer that `checkpoint` writes. */
const SMALL = 256 + 8 + 99 + 1501;

function checkpoint(vocabulary: number, { hasTokenizer = false } = {}): { directory: string; path: string } {
  const directory = mkdtempSync(join(root, 'checkpoint-'));
  const path = join(directory, 'model.pt');
  const sizes = {
    n_audio_state: 4,
    n_audio_head: 1,
    n_audio_layer: 1,
    n_text_state: 4,
    n_text_head: 1,
    n_text_layer: 1,
  };
  const dims = { n_mels: 80, n_audio_ctx: 10, n_text_ctx: 10, n_vocab: vocabulary, ...sizes };
  const one = { shape: [1, 1], data: Float32Array.of(1) };
  writeFileSync(path, openAiFile(dims, { 'encoder.blocks.0.mlp.0.weight': one, 'decoder.blocks.0.mlp.0.weight': one }));
  if (hasTokenizer) writeTokenizer(directory, smallTokenTable());
  return { directory, path };
}

describe('findTokenizer', () => {
  it.each([
    [51_864, 'openai/whisper-tiny.en'],
    [51_865, 'openai/whisper-tiny'],
    [51_866, 'openai/whisper-large-v3'],
  ])('names the repository with the official vocabulary of %i tokens', async (vocabulary, repository) => {
    const found = await findTokenizer(checkpoint(vocabulary).path);
    expect(found).toMatchObject({ repository });
    expect('files' in found && found.files.test('tokenizer.json') && !found.files.test('model.safetensors')).toBe(true);
    // The tokenizer next to it is that of another checkpoint.
    expect(await findTokenizer(checkpoint(vocabulary, { hasTokenizer: true }).path)).toMatchObject({ repository });
  });

  it.each([SMALL, SMALL + 40])('uses the tokenizer next to a checkpoint of %i tokens', async (vocabulary) => {
    const { directory, path } = checkpoint(vocabulary, { hasTokenizer: true });
    expect(await findTokenizer(path)).toEqual({ directory });
  });

  it.each([
    ['none', SMALL, false, 'no tokenizer'],
    ['one with too many tokens', SMALL - 1, true, `not the tokenizer beside it, which has ${SMALL}`],
  ])(
    'says what to provide if there is %s next to an unknown vocabulary',
    async (_, vocabulary, hasTokenizer, lacking) => {
      await expect(findTokenizer(checkpoint(vocabulary, { hasTokenizer }).path)).rejects.toMatchObject({
        code: 'model_load_failed',
        message: expect.stringMatching(`model.pt .*${vocabulary} tokens but ${lacking}: put its tokenizer.json`),
      });
    },
  );

  it.each([
    ['{"model": {"type": "BPE", "vo', 'tokenizer.json cannot be used: it is not JSON'],
    ['{}', 'tokenizer.json cannot be used: model: '],
    ['{"model": {"type": "Unigram", "vocab": {}, "merges": []}}', 'tokenizer.json cannot be used: model.type: '],
    [
      '{"model": {"type": "BPE", "vocab": {}, "merges": []}}',
      'tokenizer.json cannot be used: it has no token for the byte 0',
    ],
  ])(
    'said that there is no tokenizer next to an unknown vocabulary if there is a broken one: %s',
    async (text, problem) => {
      const { directory, path } = checkpoint(SMALL);
      writeFileSync(join(directory, 'tokenizer.json'), text);
      await expect(findTokenizer(path)).rejects.toMatchObject({
        code: 'model_load_failed',
        message: expect.stringContaining(problem),
      });
    },
  );
});

describe('checkTokenizer', () => {
  it('takes a tokenizer that belongs to the model, and refuses one with other or more tokens', async () => {
    const { directory } = checkpoint(SMALL, { hasTokenizer: true });
    const { special } = await WhisperTokenizer.read(directory);
    const check = (timestampEnd: number, vocabulary: number) => () =>
      checkTokenizer({ ...special, timestampEnd }, vocabulary);
    for (const vocabulary of [SMALL, SMALL + 40]) expect(check(special.timestampEnd, vocabulary)).not.toThrow();
    expect(check(special.timestampEnd, SMALL - 1)).toThrow(`it has ${SMALL} tokens but the model ${SMALL - 1}`);
    // One more language shifts the tasks and timestamps.
    expect(check(51_864, 51_865)).not.toThrow();
    expect(check(51_864, 51_866)).toThrow('it belongs to another model');
    expect(check(51_865, 51_865)).toThrow('it belongs to another model');
  });
});
