/**
 * Writes Whisper checkpoints in the official format with random weights: tiny ones for the tests, and ones of the
 * official shapes for the benchmark. The same options give the same bytes.
 *
 * `node scripts/random-whisper.mjs DIRECTORY` writes each tiny variant to a subdirectory.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tiny = {
  width: 32,
  heads: 2,
  encoderLayers: 2,
  decoderLayers: 2,
  mels: 80,
  audioPositions: 100,
  textPositions: 448,
  vocabulary: 200,
  dataType: 'F32',
  shards: 1,
  prefix: 'model.',
};

/** Tiny checkpoints with every difference between the published ones. */
export const tinyVariants = {
  'sharded-f32': { ...tiny, shards: 3, alignmentHeads: [[1, 0], [0, 1], [1, 1]] }, // biome-ignore format: pairs
  'f16-without-prefix': {
    ...tiny,
    seed: 2,
    width: 48,
    heads: 3,
    dataType: 'F16',
    prefix: '',
    alignmentHeads: [[0, 2]],
  },
  'bf16-128-mels': { ...tiny, seed: 3, mels: 128, dataType: 'BF16', alignmentHeads: [[0, 0], [1, 1]] }, // biome-ignore format: pairs
  'deep-encoder-f16': { ...tiny, seed: 4, width: 36, heads: 3, encoderLayers: 4, decoderLayers: 1, dataType: 'F16' },
};

const official = { audioPositions: 1500, textPositions: 448, dataType: 'F16', shards: 1, prefix: 'model.' };
const large = { ...official, width: 1280, heads: 20, encoderLayers: 32, mels: 128, vocabulary: 51866 };

/** The published shapes and alignment heads of the presets. */
export const officialShapes = {
  tiny: shape(384, 6, 4, [[2, 2], [3, 0], [3, 2], [3, 3], [3, 4], [3, 5]]), // biome-ignore format: pairs
  base: shape(512, 8, 6, [[3, 1], [4, 2], [4, 3], [4, 7], [5, 1], [5, 2], [5, 4], [5, 6]]), // biome-ignore format: pairs
  small: shape(768, 12, 12, [[5, 3], [5, 9], [8, 0], [8, 4], [8, 7], [8, 8], [9, 0], [9, 7], [9, 9], [10, 5]]), // biome-ignore format: pairs
  medium: shape(1024, 16, 24, [[13, 15], [15, 4], [15, 15], [16, 1], [20, 0], [23, 4]]), // biome-ignore format: pairs
  'large-v3': {
    ...large,
    decoderLayers: 32,
    alignmentHeads: [[7, 0], [10, 17], [12, 18], [13, 12], [16, 1], [17, 14], [19, 11], [21, 4], [24, 1], [25, 6]], // biome-ignore format: pairs
  },
  'large-v3-turbo': {
    ...large,
    decoderLayers: 4,
    alignmentHeads: [[2, 4], [2, 11], [3, 3], [3, 6], [3, 11], [3, 14]], // biome-ignore format: pairs
  },
  'distil-large-v3': { ...large, decoderLayers: 2 },
};

function shape(width, heads, layers, alignmentHeads) {
  const layerCounts = { encoderLayers: layers, decoderLayers: layers };
  return { ...official, width, heads, ...layerCounts, mels: 80, vocabulary: 51865, alignmentHeads };
}

/**
 * Writes `config.json`, `generation_config.json` and the weights to a new directory.
 * @param options.block number of random values, which the weights repeat; should be prime
 */
export function writeRandomWhisper(directory, { seed = 1, block = 65_521, ...options }) {
  mkdirSync(directory, { recursive: true });
  const json = (name, value) => writeFileSync(join(directory, name), `${JSON.stringify(value, null, 2)}\n`);
  json('config.json', config(options));
  json('generation_config.json', { alignment_heads: options.alignmentHeads ?? null, is_multilingual: true });
  const tensors = tensorsOf(options);
  const random = new RandomValues(seed, block, options.dataType);
  const { shards } = options;
  const perShard = Math.ceil(tensors.length / shards);
  const weightMap = {};
  for (let shard = 0; shard < shards; shard++) {
    const number = (value) => String(value).padStart(5, '0');
    const file = shards === 1 ? 'model.safetensors' : `model-${number(shard + 1)}-of-${number(shards)}.safetensors`;
    const part = tensors.slice(shard * perShard, (shard + 1) * perShard);
    for (const { name } of part) weightMap[name] = file;
    writeSafetensors(join(directory, file), part, options.dataType, random);
  }
  if (shards > 1) json('model.safetensors.index.json', { metadata: {}, weight_map: weightMap });
}

function config(options) {
  const { width, heads, encoderLayers, decoderLayers, mels, audioPositions, textPositions, vocabulary } = options;
  return {
    architectures: ['WhisperForConditionalGeneration'],
    model_type: 'whisper',
    activation_function: 'gelu',
    d_model: width,
    encoder_layers: encoderLayers,
    encoder_attention_heads: heads,
    encoder_ffn_dim: 4 * width,
    decoder_layers: decoderLayers,
    decoder_attention_heads: heads,
    decoder_ffn_dim: 4 * width,
    num_mel_bins: mels,
    max_source_positions: audioPositions,
    max_target_positions: textPositions,
    vocab_size: vocabulary,
    bos_token_id: vocabulary - 1,
    eos_token_id: vocabulary - 1,
    pad_token_id: vocabulary - 1,
    decoder_start_token_id: vocabulary - 2,
    suppress_tokens: null,
    begin_suppress_tokens: null,
    scale_embedding: false,
    tie_word_embeddings: true,
  };
}

