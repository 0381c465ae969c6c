/** A range of one of several texts; `to` is exclusive. */
export interface Match {
  /** Index of the text. */
  text: number;
  from: number;
  to: number;
}

const MAX_MATCHES = 5000;

/** All matches of a query, ignoring case. */
export function findAll(texts: readonly string[], query: string): Match[] {
  const pattern = patternOf(query);
  if (!pattern) return [];
  const matches: Match[] = [];
  for (const [index, text] of texts.entries()) {
    for (const match of text.matchAll(pattern)) {
      if (matches.length === MAX_MATCHES) return matches;
      matches.push({ text: index, from: match.index, to: match.index + match[0].length });
    }
  }
  return matches;
}

/** The text with all matches of a query replaced; `$` has no meaning in the replacement. */
export function replaceIn(text: string, query: string, replacement: string): string {
  const pattern = patternOf(query);
  return pattern ? text.replace(pattern, () => replacement) : text;
}

function patternOf(query: string): RegExp | undefined {
  const phrase = query.trim();
  if (phrase === '') return undefined;
  return new RegExp(phrase.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'), 'giu');
}
