import type { Line } from './lines.ts';

/** Lines in the place of as many, from an index on. */
export interface Replacement {
  at: number;
  count: number;
  inserted: Line[];
}

/** Names a line and those after it, until the next name. @param name undefined for none */
export function namedFrom(lines: readonly Line[], at: number, name: string | undefined): Replacement[] {
  const before = lines[at]?.speaker;
  let end = at;
  while (end < lines.length && lines[end]!.speaker === before) end++;
  return name === before || end === at ? [] : [replacement(lines, at, end, name)];
}

/** Gives all lines of a speaker another name. @param name undefined for none */
export function renamed(lines: readonly Line[], speaker: string, name: string | undefined): Replacement[] {
  if (name === speaker) return [];
  const replacements: Replacement[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.speaker !== speaker) continue;
    let end = at;
    while (end < lines.length && lines[end]!.speaker === speaker) end++;
    replacements.push(replacement(lines, at, end, name));
    at = end;
  }
  return replacements;
}

/** The names of a transcript, in the order of their first lines. */
export function speakersOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.flatMap(({ speaker }) => speaker ?? []))];
}

function replacement(lines: readonly Line[], at: number, end: number, name: string | undefined): Replacement {
  const inserted = lines.slice(at, end).map(({ speaker: _, ...line }) => ({
    ...line,
    ...(name !== undefined && { speaker: name }),
  }));
  return { at, count: end - at, inserted };
}
