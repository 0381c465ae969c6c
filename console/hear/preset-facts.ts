import { presets } from '../../src/models/presets.ts';

/** What a model can do, in words; docs/models.md says more. */
export interface PresetFacts {
  languages: string;
  translation: string;
  download: string;
}

/** Undefined for a model that is no preset. */
export function factsOf(name: string): PresetFacts | undefined {
  const preset = presets.find(({ size }) => size === name);
  if (!preset) return undefined;
  const { capabilities, download = 'built in' } = preset;
  const { languages, translates } = capabilities;
  // Translating English says nothing.
  if (languages.length === 1) return { languages: 'English only', translation: '', download };
  const translation = translates ? 'translates' : 'does not translate';
  return { languages: `${languages.length} languages`, translation, download };
}
