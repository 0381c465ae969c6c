import { languageNames } from './language-codes.ts';
import { languageOf, type Voice } from './voices.ts';

/** Makes the names of voices unique by adding their language, or else their id. */
export function withDistinctNames(voices: readonly Voice[]): Voice[] {
  const inLanguage = renamed(voices, ({ id, name }) => `${name} (${languageNames[languageOf(id)]})`);
  return renamed(inLanguage, (voice) => `${voices.find(({ id }) => id === voice.id)!.name} (${voice.id})`);
}

/** Renames the voices that share their name with another. */
function renamed(voices: readonly Voice[], rename: (voice: Voice) => string): Voice[] {
  const counts = new Map<string, number>();
  for (const { name } of voices) counts.set(name, (counts.get(name) ?? 0) + 1);
  return voices.map((voice) => (counts.get(voice.name)! > 1 ? { ...voice, name: rename(voice) } : voice));
}
