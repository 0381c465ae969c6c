import { newId } from '../../shared/storage.ts';
import type { SpokenLine } from '../speech.ts';

/** A line as it is edited. */
export interface Line {
  id: string;
  /** Who says it; may be empty. */
  name: string;
  /** A voice or a blend; empty while no voices are loaded. */
  voice: string;
  input: string;
  speed: number;
  /** Seconds. */
  pauseAfter: number;
}

export function newLine(facts: Partial<Line> = {}): Line {
  return { id: newId(), name: '', voice: '', input: '', speed: 1, pauseAfter: 0, ...facts };
}

/** The script of lines, as it is shown while it plays, and what is spoken of it. Empty lines are left out. */
export function scriptOf(lines: readonly Line[]): { input: string; lines: SpokenLine[]; ids: string[] } {
  let input = '';
  const ids: string[] = [];
  const spoken: SpokenLine[] = [];
  for (const { id, name, voice, input: said, speed, pauseAfter } of lines) {
    if (said.trim() === '') continue;
    if (input !== '') input += '\n';
    if (name.trim() !== '') input += `${name.trim()}: `;
    spoken.push({ input: said, voice, speed, pauseAfter, name: name.trim(), at: input.length });
    ids.push(id);
    input += said;
  }
  return { input, lines: spoken, ids };
}

/** Index of the line that an offset of the script is in. */
export function lineAt(lines: readonly SpokenLine[], offset: number): number {
  return lines.findLastIndex(({ at }) => at <= offset);
}
