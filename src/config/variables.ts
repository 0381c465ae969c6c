import { resolve } from 'node:path';
import { z } from 'zod';

/** What may stand in a variable: how its text is read, and in words what is allowed (it follows "must be"). */
export interface Kind<T> {
  schema: z.ZodType<T, string>;
  allowed: string;
}

/** One environment variable, declared once: parsing, error messages and documentation all come from here. */
export interface Declaration<T> extends Kind<Exclude<T, undefined>> {
  /** One sentence, in Markdown. */
  description: string;
  /** Read like a given value. */
  default?: string;
  /** What the documentation says where the default depends on the machine or on another variable. */
  defaultText?: string;
  /** Its value appears in no message. */
  secret: boolean;
}

/** Declarations by the name of their environment variable. */
export type Declarations = Record<string, Declaration<unknown>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type ValueOf<D> = D extends Declaration<infer T> ? T : never;

type Entries<D extends Declarations> = { [K in keyof D & string as CamelCase<K>]: ValueOf<D[K]> };

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** What {@link readConfiguration} returns: `MAX_UPLOAD_BYTES` is `maxUploadBytes`; what may be missing is optional. */
export type Configuration<D extends Declarations> = Omit<Entries<D>, OptionalKeys<Entries<D>>> &
  Partial<Pick<Entries<D>, OptionalKeys<Entries<D>>>>;

/** A variable with a value that is not allowed. The message is one line, to be shown as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface DeclarationOptions {
  description: string;
  defaultText?: string;
  secret?: boolean;
}

/** Declares a variable. Without `default` its value is undefined where it is not given. */
export function declare<T>(kind: Kind<T>, options: DeclarationOptions & { default: string }): Declaration<T>;
export function declare<T>(kind: Kind<T>, options: DeclarationOptions): Declaration<T | undefined>;
export function declare<T>(kind: Kind<T>, options: DeclarationOptions & { default?: string }): Declaration<T> {
  return { ...(kind as Kind<Exclude<T, undefined>>), secret: false, ...options };
}

/** Any text. `allowed` says what is meant by it. */
export function text(allowed = 'any text'): Kind<string> {
  return { schema: z.string(), allowed };
}

/** A folder, as an absolute path; a relative one starts from the working directory. */
export function folder(): Kind<string> {
  return { schema: z.string().transform((path) => resolve(path)), allowed: 'a folder' };
}

/** A whole number from `min` to `max`, both included. */
export function integer({ min, max }: { min: number; max: number }): Kind<number> {
  const schema = z
    .string()
    .regex(/^[+-]?\d+$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
  return { schema, allowed: `an integer from ${min} to ${max}` };
}

/** true, 1, yes, on or false, 0, no, off, in upper or lower case. */
export function boolean(): Kind<boolean> {
  const schema = z.stringbool({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] });
  return { schema, allowed: 'true, 1, yes, on, false, 0, no or off' };
}

/** One of a few lower-case words, which may be given in upper case. */
export function oneOf<const Word extends string>(words: readonly [Word, ...Word[]]): Kind<Word> {
  const allowed = words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return { schema: z.string().toLowerCase().pipe(z.enum(words)), allowed };
}

/** An http or https URL, returned without trailing slashes. */
export function httpUrl(): Kind<string> {
  const schema = z
    .string()
    .refine((value) => parseHttpUrl(value) !== undefined)
    .transform((value) => value.replace(/\/+$/, ''));
  return { schema, allowed: 'an http or https URL' };
}

/** `*`, or origins such as `https://example.org`, separated by commas. */
export function origins(): Kind<string[] | '*'> {
  const schema = z.string().transform((value, context): string[] | '*' => {
    if (value === '*') return '*';
    const list = value.split(',').map((origin) => origin.trim());
    return list.map((origin) => {
      const url = parseHttpUrl(origin);
      const isOrigin = url !== undefined && `${url.origin}/` === url.href;
      if (!isOrigin) context.addIssue({ code: 'custom', message: 'not an origin' });
      return url?.origin ?? origin;
    });
  });
  return { schema, allowed: '* or a comma-separated list of origins such as https://example.org' };
}

function parseHttpUrl(value: string): URL | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/**
 * Reads every declared variable from `env`. A value of nothing but blanks means that the variable is not given.
 *
 * @throws ConfigError for the first variable, in the order of declaration, with a value that is not allowed.
 */
export function readConfiguration<const D extends Declarations>(
  declarations: D,
  env: NodeJS.ProcessEnv,
): Configuration<D> {
  const configuration: Record<string, unknown> = {};
  for (const [name, declaration] of Object.entries(declarations)) {
    const raw = env[name]?.trim() || declaration.default;
    if (raw === undefined) continue;
    const result = declaration.schema.safeParse(raw);
    if (!result.success) throw wrongValue(name, raw, declaration);
    configuration[camelCase(name)] = result.data;
  }
  return configuration as Configuration<D>;
}

function wrongValue(name: string, value: string, { allowed, secret }: Declaration<unknown>): ConfigError {
  if (secret) return new ConfigError(`${name} must be ${allowed} (the value given is not shown)`);
  const shown = value.length > 100 ? `${value.slice(0, 100)}…` : value;
  // JSON keeps a value with line breaks on one line.
  return new ConfigError(`${name} must be ${allowed}, not ${JSON.stringify(shown)}`);
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A Markdown table of the declarations, in their order. */
export function configurationTable(declarations: Declarations): string {
  const rows = Object.entries(declarations).map(([name, declaration]) => {
    const preset = declaration.defaultText ?? (declaration.default === undefined ? '' : `\`${declaration.default}\``);
    return [`\`${name}\``, preset, declaration.allowed, declaration.description];
  });
  const lines = [['Variable', 'Default', 'Allowed', 'Meaning'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}

/** The page docs/configuration.md, with one table for each service. */
export function configurationPage(sections: { title: string; declarations: Declarations }[]): string {
  const introduction = `# Configuration

Everything is set through environment variables, and every variable has a default or may be left out. An empty value
counts as not given. A value that is not allowed stops the process at once, with one line that names the variable, the
value and what is allowed; the value of a secret is never shown. Words such as \`true\`, \`cpu\` or \`info\` may be written in
upper or lower case, and sizes and times are whole numbers.

This page is generated from the source. After a change there, \`UPDATE_DOCS=1 npx vitest run test/configuration-docs.test.ts\`
writes it again.
`;
  const tables = sections.map(({ title, declarations }) => `\n## ${title}\n\n${configurationTable(declarations)}`);
  return introduction + tables.join('');
}
