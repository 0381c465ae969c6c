import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The longest runs that are published. */
const RUNS = 3;

const folder = new URL('../results/accuracy/', import.meta.url);
const fileOf = (name) => new URL(`${name.replace(/[^\p{L}\p{N}.]+/gu, '-').toLowerCase()}.json`, folder);

/** Writes a system's scores to benchmarks/results/accuracy; sets that did not run keep theirs. */
export function saveSystem({ name, version }, sets, scores) {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(name);
  const saved = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sets : {};
  for (const set of sets) {
    const { lost, added, stretches, ...counts } = scores.get(set.name);
    if (counts.files < set.files.length) continue;
    saved[set.name] = {
      what: set.what,
      measure: set.measure,
      date: new Date().toISOString().slice(0, 10),
      machine: cpus()[0].model.trim(),
      ...counts,
      minutes: Math.round(10 * counts.minutes) / 10,
      ...(stretches && { stretches: stretches.map(({ errors, words }) => `${errors}/${words}`).join(' ') }),
      lost: lost.slice(0, RUNS),
      added: added.slice(0, RUNS),
    };
  }
  if (Object.keys(saved).length === 0) return;
  const result = {
    name,
    version,
    node: process.version,
    sets: saved,
  };
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}
