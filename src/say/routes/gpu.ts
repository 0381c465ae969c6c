import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The first GPU of this machine. */
export interface Gpu {
  name: string;
  memory_used_bytes: number;
  memory_total_bytes: number;
  utilization_pct?: number;
  temperature_c?: number;
  power_w?: number;
}

const FIELDS = ['name', 'memory.used', 'memory.total', 'utilization.gpu', 'temperature.gpu', 'power.draw'];
const MEBIBYTE = 1024 * 1024;
const TIMEOUT_MS = 2000;
/** How long an answer holds: anybody may ask for it, as often as they like. */
const KEPT_MS = 2000;
/** How long it holds that there is none. */
const NONE_KEPT_MS = 60_000;

/** What `nvidia-smi --query-gpu` says of the fields above, in CSV without units; null where it says nothing usable. */
export function parseGpu(csv: string): Gpu | null {
  const [name, ...values] = (csv.trim().split('\n')[0] ?? '').split(',').map((cell) => cell.trim());
  const [used, total, utilization, temperature, power] = values.map((cell) =>
    cell === '' ? Number.NaN : Number(cell),
  );
  if (!name || used === undefined || total === undefined || !Number.isFinite(used) || !Number.isFinite(total)) {
    return null;
  }
  const known = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);
  return {
    name,
    memory_used_bytes: Math.round(used * MEBIBYTE),
    memory_total_bytes: Math.round(total * MEBIBYTE),
    // The driver writes [N/A] for what it cannot measure.
    ...(known(utilization) && { utilization_pct: utilization }),
    ...(known(temperature) && { temperature_c: temperature }),
    ...(known(power) && { power_w: power }),
  };
}

async function askDriver(): Promise<Gpu | null> {
  try {
    const args = [`--query-gpu=${FIELDS.join(',')}`, '--format=csv,noheader,nounits'];
    return parseGpu((await promisify(execFile)('nvidia-smi', args, { timeout: TIMEOUT_MS })).stdout);
  } catch {
    return null;
  }
}

let kept: { answer: Promise<Gpu | null>; until: number } | undefined;

/** The GPU as the driver's own program sees it, at most two seconds old; null without one. */
export function readGpu(): Promise<Gpu | null> {
  if (kept && performance.now() < kept.until) return kept.answer;
  const entry = { answer: askDriver(), until: Number.POSITIVE_INFINITY };
  kept = entry;
  void entry.answer.then((gpu) => {
    entry.until = performance.now() + (gpu ? KEPT_MS : NONE_KEPT_MS);
  });
  return entry.answer;
}
