import type { SynthesizerEntry } from '../entry.ts';

/** Flite, which ships with the package. */
export const flite: SynthesizerEntry = {
  modelType: 'flite',
  name: 'flite',
  capabilities: { languages: ['a', 'b'] },
  usesLexicons: false,
  gpuTypes: [],
  async load({ device, timeoutMs }) {
    const { loadFlite } = await import('./synthesizer.ts');
    return loadFlite({ threads: device.threads, timeoutMs });
  },
};
