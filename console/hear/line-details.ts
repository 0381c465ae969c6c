import type { LineDetails } from './line-dialog.ts';
import type { Line } from './lines.ts';
import { moved } from './retime.ts';
import { namedFrom, type Replacement, renamed } from './speakers.ts';

/** The replacements that give a line other details. */
export function withDetails(lines: readonly Line[], at: number, details: LineDetails): Replacement[] {
  const line = lines[at]!;
  const { speaker, isEverywhere, start, end } = details;
  const names =
    isEverywhere && line.speaker !== undefined ? renamed(lines, line.speaker, speaker) : namedFrom(lines, at, speaker);
  if (start === line.start && end === line.end) return names;
  const named = names.find((names) => at >= names.at && at < names.at + names.count);
  return [...names, { at, count: 1, inserted: [moved(named?.inserted[at - named.at] ?? line, start, end)] }];
}
