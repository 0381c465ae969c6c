/** A line of a script. */
export interface ScriptLine {
  /** Who says it; empty if the script does not tell. */
  name: string;
  input: string;
}

/** `Name: text`, also `**Name**: text`, `NAME (softly): text` and `[Name] text`. */
const NAMED =
  /^\s*(?:[-–—>]\s*)?[*_[]{0,2}(?=[\p{L}\p{N}])(?=[^:：\]]*\p{L})([\p{L}\p{N}][\p{L}\p{N}\p{M} .'’&-]{0,39}?)\s*(?:\([^()]{0,80}\))?[*_]{0,2}(?:[:：][*_]{0,2}\s+|[:：][*_]{0,2}(?=\p{Lo})|\]\s*[:：]?\s*)(?=\S)(.+)$/u;

const MIN_NAMED_LINES = 2;

/** The lines of a script; undefined if the text is none. Lines without a name go on with the one before. */
export function parseScript(text: string): ScriptLine[] | undefined {
  const lines: ScriptLine[] = [];
  let named = 0;
  let isAfterBlank = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      isAfterBlank = true;
      continue;
    }
    const match = NAMED.exec(line);
    const last = lines.at(-1);
    if (match) {
      named++;
      lines.push({ name: match[1]!.trim(), input: match[2]!.trim() });
    } else if (last && !(isAfterBlank && last.name === '')) last.input += ` ${line.trim()}`;
    else lines.push({ name: '', input: line.trim() });
    isAfterBlank = false;
  }
  return named >= MIN_NAMED_LINES ? lines : undefined;
}

/**
 * A voice for each name, different ones as far as they go.
 * @param known voices of names that have one already
 * @param voices to choose from, the best first
 */
export function castOf(
  names: readonly string[],
  known: ReadonlyMap<string, string>,
  voices: readonly string[],
): Map<string, string> {
  const cast = new Map(known);
  const free = voices.filter((voice) => ![...known.values()].includes(voice));
  let next = 0;
  for (const name of names) {
    if (cast.has(name)) continue;
    const pool = next < free.length ? free : voices;
    cast.set(name, pool[next % pool.length] ?? '');
    next++;
  }
  return cast;
}
