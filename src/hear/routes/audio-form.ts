import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { invalidField } from '../../http/errors.ts';
import { binary, type RouteOptions } from '../../http/route.ts';
import { plainTranscript, responseFormats, verboseTranscript } from '../transcript/response.ts';

/** What the fields of a form ask for. */
export interface AudioOptions {
  language?: string | undefined;
  prompt?: string | undefined;
  response_format: (typeof responseFormats)[number];
  stream: boolean;
  /** Whether `verbose_json` has word times. */
  words: boolean;
}

/** The fields of both audio routes. */
export const audioFields = {
  model: z.string().default('asr-1').describe('Accepted for compatibility, then ignored.'),
  prompt: z.string().optional().describe('Initial decoding context: names, jargon. Not every model can use one.'),
  response_format: z.enum(responseFormats, { error: 'Unsupported response_format' }).default('json'),
  temperature: z.coerce
    .number({ error: 'temperature must be a number' })
    .default(0)
    .describe('Accepted for compatibility, then ignored.'),
  stream: z
    .stringbool({ error: 'stream must be true or false' })
    .default(false)
    .describe(
      'Answer with server-sent events `transcript.text.delta` and `transcript.text.done`; with `verbose_json` the former have times and the latter the whole object.',
    ),
};

/** What the declarations of both audio routes share. The handler reads and validates the form itself. */
export function audioRoute(fields: z.ZodObject) {
  const file = binary.describe('The recording, in any common audio or video format.');
  return {
    method: 'POST',
    tag: 'audio',
    consumes: 'multipart/form-data',
    body: z.object({ file, ...fields.shape }),
    response: {
      200: {
        description: 'The transcript in the requested `response_format`',
        content: {
          'application/json': { schema: z.union([plainTranscript, verboseTranscript]) },
          'text/plain': { schema: z.string() },
          'text/event-stream': { schema: z.string() },
        },
      },
    },
    validatorCompiler: () => (value: unknown) => ({ value }),
  } satisfies Partial<RouteOptions<z.ZodType, z.ZodType, z.ZodType>>;
}

/** Stops Fastify from reading request bodies of any type in this scope. */
export function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * Validates the fields of a form. An empty field counts as absent, of a repeated one the last counts, and unknown ones
 * are ignored.
 *
 * @throws HearsayError naming the first invalid field
 */
export function parseFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: Map<string, string[]>,
): z.infer<Schema> {
  const values: Record<string, string | string[]> = {};
  const granularities: string[] = [];
  for (const [name, all] of fields) {
    const nonEmpty = all.filter((value) => value.trim() !== '');
    if (/^timestamp_granularities(\[\d*\])?$/.test(name)) granularities.push(...nonEmpty.flatMap(listItems));
    else if (nonEmpty.length > 0 && Object.hasOwn(schema.shape, name)) values[name] = nonEmpty.at(-1)!;
  }
  if (granularities.length > 0) values['timestamp_granularities[]'] = granularities;

  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const [field = ''] = issue.path;
  if (field === 'response_format') throw invalidField(issue, 'unsupported_response_format');
  if (field === 'language') throw invalidField(issue, 'unsupported_language');
  throw invalidField({ path: [field], message: issue.message });
}

/** Clients write a list into one field as `a`, `a,b` or `["a","b"]`. */
function listItems(value: string): string[] {
  return value
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((item) => item.trim().replace(/^"(.*)"$/, '$1'))
    .filter((item) => item !== '');
}
