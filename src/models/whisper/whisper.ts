import { resolveComputeType } from '../../ort/device.ts';
import type { RecognizerEntry } from '../entry.ts';
import { isCTranslate2, OPENAI_FILE } from './checkpoint/form.ts';
import { whisperPresets } from './presets.ts';

// Repositories hold the same weights in other forms too, several times the size.
const TRANSFORMERS_FILES =
  /^(?:(?:config|generation_config|preprocessor_config|tokenizer|tokenizer_config|vocab|added_tokens|special_tokens_map)\.json|merges\.txt|model(?:-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json)$/;
const CTRANSLATE2_FILES = /^(?:(?:config|preprocessor_config|tokenizer|vocabulary)\.json|vocabulary\.txt|model\.bin)$/;

/**
 * The parameters of small. On a GPU a step takes some milliseconds however small the model is: with base 9 on an H100,
 * against 4 on 16 CPU cores.
 */
const LEAST_WIDTH_ON_GPU = 768;

/** Whisper, from a checkpoint in the form of Hugging Face's transformers, of CTranslate2 or of OpenAI's own code. */
export const whisper: RecognizerEntry = {
  modelType: 'whisper',
  presets: whisperPresets,
  gpuTypes: ['float16', 'float32'],
  async gainsFromGpu(checkpoint) {
    const { readWhisperConfiguration } = await import('./configuration.ts');
    return (await readWhisperConfiguration(checkpoint)).width >= LEAST_WIDTH_ON_GPU;
  },
  forms: [
    {
      isConfiguration: (config) => config.model_type === 'whisper' && !isCTranslate2(config),
      files: TRANSFORMERS_FILES,
    },
    { isConfiguration: isCTranslate2, files: CTRANSLATE2_FILES },
  ],
  singleFile: {
    path: OPENAI_FILE,
    tokenizer: async (path) => (await import('./runtime/tokenizer-files.ts')).findTokenizer(path),
  },
  async load({ computeType, ...options }) {
    const { loadWhisper } = await import('./runtime/recognizer.ts');
    const { float16, fastInt8 } = options.device;
    const automatic = float16 ? 'float16' : fastInt8 ? 'int8' : 'float32';
    return loadWhisper({ ...options, computeType: resolveComputeType(computeType, automatic) });
  },
};
