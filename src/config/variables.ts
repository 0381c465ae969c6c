import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** The type of a variable's value. */
export interface VariableType<T> {
  schema: z.ZodType<T, string>;
  /** The allowed values, as words that follow "must be". */
  allowed: string;
}

/** An environment variable, declared once for parsing, error messages and documentation. */
export interface Variable<T> extends VariableType<Exclude<T, undefined>> {
  /** One sentence, in Markdown. */
  description: string;
  /** Parsed like a given value. */
  default?: string;
  /** For the documentation, if the default depends on the machine or on another variable. */
  defaultText?: string;
  /** Keeps the value out of messages. */
  secret: boolean;
}

/** Variables by name. */
export type Variables = Record<string, Variable<unknown>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type ValueOf<V> = V extends Variable<infer T> ? T : never;

type Entries<V extends Variables> = { [K in keyof V & string as CamelCase<K>]: ValueOf<V[K]> };

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** Values by camel-case name: `maxUploadBytes` for `MAX_UPLOAD_BYTES`. Variables without a default are optional. */
export type Configuration<V extends Variables> = Omit<Entries<V>, OptionalKeys<Entries<V>>> &
  Partial<Pick<Entries<V>, OptionalKeys<Entries<V>>>>;

/** A variable has an invalid value. The message is one line for the user. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface VariableOptions {
  description: string;
  defaultText?: string;
  secret?: boolean;
}

/** Declares a variable. Without `default` its value may be undefined. */
export function variable<T>(type: VariableType<T>, options: VariableOptions & { default: string }): Variable<T>;
export function variable<T>(type: VariableType<T>, options: VariableOptions): Variable<T | undefined>;
export function variable<T>(type: VariableType<T>, options: VariableOptions & { default?: string }): Variable<T> {
  return { ...(type as VariableType<Exclude<T, undefined>>), secret: false, ...options };
}

/** The variables of these names, in their own order. */
export function pick<V extends Variables, Name extends keyof V>(variables: V, names: readonly Name[]): Pick<V, Name> {
  const isNamed = ([name]: [string, unknown]) => (names as readonly PropertyKey[]).includes(name);
  return Object.fromEntries(Object.entries(variables).filter(isNamed)) as Pick<V, Name>;
}

/** Any text. */
export function text(allowed: string): VariableType<string> {
  return { schema: z.string(), allowed };
}

/** A text that a header can carry: without line breaks and other control characters. */
export function headerText(): VariableType<string> {
  return { schema: z.string().regex(/^\P{Cc}*$/u), allowed: 'text on one line' };
}

/** An address or a host name to listen on. IPv6 addresses may have the brackets that they have in URLs. */
export function host(): VariableType<string> {
  const schema = z.string().transform((host) => host.replace(/^\[(.*)\]$/, '$1'));
  return { schema, allowed: 'an address or a host name' };
}

/** A directory, as an absolute path; a relative path starts from the working directory, `~` is the home directory. */
export function directory(): VariableType<string> {
  return { schema: inHome.transform((path) => resolve(path)), allowed: 'a directory' };
}

/** A file, as an absolute path; a relative path starts from the working directory, `~` is the home directory. */
export function file(): VariableType<string> {
  return { schema: inHome.transform((path) => resolve(path)), allowed: 'a file' };
}

/** A name or a path of a model; `~` is the home directory. */
export function model(allowed: string): VariableType<string> {
  return { schema: inHome, allowed };
}

/** Shells leave `~` as it is in quotes and in arguments; files of variables have no shell. */
const inHome = z.string().transform((path, context) => {
  if (!/^~(?:\/|$)/.test(path)) return path;
  const home = homeDirectory();
  if (home) return join(home, path.slice(1));
  context.addIssue({ code: 'custom', message: 'no home directory' });
  return z.NEVER;
});

function homeDirectory(): string | undefined {
  try {
    return homedir();
  } catch {
    // HOME is not set, and the system does not know the user.
    return undefined;
  }
}

