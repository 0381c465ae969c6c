import type { Gpu } from './routes/gpu.ts';

export interface StartUpFacts {
  version: string;
  /** Address that the service listens on. */
  endpoint: string;
  keyRequired: boolean;
  device: string;
  gpu: Gpu | null;
  model: string;
  backend: string;
  voicePacks: number;
  /** Whether there is a page at /web. */
  webPage: boolean;
}

const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** What a service that is ready shows on its log, in a box. */
export function startUpSummary(facts: StartUpFacts): string {
  const { gpu } = facts;
  // Nobody can open 0.0.0.0 in a browser everywhere.
  const local = facts.endpoint.replace('://0.0.0.0', '://localhost').replace('://[::]', '://localhost');
  const rows: [string, string][] = [
    ['Endpoint', facts.endpoint],
    ['API key', facts.keyRequired ? 'required' : 'none: open to everybody who can reach it'],
    ['Device', facts.device],
    [
      'GPU',
      gpu
        ? `${gpu.name}, ${gigabytes(gpu.memory_used_bytes)} of ${gigabytes(gpu.memory_total_bytes)} VRAM used`
        : 'none',
    ],
    ['Model', `${facts.model} (${facts.backend})`],
    ['Voice packs', String(facts.voicePacks)],
    ['Web console', facts.webPage ? `${local}/web` : 'off'],
  ];
  const label = Math.max(...rows.map(([name]) => name.length));
  const lines = [
    `Hearsay ${facts.version}: speech synthesis`,
    ...rows.map(([name, value]) => `${name.padEnd(label)}  ${value}`),
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 2);
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${rule}┘`].join('\n');
}
