import type { Gpu } from './gpu.ts';

export interface StartUpFacts {
  version: string;
  /** Address of the service. */
  endpoint: string;
  keyRequired: boolean;
  /** Whether only this machine can reach it. */
  isLocal: boolean;
  device: string;
  gpu: Gpu | null;
  model: string;
  backend: string;
  voicePacks: number;
  /** Whether /web is served. */
  webPage: boolean;
}

const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** The boxed summary in the log of a service that has become ready. */
export function startUpSummary(facts: StartUpFacts): string {
  const { gpu } = facts;
  // Not every browser opens 0.0.0.0.
  const local = facts.endpoint.replace('://0.0.0.0', '://localhost').replace('://[::]', '://localhost');
  const rows: [string, string][] = [
    ['Endpoint', facts.endpoint],
    ['API key', facts.keyRequired ? 'required' : facts.isLocal ? 'none' : 'none, open to everyone on the network'],
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
