import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isObject } from '../../files/json.ts';
import { invalidMember } from '../../http/errors.ts';
import { allButBody } from '../../http/route.ts';
import { Slices } from '../../scheduling/slices.ts';
import { normalization } from './speech-request.ts';

/** Fields that must have text: an empty one is an error, not absent. */
const REQUIRED: ReadonlySet<string> = new Set(['input', 'text', 'phonemes']);
const NUMBERS: ReadonlySet<string> = new Set(['speed', 'volume_multiplier', 'pause_after']);
const BOOLEANS: ReadonlySet<string> = new Set(['stream', 'return_download_link']);
/** The object whose members are all booleans. */
const SWITCHES = 'normalization_options';
const switchNames = Object.keys(normalization.shape);

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
  for (const name of switchNames) {
    const value = switches[name];
    if (value === '') delete switches[name];
    else if (value !== undefined) switches[name] = asBoolean(value);
  }
}

/**
 * How a route reads a body with a long list: as loosely as others, and in slices of time up to the first invalid item. A
 * schema would collect the errors of all.
 * @param schema of the body; its list has items of the schema `item`
 * @param name of the list, and of its items in an error
 * @throws HearsayError `invalid_request` that names the item and its field
 */
export function bodyWithItems(
  schema: z.ZodObject,
  { name, item, max }: { name: 'lines' | 'chapters'; item: z.ZodType; max: number },
) {
  const rest = schema.extend({ [name]: z.array(z.unknown()).min(1) });
  const readItems = async (request: FastifyRequest) => {
    const result = rest.safeParse(request.body);
    if (!result.success) throw invalidMember(result.error.issues[0]!);
    const items = result.data[name] as unknown[];
    if (items.length > max) throw invalidMember({ path: [name], message: `must have no more than ${max} ${name}` });
    const slices = new Slices();
    for (const [index, value] of items.entries()) {
      if (isObject(value)) readFields(value);
      const { success, data, error } = item.safeParse(value);
      if (!success) {
        const { path, message } = error.issues[0]!;
        throw invalidMember({ path: [name, index, ...path], message });
      }
      items[index] = data;
      if (slices.isOver) await slices.yield();
    }
    request.body = result.data;
  };
  return { preValidation: [readLoosely, readItems], validatorCompiler: allButBody };
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
