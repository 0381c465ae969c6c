/** Any text as one argument of a POSIX shell; of one since 2024 if it has invisible characters. */
export function shellQuoted(text: string): string {
  if (!invisibleInShell.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/['\\]/g, '\\$&').replace(new RegExp(invisibleInShell, 'g'), octal);
  return `$'${escaped}'`;
}

/** The bytes of a character as a shell escapes them. */
function octal(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** A name as it is shown: marks of direction could make it look like another one. */
export function shownName(name: string): string {
  return withEscapes(name, /[\u202a-\u202e\u2066-\u2069]/g);
}

// Control characters and direction marks: they could make code look different from what it runs.
const invisible = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** Also what JSON escapes by itself, but for tabs and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const invisibleInShell = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** A string literal of JSON, JavaScript and Python, with invisible characters escaped. */
export function stringLiteral(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/** JSON of a value, with invisible characters escaped. */
export function jsonText(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

const escapeInvisible = (json: string) => withEscapes(json, invisible);

const withEscapes = (text: string, characters: RegExp) =>
  text.replace(characters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
