/** A preset as the build writes it into the page (scripts/build-console.mjs). */
export interface PagePreset {
  size: string;
  /** How many it knows. */
  languages: number;
  translates: boolean;
  /** Size of the download; absent for a built-in model. */
  download?: string;
}

/** Facts about a model to show; see docs/models.md. */
export interface PresetFacts {
  languages: string;
  translation: string;
  isBuiltIn: boolean;
}

/** The facts of a preset; undefined for other models. */
export function factsOf(name: string, presets = pagePresets()): PresetFacts | undefined {
  const preset = presets.find(({ size }) => size === name);
  if (!preset) return undefined;
  const { languages, translates, download } = preset;
  const isBuiltIn = download === undefined;
  // An English-only model's translation is its transcript.
  if (languages === 1) return { languages: 'English only', translation: '', isBuiltIn };
  const translation = translates ? 'translates' : 'does not translate';
  return { languages: `${languages} languages`, translation, isBuiltIn };
}

function pagePresets(): readonly PagePreset[] {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="presets"]')?.content ?? '[]');
}
