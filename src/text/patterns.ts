/** The match of a sticky pattern that begins at `index`. */
export function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** The words of a list, which whitespace separates. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** The pattern of any of some words, the longest first. */
export function anyOf(words: Iterable<string>): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^$()[\]\\|]/g, '\\$&'))
    .join('|');
}

/** The characters before an index, no more than `length`. */
export function textBefore({ text, index }: { text: string; index: number }, length: number): string {
  return text.slice(Math.max(0, index - length), index);
}

/** The value of a key that comes from a text; not an inherited one, such as that of `constructor`. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Before a capital letter that is part of a unit, a formula or a code, and no initial: `20 °C.`, `H₂O.`, `SB 12-A.` */
export const partBefore = /[°₀-₉]$|\d(?:-|['′″]\s?)$/;