/** An integer from `min` to `max`, both included. */
export function integer({ min, max }: { min: number; max: number }): VariableType<number> {
  const schema = z
    .string()
    .regex(/^[+-]?\d+$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
  return { schema, allowed: `an integer from ${min} to ${max}` };
}

/** An integer, or one word in any case. */
export function integerOr<const Word extends string>(
  word: Word,
  limits: { min: number; max: number },
): VariableType<number | Word> {
  const { schema, allowed } = integer(limits);
  return {
    schema: z.union([schema, z.string().toLowerCase().pipe(z.literal(word))]),
    allowed: `${word}, or ${allowed}`,
  };
}

/** true, 1, yes, on or false, 0, no, off, in any case. */
export function boolean(): VariableType<boolean> {
  const schema = z.stringbool({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] });
  return { schema, allowed: 'true, 1, yes, on, false, 0, no or off' };
}

/** One of several lower-case words, given in any case. */
export function oneOf<const Word extends string>(words: readonly [Word, ...Word[]]): VariableType<Word> {
  const allowed = words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  return { schema: z.string().toLowerCase().pipe(z.enum(words)), allowed };
}

/** An http or https URL, without its trailing slashes. */
export function httpUrl(): VariableType<string> {
  const schema = z
    .string()
    .refine((value) => parseHttpUrl(value) !== undefined)
    .transform((value) => value.replace(/\/+$/, ''));
  return { schema, allowed: 'an http or https URL' };
}

/** `*`, or comma-separated origins such as `https://example.org`. */
export function origins(): VariableType<string[] | '*'> {
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

/** `*`, or comma-separated host names such as `speech.example.org`, in lower case; `*.example.org` has all below it. */
export function hostNames(): VariableType<string[] | '*'> {
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  const name = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*$`);
  const schema = z.string().transform((value, context): string[] | '*' => {
    if (value === '*') return '*';
    const names = value.split(',').map((each) => each.trim().toLowerCase());
    if (!names.every((each) => name.test(each))) context.addIssue({ code: 'custom', message: 'not a host name' });
    return names;
  });
  return { schema, allowed: '* or a comma-separated list of host names such as speech.example.org or *.example.org' };
}

/** The URL in a text; undefined unless it is one of http or https. */
export function parseHttpUrl(value: string): URL | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/**
 * Reads the variables from `env`. A value of only whitespace counts as not given.
 *
 * @throws ConfigError for the first variable with an invalid value
 */
export function readConfiguration<const V extends Variables>(variables: V, env: NodeJS.ProcessEnv): Configuration<V> {
  const configuration: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(variables)) {
    const raw = env[name]?.trim() || declared.default;
    if (raw === undefined) continue;
    const result = declared.schema.safeParse(raw);
    if (!result.success) throw invalidValue(name, raw, declared);
    configuration[camelCase(name)] = result.data;
  }
  return configuration as Configuration<V>;
}

function invalidValue(name: string, value: string, { allowed, secret }: Variable<unknown>): ConfigError {
  if (secret) return new ConfigError(`${name} must be ${allowed} (its value is not shown)`);
  const shown = value.length > 100 ? `${value.slice(0, 100)}…` : value;
  // JSON keeps a value with line breaks on one line.
  return new ConfigError(`${name} must be ${allowed}, not ${JSON.stringify(shown)}`);
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A Markdown table of the variables, in their order. */
export function configurationTable(variables: Variables): string {
  const rows = Object.entries(variables).map(([name, declared]) => {
    const defaultText = declared.defaultText ?? (declared.default === undefined ? '' : `\`${declared.default}\``);
    return [`\`${name}\``, defaultText, declared.allowed, declared.description];
  });
  const lines = [['Variable', 'Default', 'Allowed', 'Meaning'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}

/** The page docs/configuration.md, with one table per service. */
export function configurationPage(sections: { title: string; variables: Variables }[]): string {
  const introduction = `# Configuration

All settings are environment variables; each has a default or is optional. An empty value counts as unset.
An invalid value stops the process at once, with one line that names the variable, the value and the allowed values; the
value of a secret is never shown. Words such as \`true\`, \`cpu\` or \`info\` may be in upper or lower case, and sizes and times
are integers. A relative path starts from the working directory, and \`~/\` from the home directory of the service's user.
Traces are set up by OpenTelemetry's own variables, see [monitoring](deploy.md#monitoring).

This page is generated from the source. To update it, run
\`UPDATE_DOCS=1 npx vitest run test/configuration-docs.test.ts\`.
`;
  const tables = sections.map(({ title, variables }) => `\n## ${title}\n\n${configurationTable(variables)}`);
  return introduction + tables.join('');
}
