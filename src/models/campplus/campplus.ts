import type { SpeakerEntry } from '../entry.ts';

/** CAM++, from a checkpoint of 3D-Speaker's code. */
export const campplus: SpeakerEntry = {
  modelType: 'campplus',
  name: 'campplus',
  repository: 'funasr/campplus',
  files: /^[^/]+\.(?:bin|pt)$/,
  async load(options) {
    const { loadCampplus } = await import('./runtime/speaker-model.ts');
    return loadCampplus(options);
  },
};
