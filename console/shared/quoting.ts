/** Any text as one argument of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// Control characters and direction marks: they could make code look different from what it runs.
const invisible = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A string literal of JSON, JavaScript and Python, with invisible characters escaped. */
export function stringLiteral(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/** JSON of a value, with invisible characters escaped. */
export function jsonText(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

function escapeInvisible(json: string): string {
  return json.replace(invisible, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A Python literal of a value of JSON. */
export function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, member]) => `${stringLiteral(name)}: ${pythonLiteral(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? stringLiteral(value) : String(value);
}
