import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { VoiceActivityOptions } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { isObject } from '../../files/json.ts';
import { invalidField } from '../../http/errors.ts';
import { parseJson, textOf } from '../../http/json.ts';
import { allButBody, binary, type RouteOptions } from '../../http/route.ts';
import { responseFormats, transcriptAnswer, transcriptEvents } from '../transcript/response.ts';
import { jobObject } from './jobs.ts';
import { type SpeakerRequest, speakerFields } from './speaker-fields.ts';

/** What a form requests. */
export interface AudioOptions extends SpeakerRequest {
  language?: string | undefined;
  /** Codes to detect the language among. */
  languages?: readonly string[] | undefined;
  prompt?: string | undefined;
  keywords?: readonly string[] | undefined;
  /** Whether `verbose_json` has word times. */
  words: boolean;
  /** Whether responses and events have the log probabilities of tokens. */
  logprobs?: boolean;
  /** Whether `json` has languages and usage: only if the request uses fields that the API introduced with them. */
  isExtended?: boolean;
  voiceActivity?: VoiceActivityOptions | undefined;
  /** Where to report the end of a background job. */
  callback_url?: string | undefined;
  /** Whether to respond with the language only. */
  detectOnly?: boolean;
}

/** The fields of both audio routes. */
export const audioFields = {
  model: z.string().default('asr-1').describe('Accepted for compatibility, then ignored.'),
  prompt: z.string().optional().describe('Initial decoding context: names, jargon. Not every model can use one.'),
  response_format: z
    .enum(responseFormats, { error: 'Unsupported response_format' })
    .default('json')
    .describe('`diarized_json`, and `speakers` in other formats, need a speaker model.'),
  temperature: z.coerce
    .number({ error: 'temperature must be a number' })
    .default(0)
    .describe('Accepted for compatibility, then ignored.'),
  stream: z
    .stringbool({ error: 'stream must be true or false' })
    .default(false)
    .meta({ type: 'boolean', default: false })
    .describe(
      'Answer with server-sent events `transcript.text.delta` and `transcript.text.done`. With `verbose_json` the former have times and the latter has the whole object. Segments with speakers precede the last event, as `transcript.text.segment`.',
    ),
  ...speakerFields,
  callback_url: z
    .string()
    .optional()
    .describe('URL to notify when a background job has ended, signed as in Standard Webhooks.'),
};

/** Makes an empty value of a query count as absent. */
export const emptyAsAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

/** The query of both audio routes. */
const audioQuery = z.object({
  background: emptyAsAbsent(z.stringbool({ error: 'must be true or false' }).default(false))
    .meta({ type: 'boolean', default: false })
    .describe(
      'Answer at once with a job that does not depend on the connection. GET /v1/jobs/{id} returns its outcome.',
    ),
});

/** What the declarations of both audio routes share. The handler reads and validates the form itself. */
export function audioRoute(fields: z.ZodObject) {
  const file = binary.describe('The recording, in any common audio or video format.');
  return {
    method: 'POST',
    tag: 'audio',
    consumes: 'multipart/form-data',
    querystring: audioQuery,
    body: z.object({ file, ...fields.shape }),
    response: {
      200: {
        description: 'The transcript in the requested `response_format`',
        content: {
          'application/json': { schema: transcriptAnswer },
          'text/plain': { schema: z.string() },
          'text/event-stream': { schema: transcriptEvents },
        },
      },
      202: jobObject.describe('The job, with `background=true`'),
    },
    validatorCompiler: allButBody,
  } satisfies Partial<RouteOptions<z.ZodType, typeof audioQuery, z.ZodType>>;
}

/** JSON bodies are read into memory: 24 MB of audio in Base64. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/** Leaves the bodies of this scope to its handlers: forms unread, JSON as its bytes, of which there is a maximum. */
export function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: MAX_JSON_BYTES } as const;
  app.addContentTypeParser('application/json', options, (_request, body, done) => done(null, body));
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler<Error & { code?: string }>((error) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
    const message = 'The JSON body is larger than 32 MiB. Send larger recordings as a form (multipart/form-data).';
    throw new HearsayError('payload_too_large', message, { cause: error });
  });
}

/** The value of one schema field in a form: its last text, the items of a list, or the members of an object. */
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

/** Lists whose items may hold commas. */
const PHRASES = ['keywords[]', 'known_speaker_names[]'];

/** Items to read of a list: more than any may have, so that its schema refuses more. */
const MAX_ITEMS = 1001;

/** Which fields of a schema are lists, objects and free text. */
function shapeOf(schema: z.ZodObject): FormShape {
  const names = Object.keys(schema.shape);
  return {
    names: new Set(names),
    lists: new Map(
      names.filter((name) => name.endsWith('[]')).map((name) => [name, { hasCommas: !PHRASES.includes(name) }]),
    ),
    objects: new Set(['chunking_strategy'].filter((name) => names.includes(name))),
    texts: new Set(['prompt']),
  };
}

