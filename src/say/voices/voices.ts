import { readdirSync } from 'node:fs';
import { packagedFolder } from '../../models/kokoro/voice-pack.ts';
import type { LanguageLetter } from '../../text/types.ts';

export interface Voice {
  /** Name in requests, e.g. `af_heart`: language letter, f or m, own name. */
  id: string;
  /** Name for people, e.g. `Heart`. */
  name: string;
}

const packFile = /^([abefhijpz][fm]_[a-z]+)\.bin$/;

/** Unlisted voice names that clients of other services send. */
const aliases = new Map([
  ['alloy', 'af_alloy'],
  ['ash', 'am_michael'],
  ['coral', 'af_bella'],
  ['echo', 'am_echo'],
  ['fable', 'bm_fable'],
  ['onyx', 'am_onyx'],
  ['nova', 'af_nova'],
  ['sage', 'af_sarah'],
  ['shimmer', 'af_sky'],
]);

/** The voice packs of the Kokoro package, sorted by id. */
export const officialVoices: readonly Voice[] = readdirSync(packagedFolder)
  .flatMap((file) => packFile.exec(file)?.[1] ?? [])
  .sort()
  .map((id) => ({ id, name: displayName(id) }));

/** The id for a name, which may be an alias. */
export function resolveAlias(name: string): string {
  return aliases.get(name) ?? name;
}

/** Whether a name is taken by an official voice or an alias. */
export function isReserved(name: string): boolean {
  return aliases.has(name) || officialVoices.some(({ id }) => id === name);
}

/** The own name of a voice, capitalized. */
export function displayName(id: string): string {
  const name = id.replace(/^[a-z][fm]_/, '');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The language of a voice: the first letter of its id, or American English if that is no language letter. */
export function languageOf(id: string): LanguageLetter {
  return (/^[abefhijpz](?=[fm]_)/.exec(id)?.[0] ?? 'a') as LanguageLetter;
}
