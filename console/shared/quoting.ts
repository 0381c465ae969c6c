/** One argument of a POSIX shell, whatever the text holds. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// Controls, and the marks that turn the direction of text: as they are, code could read otherwise than it runs.
const unseen = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A string literal that JSON, JavaScript and Python read alike, with nothing unseen in it. */
export function stringLiteral(text: string): string {
  return visible(JSON.stringify(text));
}

/** JSON of a value, with nothing unseen in its strings. */
export function jsonText(value: unknown): string {
  return visible(JSON.stringify(value));
}

function visible(json: string): string {
  return json.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A literal of Python for a string, a number or a truth value. */
export function pythonLiteral(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? stringLiteral(value) : String(value);
}
