import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { isObject } from '../../files/json.ts';

/** Fields that must have text: an empty one is an error, not absent. */
const REQUIRED: ReadonlySet<string> = new Set(['input', 'text', 'phonemes']);
const NUMBERS: ReadonlySet<string> = new Set(['speed', 'volume_multiplier', 'pause_after']);
const BOOLEANS: ReadonlySet<string> = new Set(['stream', 'return_download_link']);
/** The object whose members are all booleans. */
const SWITCHES = 'normalization_options';

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** The same words as in the forms of `hear`. */
const BOOLEAN = z.stringbool();

/**
 * Reads a body as clients in other languages write it: nulls, also in the objects directly in it, and empty optional fields
 * count as absent; numbers and booleans may be strings, and booleans 1 and 0. A `preValidation` hook.
 */
export async function readLoosely({ body }: FastifyRequest): Promise<void> {
  if (!isObject(body)) return;
  readFields(body);
  const switches = body[SWITCHES];
  if (!isObject(switches)) return;
  for (const [name, value] of Object.entries(switches)) {
    if (value === '') delete switches[name];
    else switches[name] = asBoolean(value);
  }
}

/**
 * Makes a `preValidation` hook that reads the items of a list as loosely as the other fields of the body.
 * @param name of the list, and of its items in the error
 * @throws HearsayError `invalid_request` for too many items: each could have its own error
 */
export function readItems(name: 'lines' | 'chapters', max: number): (request: FastifyRequest) => Promise<void> {
  return async ({ body }) => {
    const items = isObject(body) ? body[name] : undefined;
    if (!Array.isArray(items)) return;
    if (items.length > max)
      throw new HearsayError('invalid_request', `${name}: must have no more than ${max} ${name}`, { param: name });
    for (const item of items) if (isObject(item)) readFields(item);
  };
}

function readFields(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || (value === '' && !REQUIRED.has(name))) delete fields[name];
    else if (isObject(value)) dropNulls(value);
    else if (NUMBERS.has(name)) fields[name] = asNumber(value);
    else if (BOOLEANS.has(name)) fields[name] = asBoolean(value);
  }
}

function dropNulls(object: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(object)) if (value === null) delete object[name];
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
}

function asBoolean(value: unknown): unknown {
  if (typeof value !== 'string' && value !== 1 && value !== 0) return value;
  const { success, data } = BOOLEAN.safeParse(String(value).trim());
  return success ? data : value;
}
