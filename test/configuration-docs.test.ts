import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationPage } from '../src/config/variables.ts';
import { hearVariables } from '../src/hear/config.ts';
import { sayVariables } from '../src/say/config.ts';

it('docs/configuration.md matches the declared variables', () => {
  const file = new URL('../docs/configuration.md', import.meta.url);
  const page = configurationPage([
    { title: '`hear`', variables: hearVariables },
    { title: '`say`', variables: sayVariables },
  ]);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8'), 'run with UPDATE_DOCS=1 to update the page').toBe(page);
});
