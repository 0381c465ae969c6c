import { languageNames } from '../../src/say/voices/language-codes.ts';

const genders: Record<string, string> = { f: 'female', m: 'male' };

/** Letter of the language that a voice speaks; Kokoro's names begin with it, others are American. */
export function letterOf(id: string): string {
  const letter = id.match(/^([a-z])[fm]_/)?.[1] ?? 'a';
  return Object.hasOwn(languageNames, letter) ? letter : 'a';
}

export function languageOf(id: string): string {
  return (languageNames as Record<string, string>)[id.charAt(0)] ?? 'Other';
}

/** Empty if the name does not tell. */
export function genderOf(id: string): string {
  return genders[id.charAt(1)] ?? '';
}

/** Women's and men's voices alternating, else in the given order. */
export function alternating(ids: readonly string[]): string[] {
  const men = ids.filter((id) => genderOf(id) === 'male');
  const others = ids.filter((id) => genderOf(id) !== 'male');
  return Array.from({ length: Math.max(men.length, others.length) }, (_, index) => [others[index], men[index]])
    .flat()
    .filter((id) => id !== undefined);
}
