/** Facts about a model to show; see docs/models.md. */
export interface PresetFacts {
  languages: string;
  translation: string;
  download: string;
}

const many = (count: number, download: string): PresetFacts => ({
  languages: `${count} languages`,
  translation: 'translates',
  download,
});
const english = (download: string): PresetFacts => ({ languages: 'English only', translation: '', download });

const facts: Readonly<Record<string, PresetFacts>> = {
  'moonshine-tiny': english('built in'),
  tiny: many(99, '0.15 GB'),
  base: many(99, '0.3 GB'),
  small: many(99, '1 GB'),
  medium: many(99, '3 GB'),
  'large-v3': many(100, '3 GB'),
  'large-v3-turbo': { ...many(100, '1.6 GB'), translation: 'does not translate' },
  'distil-large-v3': english('1.5 GB'),
};

/** The facts of a preset; undefined for other models. */
export function factsOf(size: string): PresetFacts | undefined {
  return Object.hasOwn(facts, size) ? facts[size] : undefined;
}
