/**
 * Runs the fault tests in their long form (`npm run faults`) and saves their figures. FAULT_SEED selects other cases.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { save } from './measure.mjs';

const folder = mkdtempSync(join(tmpdir(), 'faults-'));
const report = join(folder, 'rows');
const started = performance.now();
const { status } = spawnSync('npm', ['run', '-s', 'faults'], {
  stdio: 'inherit',
  env: { ...process.env, FAULT_REPORT: report },
});
const minutes = Math.round((performance.now() - started) / 60_000);
const rows = existsSync(report) ? readFileSync(report, 'utf8').trimEnd().split('\n').map(JSON.parse) : [];
rmSync(folder, { recursive: true });
if (status !== 0 || rows.length === 0) {
  console.error('Some tests have failed: nothing is saved.');
  process.exit(1);
}
save(import.meta.url, [...rows, ['total', `${minutes} minutes, no test failed`]]);
