import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { parseJsonText } from '../../files/json.ts';

/**
 * Hyperparameters of a Kokoro checkpoint: StyleTTS 2 (Li et al. 2023, https://arxiv.org/abs/2306.07691) with an ISTFTNet
 * decoder (Kaneko et al. 2022, https://arxiv.org/abs/2203.02395).
 */
export interface KokoroConfiguration {
  /** Channels of the states of text and prosody. */
  width: number;
  /** Rows of the embedding tables. */
  vocabulary: number;
  /** Token of each phoneme, which is one character. Token 0 marks both ends of a chunk. */
  tokens: ReadonlyMap<string, number>;
  /** Channels of a style; a voice has one for the decoder and one for the prosody. */
  style: number;
  /** Convolutions in the text encoder, and recurrent layers in the duration encoder. */
  layers: number;
  textKernel: number;
  /** Maximum frames of one phoneme at a speed of 1. */
  maxDuration: number;
  albert: {
    width: number;
    /** Channels of the embeddings. */
    embedding: number;
    heads: number;
    feedForward: number;
    layers: number;
    /** Maximum tokens of a chunk, both ends included. */
    positions: number;
  };
  generator: {
    /** Input channels; each stage halves them. */
    channels: number;
    stages: readonly { rate: number; kernel: number }[];
    /** Residual blocks in each stage. */
    blocks: readonly { kernel: number; dilations: readonly number[] }[];
    /** Samples in a frame of the inverse Fourier transform. */
    fourierSize: number;
    fourierHop: number;
  };
}

/** Default of `AlbertConfig`, which the published modules do not override. */
const ALBERT_EMBEDDING = 128;

const size = z.int().positive();
const odd = size.refine((value) => value % 2 === 1, 'must be odd');

const configSchema = z.object({
  hidden_dim: size.multipleOf(8),
  n_token: size,
  vocab: z.record(z.string(), z.int().nonnegative()),
  style_dim: size,
  n_layer: size,
  text_encoder_kernel_size: odd,
  max_dur: size,
  plbert: z.object({
    hidden_size: size,
    num_attention_heads: size,
    intermediate_size: size,
    num_hidden_layers: size,
    max_position_embeddings: size.min(3),
  }),
  istftnet: z.object({
    upsample_initial_channel: size,
    upsample_rates: z.array(size).min(1),
    upsample_kernel_sizes: z.array(size),
    resblock_kernel_sizes: z.array(odd).min(1),
    resblock_dilation_sizes: z.array(z.array(odd).length(3)),
    gen_istft_n_fft: size.multipleOf(2),
    gen_istft_hop_size: size,
  }),
});

/** Reads a `config.json`. @throws HearsayError `model_load_failed` naming the wrong field */
export async function readKokoroConfiguration(path: string): Promise<KokoroConfiguration> {
  let json: unknown;
  try {
    json = parseJsonText(await readFile(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw wrong('it is not JSON');
    throw new HearsayError('model_load_failed', "The Kokoro checkpoint's config.json cannot be read.", { cause });
  }
  return kokoroConfiguration(json);
}

/** Validates the content of a `config.json`. @throws HearsayError `model_load_failed` */
export function kokoroConfiguration(json: unknown): KokoroConfiguration {
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw wrong(`${path.join('.') || 'root'}: ${message}`);
  }
  const { plbert, istftnet, ...config } = parsed.data;
  if (plbert.hidden_size % plbert.num_attention_heads !== 0) {
    throw wrong('plbert.hidden_size: must be a multiple of num_attention_heads');
  }
  const stages = paired(istftnet.upsample_rates, istftnet.upsample_kernel_sizes, 'upsample_kernel_sizes');
  if (stages.some(([rate, kernel]) => kernel < rate || (kernel - rate) % 2 !== 0)) {
    throw wrong('istftnet.upsample_kernel_sizes: each must exceed its rate by an even number');
  }
  if (istftnet.upsample_initial_channel % 2 ** stages.length !== 0) {
    throw wrong('istftnet.upsample_initial_channel: must halve with each stage');
  }
  if (istftnet.gen_istft_n_fft !== 4 * istftnet.gen_istft_hop_size) {
    throw wrong('istftnet.gen_istft_n_fft: must be four times gen_istft_hop_size');
  }
  const tokens = new Map(Object.entries(config.vocab));
  for (const [phoneme, token] of tokens) {
    if ([...phoneme].length !== 1) throw wrong(`vocab: ${JSON.stringify(phoneme)} is not one character`);
    if (token >= config.n_token) throw wrong(`vocab: the token of ${phoneme} is not below n_token`);
  }
  return {
    width: config.hidden_dim,
    vocabulary: config.n_token,
    tokens,
    style: config.style_dim,
    layers: config.n_layer,
    textKernel: config.text_encoder_kernel_size,
    maxDuration: config.max_dur,
    albert: {
      width: plbert.hidden_size,
      embedding: ALBERT_EMBEDDING,
      heads: plbert.num_attention_heads,
      feedForward: plbert.intermediate_size,
      layers: plbert.num_hidden_layers,
      positions: plbert.max_position_embeddings,
    },
    generator: {
      channels: istftnet.upsample_initial_channel,
      stages: stages.map(([rate, kernel]) => ({ rate, kernel })),
      blocks: paired(istftnet.resblock_kernel_sizes, istftnet.resblock_dilation_sizes, 'resblock_dilation_sizes').map(
        ([kernel, dilations]) => ({ kernel, dilations }),
      ),
      fourierSize: istftnet.gen_istft_n_fft,
      fourierHop: istftnet.gen_istft_hop_size,
    },
  };
}

function paired<A, B>(first: readonly A[], second: readonly B[], name: string): [A, B][] {
  if (first.length !== second.length) throw wrong(`istftnet.${name}: must have ${first.length} entries`);
  return first.map((value, index) => [value, second[index]!]);
}

function wrong(reason: string): HearsayError {
  return new HearsayError('model_load_failed', `The Kokoro checkpoint's config.json is invalid: ${reason}.`);
}

/** Samples a second of the speech. */
export const SAMPLE_RATE = 24_000;

/** Samples in one frame of prosody, which has two values of pitch, each upsampled by all rates. */
export function frameSamples({ generator }: KokoroConfiguration): number {
  return 2 * pitchSamples(generator);
}

/** Samples for one value of pitch. */
export function pitchSamples({ stages, fourierHop }: KokoroConfiguration['generator']): number {
  return stages.reduce((product, { rate }) => product * rate, fourierHop);
}
