/** What a form gives for one field of a schema: its last text, the items of a list, or the members of an object. */
export type FormValue = string | string[] | Record<string, string>;

export interface FormShape {
  /** Names of the fields that the schema has, lists and objects included. */
  names: ReadonlySet<string>;
  /** Names of lists, with their brackets, and whether their items may share a field, separated by commas. */
  lists: ReadonlyMap<string, { hasCommas: boolean }>;
  /** Names of objects. */
  objects: ReadonlySet<string>;
  /** Names of fields whose text may be the word `null`. */
  texts: ReadonlySet<string>;
}

/**
 * Values of a form by field of the schema. An empty field and the word `null` count as absent, of a repeated field the last
 * one counts, and unknown ones are ignored. A list comes as `name[]`, `name` or `name[0]`, or as JSON in one field; an
 * object as `name[key]` or as JSON.
 */
export function formValues(
  fields: ReadonlyMap<string, readonly string[]>,
  shape: FormShape,
): Record<string, FormValue> {
  const values = new Map<string, FormValue>();
  for (const [name, all] of fields) {
    const [, base = name, key] = /^(.*?)\[(\w*)\]$/s.exec(name) ?? [];
    const isText = shape.texts.has(base) || shape.lists.get(`${base}[]`)?.hasCommas === false;
    const given = all.filter((value) => value.trim() !== '' && (isText || value.trim().toLowerCase() !== 'null'));
    if (given.length === 0) continue;
    const last = given.at(-1)!;
    const list = shape.lists.get(`${base}[]`);
    if (list) {
      if (key !== undefined && !/^\d*$/.test(key)) continue;
      const items = given.flatMap((value) => listItems(value, list));
      values.set(`${base}[]`, [...((values.get(`${base}[]`) as string[] | undefined) ?? []), ...items]);
    } else if (shape.objects.has(base)) {
      const before = values.get(base);
      const members = typeof before === 'object' && !Array.isArray(before) ? before : {};
      if (key === undefined) values.set(base, parsedObject(last) ?? last);
      else values.set(base, { ...members, [key]: last });
    } else if (shape.names.has(name)) {
      values.set(name, last);
    }
  }
  for (const [name, value] of values) if (Array.isArray(value) && value.length === 0) values.delete(name);
  return Object.fromEntries(values);
}

/** Clients write a list into one field as `a`, `a,b` or `["a","b"]`. */
function listItems(value: string, { hasCommas }: { hasCommas: boolean }): string[] {
  const parsed = parsedJson(value);
  if (Array.isArray(parsed)) return parsed.filter((item) => item !== null).map(textOf);
  if (!hasCommas) return [value];
  return value
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((item) => item.trim().replace(/^"(.*)"$/, '$1'))
    .filter((item) => item !== '');
}

function parsedObject(value: string): Record<string, string> | undefined {
  const parsed = parsedJson(value);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const members = Object.entries(parsed).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, textOf(member)]));
}

/** The text of a JSON value, as a form would have it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsedJson(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
