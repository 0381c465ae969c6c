import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Variables } from '../src/config/variables.ts';
import { hearVariables } from '../src/hear/config.ts';
import { sayVariables } from '../src/say/config.ts';

const chart = new URL('../deploy/chart/', import.meta.url);
const file = new URL('values.schema.json', chart);
const read = (path: string) => readFileSync(new URL(path, chart), 'utf8');

/** Settings that the chart sets, or that cannot work in it, and so are no keys of `env`. */
const ownSettings = [
  // The image's directories, which are mounted.
  'DATA_DIR',
  'MODELS_DIR',
  'TEMP_DIR',
  // Ports and schemes of probes and Services.
  'PORT',
  'TLS_CERT',
  'TLS_KEY',
  'WYOMING_PORT',
  // Made of hosts and names of Services.
  'ALLOWED_HOSTS',
  // Without it /ready waits for a request, and no request comes before /ready.
  'WARMUP_ON_START',
];

const all: Variables = { ...hearVariables, ...sayVariables };

/** What a map of settings may hold. */
function settings(variables: Variables, names: string[]) {
  const entries = names.map((name) => {
    const { allowed, description } = variables[name]!;
    return [name, { type: ['string', 'integer', 'boolean'], description: `${description} Allowed: ${allowed}.` }];
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(entries) };
}

const plain = (variables: Variables) =>
  Object.keys(variables).filter((name) => !variables[name]!.secret && !ownSettings.includes(name));
const secret = Object.keys(all).filter((name) => all[name]!.secret);

/** The definitions of the schema that follow the services' settings. */
const definitions = {
  settings: settings(
    all,
    plain(hearVariables).filter((name) => name in sayVariables),
  ),
  hearSettings: settings(hearVariables, plain(hearVariables)),
  saySettings: settings(sayVariables, plain(sayVariables)),
  secrets: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(secret.map((name) => [name, { $ref: '#/definitions/secretKey' }])),
  },
  settingName: { enum: Object.keys(all) },
};

const schema = JSON.parse(read('values.schema.json')) as { definitions: Record<string, unknown> };

if (process.env.UPDATE_DOCS === '1') {
  Object.assign(schema.definitions, definitions);
  writeFileSync(file, `${JSON.stringify(schema, undefined, 2)}\n`);
}

describe("the chart's values.schema.json", () => {
  it('knows the settings of docs/configuration.md', () => {
    const known = Object.fromEntries(Object.keys(definitions).map((name) => [name, schema.definitions[name]]));
    expect(known, 'run with UPDATE_DOCS=1 to update the schema').toEqual(definitions);
  });

  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  /** Values as Helm checks them: those of the chart, and given ones on top. */
  function check(...given: object[]): boolean {
    const merge = (under: unknown, over: unknown): unknown => {
      if (over === null || typeof over !== 'object' || Array.isArray(over)) return over;
      const base = typeof under === 'object' && !Array.isArray(under) ? (under as Record<string, unknown>) : {};
      const merged = Object.entries(over).map(([key, value]) => [key, merge(base[key], value)]);
      return { ...base, ...Object.fromEntries(merged) };
    };
    return validate(given.reduce(merge, parse(read('values.yaml'))));
  }

  it.each(readdirSync(new URL('ci/', chart)).filter((name) => name.endsWith('.values.yaml')))(
    'allows ci/%s',
    (name) => {
      expect(check(parse(read(`ci/${name}`)) ?? {})).toBe(true);
    },
  );

  it.each([
    ['a misspelt setting', { hear: { env: { MAX_UPLOD_BYTES: 1 } } }],
    ["a setting of the other service's", { say: { env: { MODEL_SIZE: 'small' } } }],
    ["one service's setting for both", { env: { MODEL_SIZE: 'small' } }],
    ['a key in plain text', { env: { API_KEY: 'secret' } }],
    ['an unknown secret', { secrets: { MODEL_SIZE: { name: 'a', key: 'b' } } }],
    ['a secret without a key', { secrets: { API_KEY: { name: 'a' } } }],
    ['a setting that keeps /ready from turning 200', { env: { WARMUP_ON_START: false } }],
    ['a setting among the other variables', { hear: { extraEnv: [{ name: 'PORT', value: '1' }] } }],
    ['a fraction', { env: { MAX_CONCURRENCY: 1.5 } }],
    ['scaling to no replica, whose queue would never be seen', { hear: { autoscaling: { minReplicas: 0 } } }],
    ['baked data', { say: { persistence: { data: { type: 'image' } } } }],
    ['a host with a port', { hear: { hosts: ['hear.example.org:8000'] } }],
    ['a digest that is none', { image: { digest: 'latest' } }],
    ['an unknown value', { hear: { replica: 2 } }],
  ])('refuses %s', (_, given) => {
    expect(check(given)).toBe(false);
  });
});
