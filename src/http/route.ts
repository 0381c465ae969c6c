import { STATUS_CODES } from 'node:http';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorEnvelope } from './errors.ts';

/** The description of a response: the schema of its JSON, or its media types. */
export type ResponseSchema = z.ZodType | { description: string; content: Record<string, { schema: z.ZodType }> };

type Hooks = Pick<RouteShorthandOptions, 'bodyLimit' | 'onRequest' | 'preValidation' | 'validatorCompiler'>;

export interface RouteOptions<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> extends Hooks {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** Name of the operation in generated clients. */
  operationId: string;
  /** Group of the route in the API description. */
  tag: 'audio' | 'models' | 'dev' | 'debug' | 'health';
  summary: string;
  description?: string;
  /** Takes no key and documents no error responses. */
  open?: true;
  params?: Params;
  querystring?: Query;
  body?: Body;
  /** Media type of the body, if not JSON. */
  consumes?: string;
  /** By status, whose name is the default description. The error envelopes of keyed routes are added. */
  response?: Record<number, ResponseSchema>;
  handler(
    request: FastifyRequest<{ Body: z.output<Body>; Querystring: z.output<Query>; Params: z.output<Params> }>,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply>;
}

/** Validates all but the body, for routes that do so themselves. */
export const allButBody: FastifySchemaCompiler<FastifySchema> = (part) =>
  part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part as never);

/** Any binary body. */
export const binary = z.string().meta({ format: 'binary' });

const error = errorEnvelope.describe('An error; docs/errors.md lists all of them');
const errorResponses = { '4xx': error, '5xx': error };

/** Adds a route with its validation and its part of the API description: schemas, key and error responses. */
export function route<
  Body extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Params extends z.ZodType = z.ZodUnknown,
>(app: FastifyInstance, options: RouteOptions<Body, Query, Params>): void {
  const { method, url, operationId, handler, tag, summary, description, open, consumes, response, ...rest } = options;
  const { params, querystring, body, ...hooks } = rest;
  app.route({
    ...hooks,
    method,
    url,
    schema: {
      operationId,
      tags: [tag],
      summary,
      ...(description && { description }),
      ...(consumes && { consumes: [consumes] }),
      ...(params && { params }),
      ...(querystring && { querystring }),
      ...(body && { body }),
      ...(!open && { security: [{ key: [] }] }),
      response: { ...described(response), ...(!open && errorResponses) },
    },
    handler: handler as RouteHandlerMethod,
  });
}

function described(responses: Record<number, ResponseSchema> = {}): Record<string, ResponseSchema> {
  const entries = Object.entries(responses).map(([status, schema]): [string, ResponseSchema] => {
    const isNamed = !(schema instanceof z.ZodType) || schema.description !== undefined;
    return [status, isNamed ? schema : schema.describe(STATUS_CODES[status]!)];
  });
  return Object.fromEntries(entries);
}
