/** The checkpoint for Kokoro's benchmarks. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * The directory in `KOKORO`. If unset, scripts/kokoro-goldens.py writes a true-size checkpoint with random weights to
 * `scratch`; `PYTHON` names a Python with its requirements.
 */
export function kokoroCheckpoint(scratch) {
  if (process.env.KOKORO) return process.env.KOKORO;
  const folder = join(scratch, 'checkpoint');
  const config = path('../../shared/kokoro/config.json');
  const args = [path('../scripts/kokoro-goldens.py'), '--true-size', folder, '--config', config];
  const { status } = spawnSync(process.env.PYTHON ?? 'python3', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error('No checkpoint: name one with KOKORO, or a Python with torch and kokoro with PYTHON.');
  return folder;
}
