import { readFileSync } from 'node:fs';

/** Version of this package. */
export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
