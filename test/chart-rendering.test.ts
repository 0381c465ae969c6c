import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { Helm, hasHelm, type Manifest, type Rendering } from './fixtures/helm.ts';

const chart = new URL('../deploy/chart/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, chart), 'utf8');
const kubernetes = /^kubernetes=(.+)$/m.exec(read('ci/check'))![1]!;

if (!hasHelm) console.log('Skipped: tests that render deploy/chart, because npm has Helm for Linux on x64 only.');
const helm = hasHelm ? new Helm() : undefined;
afterAll(() => helm?.close());

interface Assertions {
  [name: string]: { [option: string]: unknown };
}

interface Case {
  it: string;
  set?: Record<string, unknown>;
  template?: string;
  templates?: string[];
  documentIndex?: number;
  asserts: Assertions[];
}

interface Suite {
  suite: string;
  templates?: string[];
  capabilities: { majorVersion: number; minorVersion: number };
  tests: Case[];
}

/** The schema of an object in ci/schemas, by kubeconform's names. */
function schemaFile({ apiVersion, kind }: Manifest): string {
  const [version, group] = apiVersion.split('/').reverse() as [string, string | undefined];
  return `${[kind.toLowerCase(), ...(group ? [group.split('.')[0]] : []), version].join('-')}.json`;
}

/** Values of `set`, whose keys are paths. */
function nested(set: Record<string, unknown>): object {
  const values: Manifest = {};
  for (const [path, value] of Object.entries(set)) {
    const names = path.split('.');
    const last = names.pop()!;
    let under = values;
    for (const name of names) under = under[name] ??= {};
    under[last] = value;
  }
  return values;
}

/** What lies at a path such as `spec.rules[0].host`. */
function at(object: Manifest, path: string): Manifest {
  return path.match(/[^.[\]]+/g)!.reduce((value: Manifest, name) => value?.[name], object);
}

/** Whether one list entry is as asked for: whole, or `any` for at least these fields. */
function isLike(entry: Manifest, content: Manifest, any: boolean): boolean {
  if (!any) return isDeepStrictEqual(entry, content);
  return Object.entries(content).every(([key, value]) => isDeepStrictEqual(entry[key], value));
}

/** The assertions of helm-unittest that the chart's tests use, on one object or on a whole rendering. */
const checks: Record<string, (object: Manifest, options: Manifest) => void> = {
  equal: (object, { path, value }) => expect(at(object, path)).toEqual(value),
  isKind: (object, { of }) => expect(object.kind).toBe(of),
  notExists: (object, { path }) => expect(at(object, path)).toBeUndefined(),
  lengthEqual: (object, { path, count }) => expect(at(object, path)).toHaveLength(count),
  contains(object, { path, content, any = false, count }) {
    const found = at(object, path).filter((entry: Manifest) => isLike(entry, content, any));
    expect(found.length, JSON.stringify(at(object, path))).toBe(count ?? Math.max(found.length, 1));
  },
  notContains(object, { path, content, any = false }) {
    expect(at(object, path).filter((entry: Manifest) => isLike(entry, content, any))).toEqual([]);
  },
};

function check(test: Case, { error, objects }: Rendering, templates: string[] | undefined): void {
  const all = templates ? templates.flatMap((name) => objects.get(name) ?? []) : [...objects.values()].flat();
  const chosen = test.documentIndex === undefined ? all : [all[test.documentIndex]];
  for (const assertion of test.asserts) {
    const [name, options] = Object.entries(assertion)[0]!;
    if (name === 'failedTemplate') {
      expect(error).toMatch(new RegExp(options.errorPattern as string));
      continue;
    }
    expect(error).toBeUndefined();
    if (name === 'notFailedTemplate') continue;
    if (name === 'hasDocuments') {
      expect(all).toHaveLength(options.count as number);
      continue;
    }
    expect(chosen.length).toBeGreaterThan(0);
    for (const object of chosen) checks[name]!(object, options);
  }
}

describe('deploy/chart, rendered', () => {
  const suites = readdirSync(new URL('tests/', chart)).filter((file) => file.endsWith('_test.yaml'));

  describe.runIf(helm).each(suites)('tests/%s', (file) => {
    const { templates, capabilities, tests } = parse(read(`tests/${file}`)) as Suite;
    const version = `${capabilities.majorVersion}.${capabilities.minorVersion}.0`;

    it.each(tests)('$it', (test) => {
      const rendering = helm!.template(version, nested(test.set ?? {}));
      check(test, rendering, test.template ? [test.template] : (test.templates ?? templates));
    });
  });

  const sets = readdirSync(new URL('ci/', chart)).filter((file) => file.endsWith('.values.yaml'));

  it.runIf(helm).each(sets)('passes helm lint with ci/%s, and is rendered as ci/rendered has it', (file) => {
    expect(helm!.lint(kubernetes, `ci/${file}`)).toBe('');
    const { text } = helm!.template(kubernetes, `ci/${file}`);
    expect(text).toBe(read(`ci/rendered/${file.replace('.values.', '.')}`));
  });

  it.each(sets)('has only fields that Kubernetes knows with ci/%s', (file) => {
    // Formats such as int32 are Kubernetes' own.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const document of parseAllDocuments(read(`ci/rendered/${file.replace('.values.', '.')}`))) {
      const object = document.toJS();
      const name = schemaFile(object);
      const validate =
        ajv.getSchema(name) ?? ajv.addSchema(JSON.parse(read(`ci/schemas/${name}`)), name).getSchema(name)!;
      validate(object);
      expect([object.kind, object.metadata.name, validate.errors]).toEqual([object.kind, object.metadata.name, null]);
    }
  });
});
