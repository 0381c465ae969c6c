import { z } from 'zod';
import { unusableFile } from '../../checkpoint/checkpoint-error.ts';
import { readJson } from '../../checkpoint/text-files.ts';
import { HearsayError } from '../../errors.ts';

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

/** Samples of 16 kHz audio per encoder position: two hops of 10 ms. */
export const POSITION_SAMPLES = 320;
/** Seconds of audio per encoder position, and from one timestamp token to the next. */
export const POSITION_SECONDS = 0.02;
/** Multilingual vocabularies have at least this many tokens, the English-only one has one less. */
const MIN_MULTILINGUAL_VOCABULARY = 51_865;

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
  num_mel_bins: size.max(201),
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

/**
 * Reads `config.json`, and `generation_config.json` and `preprocessor_config.json` if present.
 * @throws HearsayError `model_load_failed` naming the file and the missing, wrong or unsupported field
 */
export async function readWhisperConfiguration(directory: string): Promise<WhisperConfiguration> {
  const config = await readJson(directory, 'config.json', configSchema);
  if (config === undefined) throw new HearsayError('model_load_failed', 'The checkpoint has no config.json.');
  const generation = (await readJson(directory, 'generation_config.json', generationSchema)) ?? {};
  checkHeads(config);
  checkPreprocessor(config, (await readJson(directory, 'preprocessor_config.json', preprocessorSchema)) ?? {});
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
    alignmentHeads: alignmentHeads(config, generation.alignment_heads ?? []),
    suppressTokens: generation.suppress_tokens ?? config.suppress_tokens ?? [],
    beginSuppressTokens: generation.begin_suppress_tokens ?? config.begin_suppress_tokens ?? [],
    multilingual: generation.is_multilingual ?? config.vocab_size >= MIN_MULTILINGUAL_VOCABULARY,
  };
}

/** The upper half of large has 320 heads, 2 MB of attention per token. */
const MAX_DEFAULT_HEADS = 32;

/**
 * The heads that the checkpoint lists, or else those of the upper half of the layers, as in the reference. Lower layers come
 * first: most of the published heads are in them.
 */
function alignmentHeads({ decoder_layers, decoder_attention_heads }: Config, named: [layer: number, head: number][]) {
  // Distilled checkpoints come with the list of their teacher, including layers they lack.
  const isValid = named.every(([layer, head]) => layer < decoder_layers && head < decoder_attention_heads);
  if (isValid && named.length > 0) return named;
  const first = Math.floor(decoder_layers / 2);
  const heads = Array.from({ length: decoder_attention_heads }, (_, head) => head);
  const layers = Array.from({ length: decoder_layers - first }, (_, index) => first + index);
  const upper = layers.flatMap((layer) => heads.map((head): [number, number] => [layer, head]));
  return upper.slice(0, MAX_DEFAULT_HEADS);
}

function checkHeads({ d_model, encoder_attention_heads, decoder_attention_heads }: Config): void {
  for (const [field, heads] of Object.entries({ encoder_attention_heads, decoder_attention_heads })) {
    if (d_model % heads !== 0) {
      throw unusableFile('config.json', `${field}: ${heads} heads do not divide the ${d_model} channels of d_model`);
    }
  }
}

function checkPreprocessor(config: Config, { feature_size, chunk_length }: z.infer<typeof preprocessorSchema>): void {
  const file = 'preprocessor_config.json';
  if (feature_size !== undefined && feature_size !== config.num_mel_bins) {
    throw unusableFile(file, `feature_size: ${feature_size}, but config.json has num_mel_bins ${config.num_mel_bins}`);
  }
  if (chunk_length !== undefined && chunk_length * 16_000 !== config.max_source_positions * POSITION_SAMPLES) {
    const positions = config.max_source_positions;
    throw unusableFile(file, `chunk_length: ${chunk_length} s, but config.json has max_source_positions ${positions}`);
  }
}
