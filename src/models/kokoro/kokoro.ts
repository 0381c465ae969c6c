import { resolveComputeType } from '../../ort/device.ts';
import { supportedLanguages } from '../../text/languages.ts';
import type { SynthesizerEntry } from '../entry.ts';

/** Kokoro, from a checkpoint in the form of hexgrad/Kokoro-82M. */
export const kokoro: SynthesizerEntry = {
  modelType: 'kokoro',
  name: 'kokoro',
  repository: 'hexgrad/Kokoro-82M',
  // The voice packs are in the npm package kokoro-js already.
  files: /^(?:config\.json|kokoro-v1_0\.pth)$/,
  capabilities: { languages: supportedLanguages },
  usesLexicons: true,
  gpuTypes: ['float32'],
  async load({ computeType, ...options }) {
    const { loadKokoro } = await import('./runtime/synthesizer.ts');
    // Without dot products int8 is hardly faster, and on processors other than x64 it is not measured.
    const automatic = process.arch === 'x64' && options.device.int8DotProduct ? 'int8' : 'float32';
    return loadKokoro({ ...options, computeType: resolveComputeType(computeType, automatic) });
  },
};
