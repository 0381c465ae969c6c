/** Import first in a program that runs models itself: restarts it in an engine's environment. */
import { spawnSync } from 'node:child_process';
import { engineEnvironment } from '../dist/engine/process.js';

if (process.env.AS_ENGINE === undefined) {
  const env = { ...engineEnvironment(), AS_ENGINE: '1' };
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env });
  process.exit(status ?? 1);
}

/** This process's environment without the settings meant for engines only. */
export function plainEnvironment() {
  const { AS_ENGINE, GLIBC_TUNABLES, MALLOC_TRIM_THRESHOLD_, ...env } = process.env;
  return env;
}
