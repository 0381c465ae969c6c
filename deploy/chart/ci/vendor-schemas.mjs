// Writes schemas/: one strict JSON schema for each kind that the chart renders, from the Go modules of their projects, which
// `go` has to download. Run it when a version in versions.mjs changes: node deploy/chart/ci/vendor-schemas.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { kubernetes, moduleDirectory, resources } from './versions.mjs';

/** Definitions of Kubernetes' OpenAPI description, by the names of kubeconform's files. */
const definitions = {
  'deployment-apps-v1': 'io.k8s.api.apps.v1.Deployment',
  'horizontalpodautoscaler-autoscaling-v2': 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'ingress-networking-v1': 'io.k8s.api.networking.v1.Ingress',
  'networkpolicy-networking-v1': 'io.k8s.api.networking.v1.NetworkPolicy',
  'persistentvolumeclaim-v1': 'io.k8s.api.core.v1.PersistentVolumeClaim',
  'poddisruptionbudget-policy-v1': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'service-v1': 'io.k8s.api.core.v1.Service',
  'serviceaccount-v1': 'io.k8s.api.core.v1.ServiceAccount',
};
const folder = new URL('schemas/', import.meta.url);

/** A schema without descriptions, defaults and Kubernetes' extensions, that allows no other properties than it has. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    if (['description', 'default', 'example'].includes(key) && typeof value !== 'object') continue;
    if (key === 'default' || key.startsWith('x-kubernetes-')) continue;
    result[key] = key === 'properties' || key === 'definitions' ? mapValues(value, strict) : strict(value);
  }
  if (schema['x-kubernetes-int-or-string']) return { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties !== undefined;
  if (schema.properties && !isOpen) result.additionalProperties = false;
  return result;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** One definition with those that it refers to. */
function standalone(all, name) {
  const needed = {};
  const add = (each) => {
    if (needed[each]) return;
    needed[each] = strict(all[each]);
    // kubectl and the server accept numbers, too.
    if (each.endsWith('.Quantity')) needed[each] = { type: ['string', 'number'] };
    if (each.endsWith('.IntOrString')) needed[each] = { type: ['string', 'integer'] };
    for (const [, next] of JSON.stringify(all[each]).matchAll(/"#\/definitions\/([^"]+)"/g)) add(next);
  };
  add(name);
  const { [name]: top, ...others } = needed;
  return { ...top, definitions: others };
}

function write(name, schema) {
  const whole = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(whole)}\n`);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const swagger = readFileSync(`${moduleDirectory(kubernetes)}/api/openapi-spec/swagger.json`, 'utf8');
const known = JSON.parse(swagger).definitions;
for (const [file, name] of Object.entries(definitions)) write(file, standalone(known, name));
const custom = resources();
for (const { name, text, version } of custom) {
  const { versions } = parse(text).spec;
  const schema = strict(versions.find((each) => each.name === version).schema.openAPIV3Schema);
  // Of metadata a definition says only that it is an object.
  write(name, { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } });
}
const sources = [kubernetes, ...custom.map(({ module }) => module)].map((each) => `- ${each}\n`).join('');
writeFileSync(
  new URL('README.md', folder),
  `Written by ../vendor-schemas.mjs from these Go modules, all under the Apache License 2.0:\n\n${sources}`,
);
