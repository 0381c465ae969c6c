import type { Agent } from 'node:http';

export interface FormBody {
  type: string;
  bytes: Buffer;
}
export type Answer = { status: number; text: string; error?: undefined } | { error: string; status?: undefined };
export interface LoadOptions {
  clients: number;
  seconds: number;
  bodies: readonly FormBody[];
  pauseMs: number;
}
export interface ProbeResult {
  latencies: number[];
  wrong: string[];
}

export function formBody(file: Uint8Array, fields?: Record<string, string>): FormBody;
export function send(agent: Agent, url: string, body?: FormBody): Promise<Answer>;
export function drive(base: string, options: LoadOptions): Promise<Record<string, number>>;
export function probe(base: string, everyMs?: number): () => Promise<ProbeResult>;
