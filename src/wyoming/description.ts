/** What `describe` answers of a program, a model or a voice. */
export interface Artifact {
  name: string;
  description: string;
  version: string;
  languages?: readonly string[];
}

/** An artifact as clients read it: all of these members must be there. */
export function artifact({ name, description, version, languages }: Artifact): Record<string, unknown> {
  const attribution = { name: 'Hearsay', url: '' };
  return { name, attribution, installed: true, description, version, ...(languages && { languages }) };
}

/** The data of an `info` event: each domain has a list of programs. */
export function info(domains: Partial<Record<'asr' | 'tts', object[]>>): Record<string, unknown> {
  return { asr: [], tts: [], handle: [], intent: [], wake: [], mic: [], snd: [], ...domains };
}