/** Tensors with the published names and shapes; weights are within `scale` of `middle`. */
function tensorsOf(options) {
  const { width, encoderLayers, decoderLayers, mels, audioPositions, textPositions, vocabulary, prefix } = options;
  const tensors = [];
  const add = (name, dims, scale, middle = 0) => tensors.push({ name: prefix + name, dims, scale, middle });
  const linear = (name, outputs, inputs, { bias = true, gain = 1 } = {}) => {
    add(`${name}.weight`, [outputs, inputs], gain * 1.7 * inputs ** -0.5);
    if (bias) add(`${name}.bias`, [outputs], 0.1);
  };
  const norm = (name) => {
    add(`${name}.weight`, [width], 0.2, 1);
    add(`${name}.bias`, [width], 0.1);
  };
  const attention = (name) => {
    // Makes attention sharper than random weights would.
    linear(`${name}.q_proj`, width, width, { gain: 3 });
    linear(`${name}.k_proj`, width, width, { bias: false });
    linear(`${name}.v_proj`, width, width);
    linear(`${name}.out_proj`, width, width);
  };
  const feedForward = (name) => {
    linear(`${name}.fc1`, 4 * width, width);
    linear(`${name}.fc2`, width, 4 * width);
    norm(`${name}.final_layer_norm`);
  };
  add('encoder.conv1.weight', [width, mels, 3], 1.7 * (3 * mels) ** -0.5);
  add('encoder.conv1.bias', [width], 0.1);
  add('encoder.conv2.weight', [width, width, 3], 1.7 * (3 * width) ** -0.5);
  add('encoder.conv2.bias', [width], 0.1);
  add('encoder.embed_positions.weight', [audioPositions, width], 1);
  for (let layer = 0; layer < encoderLayers; layer++) {
    const name = `encoder.layers.${layer}`;
    attention(`${name}.self_attn`);
    norm(`${name}.self_attn_layer_norm`);
    feedForward(name);
  }
  norm('encoder.layer_norm');
  add('decoder.embed_tokens.weight', [vocabulary, width], 0.3);
  add('decoder.embed_positions.weight', [textPositions, width], 0.3);
  for (let layer = 0; layer < decoderLayers; layer++) {
    const name = `decoder.layers.${layer}`;
    attention(`${name}.self_attn`);
    norm(`${name}.self_attn_layer_norm`);
    attention(`${name}.encoder_attn`);
    norm(`${name}.encoder_attn_layer_norm`);
    feedForward(name);
  }
  norm('decoder.layer_norm');
  return tensors;
}

const elementBytes = { F32: 4, F16: 2, BF16: 2 };

function writeSafetensors(path, tensors, dataType, random) {
  const header = { __metadata__: { format: 'pt' } };
  let end = 0;
  for (const { name, dims } of tensors) {
    const start = end;
    end += dims.reduce((product, dim) => product * dim, 1) * elementBytes[dataType];
    header[name] = { dtype: dataType, shape: dims, data_offsets: [start, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(path, 'w');
  try {
    writeFully(file, length);
    writeFully(file, text);
    for (const { name, scale, middle } of tensors) {
      const [start, stop] = header[name].data_offsets;
      for (const bytes of random.take(stop - start, scale, middle)) writeFully(file, bytes);
    }
  } finally {
    closeSync(file);
  }
}

function writeFully(file, bytes) {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

/** A repeated sequence of random numbers, from which all tensors take their values in turn. */
class RandomValues {
  #dataType;
  #values;
  #encoded = new Map();
  #next = 0;

  constructor(seed, count, dataType) {
    this.#dataType = dataType;
    // Mulberry32.
    let state = seed;
    this.#values = Float64Array.from({ length: count }, () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
    });
  }

  *take(bytes, scale, middle) {
    const key = `${scale} ${middle}`;
    if (!this.#encoded.has(key)) {
      const values = Float32Array.from(this.#values, (value) => middle + scale * value);
      this.#encoded.set(key, encode(values, this.#dataType));
    }
    const encoded = this.#encoded.get(key);
    let start = this.#next * elementBytes[this.#dataType];
    for (let left = bytes; left > 0; start = 0) {
      const part = encoded.subarray(start, start + left);
      left -= part.length;
      start += part.length;
      this.#next = (start % encoded.length) / elementBytes[this.#dataType];
      yield part;
    }
  }
}

function encode(values, dataType) {
  const bits = new Uint32Array(values.buffer);
  if (dataType === 'F32') return new Uint8Array(values.buffer);
  const halves = new Uint16Array(values.length);
  for (let index = 0; index < halves.length; index++) {
    halves[index] = dataType === 'F16' ? toFloat16(values[index]) : toBfloat16(bits[index]);
  }
  return new Uint8Array(halves.buffer);
}

function toFloat16(value) {
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // Subnormal numbers all have the same step.
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const steps = Math.round(magnitude * 2 ** (10 - exponent));
  return sign + ((exponent + 14) << 10) + steps;
}

/** Nearest, ties to even. */
function toBfloat16(bits) {
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , directory] = process.argv;
  for (const [name, options] of Object.entries(tinyVariants)) writeRandomWhisper(join(directory, name), options);
}
