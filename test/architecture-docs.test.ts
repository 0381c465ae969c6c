import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
const sources = ['src', 'test'].flatMap((directory) =>
  readdirSync(new URL(`../${directory}`, import.meta.url), { recursive: true, encoding: 'utf8' }).map(
    (path) => `/${directory}/${path}`,
  ),
);

const filesIn = (text: string) => [...new Set([...text.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, path]) => path!))];

const decisions = new URL('../docs/decisions/', import.meta.url);

it.each([
  ['docs/architecture.md', page],
  ...readdirSync(decisions).map((name) => [`docs/decisions/${name}`, readFileSync(new URL(name, decisions), 'utf8')]),
])('%s names only files that exist', (_name, text) => {
  const missing = filesIn(text!).filter((path) => !sources.some((source) => source.endsWith(`/${path}`)));
  expect(missing).toEqual([]);
});

it.each(['One transcription', 'One speech request'])('docs/architecture.md counts the files of: %s', (title) => {
  const start = page.indexOf(`## ${title}`);
  const section = page.slice(start, page.indexOf('\n## ', start));
  // The numbered steps; what follows tells how other models differ.
  const steps = section.slice(0, section.indexOf('\n\n', section.indexOf('\n1. ')));
  const { length } = filesIn(steps);
  expect(Number(/, (\d+) files:/.exec(section)?.[1])).toBe(length);
  expect(length).toBeLessThanOrEqual(35);
});