/**
 * Validates the fields of a form, see `formValues`.
 *
 * @throws HearsayError naming the first invalid field
 */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: ReadonlyMap<string, readonly string[]>,
): z.infer<Schema> {
  const shape = shapeOf(schema);
  for (const name of fields.keys()) assertShape(name, shape);
  const result = schema.safeParse(formValues(fields, shape));
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const [field = '', member] = issue.path;
  if (field === 'response_format') throw invalidField(issue, 'unsupported_response_format');
  const isLanguage = field === 'language' || field === 'languages[]';
  // Items of lists have no name; members of objects do.
  const path = [typeof member === 'string' && member !== 'type' ? `${String(field)}[${member}]` : field];
  throw invalidField({ path, message: issue.message }, isLanguage ? 'unsupported_language' : 'invalid_request');
}

/** A test whether a part of a form is a field of a schema, by its name. */
export function isFieldOf(schema: z.ZodObject): (name: string) => boolean {
  const { names, lists } = shapeOf(schema);
  return (name) => {
    const { base } = parsedName(name);
    return names.has(base) || lists.has(`${base}[]`);
  };
}

/** A field's name, and what it has in brackets. */
function parsedName(name: string): { base: string; key: string | undefined } {
  const [, base = name, key] = /^(.*?)\[(\w*)\]$/s.exec(name) ?? [];
  return { base, key };
}

/** @throws HearsayError `invalid_request` if a list has names for items, or a single value has members */
function assertShape(name: string, { names, lists, objects }: FormShape): void {
  const { base, key } = parsedName(name);
  if (key === undefined) return;
  const list = `${base}[]`;
  if (lists.has(list)) {
    if (!/^\d*$/.test(key)) throw invalidField({ path: [list], message: `${list} must be a list.` });
  } else if (names.has(base) && !objects.has(base)) {
    throw invalidField({ path: [base], message: `${base} must be a single value.` });
  }
}

/**
 * Values of a form by field of the schema. An empty field and the word `null` count as absent. The last value of a repeated
 * field counts. Unknown fields are ignored. A list is sent as `name[]`, `name` or `name[0]`, or as JSON in one field; an
 * object as `name[key]` or as JSON.
 */
export function formValues(
  fields: ReadonlyMap<string, readonly string[]>,
  shape: FormShape,
): Record<string, FormValue> {
  const values = new Map<string, FormValue>();
  for (const [name, all] of fields) {
    const { base, key } = parsedName(name);
    const list = shape.lists.get(`${base}[]`);
    const isText = shape.texts.has(base) || list?.hasCommas === false;
    const given = all.filter((value) => value.trim() !== '' && (isText || value.trim().toLowerCase() !== 'null'));
    if (given.length === 0) continue;
    const last = given.at(-1)!;
    if (list) values.set(`${base}[]`, listWith(values.get(`${base}[]`), given, list));
    else if (shape.objects.has(base)) values.set(base, objectWith(values.get(base), key, last));
    else if (shape.names.has(name)) values.set(name, isText ? last : last.trim());
  }
  for (const [name, value] of values) if (Array.isArray(value) && value.length === 0) values.delete(name);
  return Object.fromEntries(values);
}

/** Adds the items of a field to those of its name before, in place: a form may have thousands. */
function listWith(before: FormValue | undefined, given: readonly string[], list: { hasCommas: boolean }): string[] {
  const items = Array.isArray(before) ? before : [];
  for (const value of given) {
    if (items.length < MAX_ITEMS) items.push(...listItems(value, list).slice(0, MAX_ITEMS));
  }
  return items;
}

/** Adds a member to an object, in place; the whole object if the field names no member. */
function objectWith(before: FormValue | undefined, key: string | undefined, value: string): FormValue {
  if (key === undefined) return parsedObject(value) ?? value;
  return Object.assign(typeof before === 'object' && !Array.isArray(before) ? before : {}, { [key]: value });
}

/** Clients write a list into one field as `a`, `a,b` or `["a","b"]`. */
function listItems(value: string, { hasCommas }: { hasCommas: boolean }): string[] {
  const parsed = parsedJson(value);
  if (Array.isArray(parsed))
    return parsed
      .filter((item) => item !== null)
      .slice(0, MAX_ITEMS)
      .map(textOf);
  if (!hasCommas) return [value];
  const items = value
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',', MAX_ITEMS)
    .map((item) => item.trim().replace(/^"(.*)"$/, '$1'));
  // What follows so many is not read, and must not be dropped in silence.
  return items.length === MAX_ITEMS ? items : items.filter((item) => item !== '');
}

function parsedObject(value: string): Record<string, string> | undefined {
  const parsed = parsedJson(value);
  if (!isObject(parsed)) return undefined;
  const members = Object.entries(parsed).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, textOf(member)]));
}

function parsedJson(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return undefined;
  try {
    return parseJson(value, 'The field');
  } catch {
    return undefined;
  }
}
