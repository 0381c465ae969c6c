import { presets } from '../../src/models/presets.ts';

/** Facts about a model to show; see docs/models.md. */
export interface PresetFacts {
  languages: string;
  translation: string;
  download: string;
}

/** The facts of a preset; undefined for other models. */
export function factsOf(name: string): PresetFacts | undefined {
  const preset = presets.find(({ size }) => size === name);
  if (!preset) return undefined;
  const { capabilities, download = 'built in' } = preset;
  const { languages, translates } = capabilities;
  // An English-only model's translation is its transcript.
  if (languages.length === 1) return { languages: 'English only', translation: '', download };
  const translation = translates ? 'translates' : 'does not translate';
  return { languages: `${languages.length} languages`, translation, download };
}
