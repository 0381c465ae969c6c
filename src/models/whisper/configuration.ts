import { z } from 'zod';
import { unusableFile } from '../../checkpoint/checkpoint-error.ts';
import { readJson } from '../../checkpoint/text-files.ts';
import { HearsayError } from '../../errors.ts';
import { chooseAlignmentHeads } from './checkpoint/alignment-heads.ts';
import { readCTranslate2Configuration } from './checkpoint/ctranslate2.ts';
import { checkpointForm } from './checkpoint/form.ts';
import { readOpenAiConfiguration } from './checkpoint/openai.ts';

/** Shape and options of a checkpoint, in the terms of Radford et al. 2022 (https://arxiv.org/abs/2212.04356). */
export interface WhisperConfiguration {
  /** Channels of the encoder's and the decoder's states. */
  width: number;
  encoderLayers: number;
  encoderHeads: number;
  encoderFeedForward: number;
  decoderLayers: number;
  decoderHeads: number;
  decoderFeedForward: number;
  /** Bins of the log-mel spectrogram. */
  mels: number;
  /** Positions of the encoder, two mel frames each: a window is audioPositions / 50 seconds. */
  audioPositions: number;
  /** Maximum length of the decoder's sequence, in tokens. */
  textPositions: number;
  /** Rows of the embedding table. */
  vocabulary: number;
  /** Heads of the decoder's cross-attention that follow the speech, for word times. */
  alignmentHeads: readonly (readonly [layer: number, head: number])[];
  /** Tokens that are never chosen; −1 means the tokenizer's non-speech tokens. */
  suppressTokens: readonly number[];
  /** Tokens that are never chosen first. */
  beginSuppressTokens: readonly number[];
  /** False for English-only checkpoints, which take no language or task tokens. */
  multilingual: boolean;
}

/**
 * The configuration as stored in a checkpoint, which may lack alignment heads and `multilingual`, or list another
 * model's heads.
 */
export type StatedConfiguration = Omit<WhisperConfiguration, 'multilingual'> &
  Partial<Pick<WhisperConfiguration, 'multilingual'>>;

/** Samples of 16 kHz audio per encoder position: two hops of 10 ms. */
export const POSITION_SAMPLES = 320;
/** Seconds of audio per encoder position, and from one timestamp token to the next. */
export const POSITION_SECONDS = 0.02;
/** Multilingual vocabularies have at least this many tokens, the English-only one has one less. */
const MIN_MULTILINGUAL_VOCABULARY = 51_865;
/** Frequencies of a spectrum of 400 samples. */
const MAX_MELS = 201;

const size = z.int().positive();
const tokens = z.array(z.int().min(-1)).nullish();

const configSchema = z.object({
  model_type: z.literal('whisper'),
  d_model: size,
  encoder_layers: size,
  encoder_attention_heads: size,
  encoder_ffn_dim: size,
  decoder_layers: size,
  decoder_attention_heads: size,
  decoder_ffn_dim: size,
  num_mel_bins: size.max(MAX_MELS),
  max_source_positions: size,
  max_target_positions: size,
  vocab_size: size,
  activation_function: z.literal('gelu').optional(),
  scale_embedding: z.literal(false).optional(),
  tie_word_embeddings: z.literal(true).optional(),
  suppress_tokens: tokens,
  begin_suppress_tokens: tokens,
});

const generationSchema = z.object({
  alignment_heads: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])).nullish(),
  suppress_tokens: tokens,
  begin_suppress_tokens: tokens,
  is_multilingual: z.boolean().nullish(),
});

const preprocessorSchema = z.object({
  feature_size: z.int().optional(),
  sampling_rate: z.literal(16_000).optional(),
  hop_length: z.literal(160).optional(),
  n_fft: z.literal(400).optional(),
  chunk_length: z.number().optional(),
});

type Config = z.infer<typeof configSchema>;

const readers = {
  transformers: readTransformersConfiguration,
  ctranslate2: readCTranslate2Configuration,
  openai: readOpenAiConfiguration,
};

/**
 * Reads the configuration of a checkpoint: a directory, or a file of OpenAI's own code. A `preprocessor_config.json`, if
 * present, must agree with it.
 * @throws HearsayError `model_load_failed` naming the file and the missing, wrong or unsupported field
 */
export async function readWhisperConfiguration(checkpoint: string): Promise<WhisperConfiguration> {
  const form = await checkpointForm(checkpoint);
  const stated = await readers[form](checkpoint);
  if (stated.mels > MAX_MELS) {
    const problem = `The checkpoint has ${stated.mels} mel bins; at most ${MAX_MELS} are possible.`;
    throw new HearsayError('model_load_failed', problem);
  }
  if (form !== 'openai') {
    const preprocessor = await readJson(checkpoint, 'preprocessor_config.json', preprocessorSchema);
    checkPreprocessor(stated, preprocessor ?? {});
  }
  return {
    multilingual: stated.vocabulary >= MIN_MULTILINGUAL_VOCABULARY,
    ...stated,
    alignmentHeads: chooseAlignmentHeads(stated),
  };
}

/** Reads `config.json`, and `generation_config.json` if present. */
async function readTransformersConfiguration(directory: string): Promise<StatedConfiguration> {
  const config = await readJson(directory, 'config.json', configSchema);
  if (config === undefined) throw new HearsayError('model_load_failed', 'The checkpoint has no config.json.');
  const generation = (await readJson(directory, 'generation_config.json', generationSchema)) ?? {};
  checkHeads(config);
  return {
    width: config.d_model,
    encoderLayers: config.encoder_layers,
    encoderHeads: config.encoder_attention_heads,
    encoderFeedForward: config.encoder_ffn_dim,
    decoderLayers: config.decoder_layers,
    decoderHeads: config.decoder_attention_heads,
    decoderFeedForward: config.decoder_ffn_dim,
    mels: config.num_mel_bins,
    audioPositions: config.max_source_positions,
    textPositions: config.max_target_positions,
    vocabulary: config.vocab_size,
    alignmentHeads: generation.alignment_heads ?? [],
    suppressTokens: generation.suppress_tokens ?? config.suppress_tokens ?? [],
    beginSuppressTokens: generation.begin_suppress_tokens ?? config.begin_suppress_tokens ?? [],
    ...(typeof generation.is_multilingual === 'boolean' && { multilingual: generation.is_multilingual }),
  };
}

function checkHeads({ d_model, encoder_attention_heads, decoder_attention_heads }: Config): void {
  for (const [field, heads] of Object.entries({ encoder_attention_heads, decoder_attention_heads })) {
    if (d_model % heads !== 0) {
      throw unusableFile('config.json', `${field}: ${heads} heads do not divide the ${d_model} channels of d_model`);
    }
  }
}

function checkPreprocessor(
  { mels, audioPositions }: StatedConfiguration,
  { feature_size, chunk_length }: z.infer<typeof preprocessorSchema>,
): void {
  const file = 'preprocessor_config.json';
  if (feature_size !== undefined && feature_size !== mels) {
    throw unusableFile(file, `feature_size: ${feature_size}, but the model has ${mels} mel bins`);
  }
  if (chunk_length !== undefined && chunk_length * 16_000 !== audioPositions * POSITION_SAMPLES) {
    throw unusableFile(file, `chunk_length: ${chunk_length} s, but the model has ${audioPositions} audio positions`);
  }
}
