import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationPage } from '../src/config/variables.ts';
import { transcriptionDeclarations } from '../src/hear/config.ts';
import { synthesisDeclarations } from '../src/say/config.ts';

it('docs/configuration.md matches the declared variables', () => {
  const file = new URL('../docs/configuration.md', import.meta.url);
  const page = configurationPage([
    { title: 'Transcription service', declarations: transcriptionDeclarations },
    { title: 'Synthesis service', declarations: synthesisDeclarations },
  ]);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8'), 'run it again with UPDATE_DOCS=1 to rewrite the page').toBe(page);
});
