import { resolveComputeType } from '../../ort/device.ts';
import type { RecognizerEntry } from '../entry.ts';
import { whisperPresets } from './presets.ts';

/** Whisper, from a checkpoint in the form of Hugging Face's transformers. */
export const whisper: RecognizerEntry = {
  modelType: 'whisper',
  presets: whisperPresets,
  // Repositories hold the same weights in other forms too, several times the size.
  files:
    /^(?:(?:config|generation_config|preprocessor_config|tokenizer|tokenizer_config|vocab|added_tokens|special_tokens_map)\.json|merges\.txt|model(?:-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json)$/,
  async load({ computeType, ...options }) {
    const { loadWhisper } = await import('./runtime/recognizer.ts');
    const automatic = options.device.int8DotProduct ? 'int8' : 'float32';
    return loadWhisper({ ...options, computeType: resolveComputeType(computeType, automatic) });
  },
};
